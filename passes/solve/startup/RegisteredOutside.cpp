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
#include "passes/solve/startup/ChainPaths.h"
#include "passes/solve/startup/SkippedCalls.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

REPORTS(RegisteredOutside, RegistrationsOpen)

using namespace nvmove;

namespace {

using RegisteredOutsideParts =
    View<const Pool, const Types, const Roots, const Guards>;

constexpr size_t MostValues = 20000;

class RegistrationChecker {
public:
  explicit RegistrationChecker(const RegisteredOutsideParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), skipped_(c_),
        chains_(c_) {
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
    Id by = None; ///< which of those beside the load leads there
    bool isSure = false;
  };

  /// The address of such an object, where its function is come to so.
  struct Value {
    Id node = None, chain = None;
  };

  struct Found {
    std::set<std::pair<Id, Id>> values;
    std::vector<Value> nodes;  ///< in the order in which they are found
    IdSet objects;             ///< what they are copied from
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
    for (size_t i = 0; i < found_.nodes.size(); ++i)
      follow(found_.nodes[i]);
    const std::optional<Place> &lost = found_.lost;
    if (isFull() && !(lost && lost->isSure))
      a_.findings.report({FindingId::RegistrationsOpen, guarded.loc,
                          guarded.function,
                          "where " + f_.functions[beside].name +
                              "() puts an object that it has loaded was not "
                              "followed to the end: there are too many ways"});
    if (!lost || (found_.isKept && !lost->isSure))
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
         advice(beside, *lost)});
  }

  /// The rest is not followed.
  bool isFull() const { return found_.nodes.size() >= MostValues; }

  std::string advice(Id beside, const Place &lost) const {
    const std::string both =
        llvm::is_contained(c_.loop.mains, beside)
            ? "do both in a function of its own, and name that with --load"
            : "name that function as the load: --load " +
                  f_.functions[beside].name;
    if (lost.by == None)
      return both;
    std::string names;
    for (Id load : a_.load)
      names += f_.functions[load].name + ",";
    return "name what puts it there, too: --load " + names +
           f_.functions[lost.by].name + "; or " + both +
           "; or put it there again after nvm_restore()";
  }

  bool isBeside(Id function) const {
    return function != None && (skipped_.functions().contains(function) ||
                                found_.entered.contains(function));
  }

  /// A block of the heap whose address is in a local; no text, as of names of
  /// files. Of the pool, or one that holds a record of it.
  void start(Id value) {
    const Id to = value == None ? None : p_.pointee(f_.nodes[value].type);
    if (to == None || p_.kind(to) == TypeKind::Byte ||
        c_.flow.isVariable(value) ||
        !(a_.pool->holds(value) || holdsPersistent(to)))
      return;
    for (Id at = value; at != None; at = p_.copied(at))
      if (f_.nodes[at].kind != NodeKind::Global)
        add(at, None);
  }

  bool holdsPersistent(Id type) const {
    const Id record = p_.recordOf(type);
    return record != None && llvm::any_of(a_.types, [&](const auto &t) {
             return p_.contains(record, t.record);
           });
  }

  void add(Id node, Id chain) {
    if (node == None || isFull() || !found_.values.insert({node, chain}).second)
      return;
    found_.nodes.push_back({node, chain});
    found_.objects.insert(p_.origin(node));
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

  void follow(Value value) {
    const auto [node, chain] = value;
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
          add(c.dst, chain);
        break;
      case Flow::Store:
        store(c, chain);
        break;
      default:
        break;
      }
    }
    for (Id k : calls_.lookup(node))
      if (isBeside(f_.calls[k].function))
        for (Id callee : c_.flow.callees(k))
          enter(k, callee, value);
    const Id function = f_.nodes[node].function;
    if (function != None && f_.functions[function].result == node)
      for (Id k : p_.callersOf(function))
        if (isBeside(f_.calls[k].function) &&
            (chain == None || chains_.call(chain) == k))
          add(f_.calls[k].result, chains_.caller(chain));
  }

  /// Into a block that is made here: that is followed instead. Into a variable,
  /// as the calls say that lead here: is there a root for it? Else into what
  /// may be any object.
  void store(const Constraint &c, Id chain) {
    const ChainPaths::Place place = chains_.at(c.dst, chain);
    if (place.base != None && !place.isVariable) {
      if (found_.objects.contains(p_.origin(place.base)))
        return; // of itself
      if (isMade(place.base))
        return add(place.base, chain);
    }
    const bool isRead = read_.contains(c_.flow.cellBehind(c.dst, c.src));
    if (place.isVariable && isCovered(place)) {
      found_.isKept = true;
      return;
    }
    if (place.isVariable && isKnown(place)) {
      if ((isRead || variablesRead_.contains(place.base)) &&
          lasts(place.base) && !isOfLoad(chain) &&
          !(found_.lost && found_.lost->isSure))
        found_.lost = {chains_.nameOf(place), c.loc, c.function,
                       outermost(chain), true};
      return;
    }
    if (a_.pool->holds(c.dst) && !c_.flow.isVariable(c.dst))
      found_.isKept = true; // of another object that is
    else
      judge(variablesAt(c.dst), isRead, c);
  }

  /// What the load does itself is judged with it.
  bool isOfLoad(Id chain) const {
    for (; chain != None; chain = chains_.caller(chain))
      if (llvm::is_contained(a_.load, f_.calls[chains_.call(chain)].callee))
        return true;
    return false;
  }

  Id outermost(Id chain) const {
    Id by = None;
    for (; chain != None; chain = chains_.caller(chain))
      by = f_.calls[chains_.call(chain)].callee;
    return by;
  }

  /// By a call of an allocator.
  bool isMade(Id value) const {
    const Id call = c_.values.call(p_.origin(value));
    return call != None && c_.allocators.allocates(f_.calls[call]);
  }

  /// In the variable itself, or behind a pointer in it that is no copy of one
  /// to an object of the pool: tail = node.
  bool isKnown(const ChainPaths::Place &place) const {
    const Constraint *load = place.firstLoad();
    if (!load || !a_.pool->holds(load->dst))
      return true;
    const std::vector<Id> fields = place.fields();
    for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
      for (const StaticWrite &w : *writes)
        if (w.variable == place.base && w.path == fields && w.value != None &&
            a_.pool->holds(w.value))
          return false;
    return f_.nodes[place.base].kind == NodeKind::Global || !fields.empty();
  }

  bool isCovered(const ChainPaths::Place &place) const {
    auto begins = [](const std::vector<Id> &prefix,
                     const std::vector<Id> &fields) {
      return prefix.size() <= fields.size() &&
             std::equal(prefix.begin(), prefix.end(), fields.begin());
    };
    const std::vector<Id> fields = place.fields();
    const std::vector<Id> behind = place.fieldsBehind();
    return llvm::any_of(a_.roots, [&](const Root &r) {
      if (!r.kept() || r.variable != place.base || !begins(r.fields, fields))
        return false;
      return r.container == None || !place.firstLoad() ||
             llvm::any_of(r.containerFields, [&](const std::vector<Id> &way) {
               return begins(way, behind);
             });
    });
  }

  /// Also what each start runs besides: table_add().
  void enter(Id call, Id callee, Value value) {
    const Call &c = f_.calls[call];
    found_.entered.insert(callee);
    const std::vector<Id> &params = f_.functions[callee].params;
    for (size_t k = 0; k < c.args.size() && k < params.size(); ++k)
      if (c.args[k] == value.node)
        add(params[k], chains_.enter(value.chain, call));
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
    Id read = None;
    for (Id v : variables)
      if (variablesRead_.contains(v)) {
        read = v;
        found_.isKept |= kept_.contains(v);
      }
    const bool isLasting =
        variables.empty() ||
        llvm::any_of(variables, [&](Id v) { return lasts(v); });
    if ((read != None || isRead) && isLasting && !found_.lost)
      found_.lost = {read == None ? nameOf(c.dst) : p_.nameOf(read), c.loc,
                     c.function};
  }

  bool lasts(Id variable) const {
    return f_.nodes[variable].kind != NodeKind::Local ||
           c_.loop.frames.contains(f_.nodes[variable].function);
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
  ChainPaths chains_;
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
