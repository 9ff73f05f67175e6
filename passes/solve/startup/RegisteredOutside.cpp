//===- RegisteredOutside.cpp - Who makes known what is loaded? ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct db *db = calloc(..);
//   load_state(db, file);          named with --load
//   table_add(&all, db);           here handlers find it
//
// The guard stands around all three, so that a later start skips the last one,
// too: it is not of the load, so nothing of what it changes is kept. Or it
// stands around the load alone, and a later start puts an empty one there.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/startup/SkippedCalls.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(RegisteredOutside)

using namespace nvmove;

namespace {

using RegisteredOutsideParts = View<const Pool, const Roots, const Guards>;

class RegistrationChecker {
public:
  explicit RegistrationChecker(const RegisteredOutsideParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), skipped_(c_) {
    for (const Root &r : a_.roots)
      if (r.kept())
        kept_.insert(r.variable);
  }

  void run() {
    for (const LoadGuard &g : a_.guards)
      if (g.refused.empty() && f_.calls[g.call].callee != None)
        check(g);
  }

private:
  /// What it is put into, and by which statement.
  struct Place {
    std::string name;
    Loc loc;
    Id function = None;
  };

  struct Found {
    IdSet values;              ///< addresses of such objects: nodes ..
    std::vector<Id> nodes;     ///< .. in the order in which they are found
    IdSet entered;             ///< functions that get them
    bool isKept = false;       ///< handlers find the object where it comes back
    std::optional<Place> lost; ///< or, first of all, here
  };

  /// Follows the objects that the load is handed, or gives back, through what
  /// is skipped together with it, or through what stands around the guard.
  void check(const LoadGuard &g) {
    const Call &guarded = f_.calls[g.call];
    const bool isLoad = llvm::is_contained(a_.load, guarded.callee);
    found_ = {};
    if (isLoad)
      found_.entered.insert(guarded.function);
    else
      skipped_.below(g);
    Id beside = None; // who calls it
    for (Id load : a_.load)
      for (Id k : p_.callersOf(load))
        if (isBeside(f_.calls[k].function)) {
          const size_t before = found_.nodes.size();
          for (Id value : f_.calls[k].args)
            start(value);
          if (!isLoad)
            start(f_.calls[k].result);
          if (beside == None && found_.nodes.size() > before)
            beside = f_.calls[k].function;
        }
    if (beside == None)
      return;
    findUses();
    for (size_t i = 0; i < found_.nodes.size() && !found_.isKept; ++i)
      follow(found_.nodes[i]);
    const std::optional<Place> &lost = found_.lost;
    if (found_.isKept || !lost)
      return;
    const std::string &by = f_.functions[beside].name;
    a_.findings.report(
        {FindingId::RegisteredOutside, lost->loc, lost->function,
         by + "() has an object loaded, and beside that puts it into " +
             lost->name +
             (isLoad ? ", which is not kept: a later start makes another "
                       "object, and does not load it"
                     : ": a later start skips " +
                           f_.functions[guarded.callee].name +
                           "() as a whole, and what only the load's own "
                           "functions change is kept"),
         llvm::is_contained(c_.loop.mains, beside)
             ? "do both in a function of its own, and name that with --load"
             : "name that function as the load: --load " + by});
  }

  bool isBeside(Id function) const {
    return function != None && (skipped_.functions().contains(function) ||
                                found_.entered.contains(function));
  }

  /// A block of the heap whose address is in a local; no text, as of names of
  /// files.
  void start(Id value) {
    const Id to = value == None ? None : p_.pointee(f_.nodes[value].type);
    if (to == None || p_.kind(to) == TypeKind::Byte ||
        c_.flow.isVariable(value) || !a_.pool->holds(value))
      return;
    for (Id at = value; at != None; at = p_.copied(at))
      if (f_.nodes[at].kind != NodeKind::Global)
        add(at);
  }

  void add(Id node) {
    if (node != None && found_.values.insert(node).second)
      found_.nodes.push_back(node);
  }

  /// By what is used: constraints and calls of skipped functions, and the cells
  /// and variables that handlers read.
  void findUses() {
    if (!constraints_.empty())
      return;
    auto handles = [&](Id fn) {
      return fn != None && (c_.phases.handled.contains(fn) ||
                            llvm::any_of(c_.loop.loops, [&](const MainLoop &l) {
                              return f_.loops[l.loop].function == fn;
                            }));
    };
    for (Id i = 0; i < f_.constraints.size(); ++i) {
      const Constraint &c = f_.constraints[i];
      constraints_[c.src].push_back(i);
      if (handles(c.function)) {
        if (c.flow == Flow::Load)
          read_.insert(c_.flow.cellBehind(c.src, c.dst));
        variablesRead_.insert(c.src);
      }
    }
    for (Id k = 0; k < f_.calls.size(); ++k)
      for (Id value : f_.calls[k].args)
        calls_[value].push_back(k);
  }

  void follow(Id node) {
    for (Id i : constraints_.lookup(node)) {
      const Constraint &c = f_.constraints[i];
      if (!isBeside(c.function))
        continue;
      switch (c.flow) {
      case Flow::Copy:
      case Flow::Cast:
      case Flow::Member:
      case Flow::Index:
        if (f_.nodes[c.dst].kind == NodeKind::Global)
          judge({c.dst}, false, c);
        else if (kept_.contains(c.dst))
          found_.isKept = true; // of main
        else
          add(c.dst);
        break;
      case Flow::Store:
        if (a_.pool->holds(c.dst) && !c_.flow.isVariable(c.dst))
          found_.isKept = true; // of another object that is
        else
          judge(variablesAt(c.dst),
                read_.contains(c_.flow.cellBehind(c.dst, c.src)), c);
        break;
      default:
        break;
      }
    }
    for (Id k : calls_.lookup(node))
      if (isBeside(f_.calls[k].function))
        for (Id callee : c_.flow.callees(k))
          enter(f_.calls[k], callee, node);
    const Id function = f_.nodes[node].function;
    if (function != None && f_.functions[function].result == node)
      for (Id k : p_.callersOf(function))
        if (isBeside(f_.calls[k].function))
          add(f_.calls[k].result);
  }

  /// Also what each start runs besides: table_add().
  void enter(const Call &c, Id callee, Id node) {
    found_.entered.insert(callee);
    const std::vector<Id> &params = f_.functions[callee].params;
    for (size_t k = 0; k < c.args.size() && k < params.size(); ++k)
      if (c.args[k] == node)
        add(params[k]);
  }

  std::vector<Id> variablesAt(Id address) const {
    if (const Id variable = p_.variableAt(address); variable != None)
      return {variable};
    std::vector<Id> found;
    for (unsigned t : c_.flow.atNode(address))
      if (const FieldFlow::Token &k = c_.flow.tokens()[t];
          k.kind == FieldFlow::Token::Static)
        found.push_back(k.ref);
    return found;
  }

  /// Nothing is lost in what no handler reads, or what ends with a function.
  void judge(const std::vector<Id> &variables, bool isRead,
             const Constraint &c) {
    auto ends = [&](Id v) {
      return f_.nodes[v].kind == NodeKind::Local &&
             !c_.loop.frames.contains(f_.nodes[v].function);
    };
    Id read = None;
    for (Id v : variables)
      if (variablesRead_.contains(v)) {
        read = v;
        found_.isKept |= kept_.contains(v);
      }
    const bool lasts = variables.empty() || !llvm::all_of(variables, ends);
    if ((read != None || isRead) && lasts && !found_.lost)
      found_.lost = {read == None ? nameOf(c.dst) : p_.nameOf(read), c.loc,
                     c.function};
  }

  /// table->first; what else has no name.
  std::string nameOf(Id address) const {
    const Id member = AccessPath(p_, address, AccessPath::Loads).member();
    if (member != None)
      return f_.records[f_.fields[member].record].spelling + "." +
             f_.fields[member].name;
    return "memory that is not persistent";
  }

  const RegisteredOutsideParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  SkippedCalls skipped_;
  IdSet kept_;  ///< variables of roots
  Found found_; ///< of the guard that is looked at
  IdMap<std::vector<Id>> constraints_, calls_; ///< by node
  IdSet read_, variablesRead_;                 ///< by handlers: cells, nodes
};

} // namespace

namespace nvmove {

void reportRegisteredOutside(RegisteredOutsideParts a) {
  RegistrationChecker(a).run();
}

} // namespace nvmove
