//===- PreLoadAliases.cpp - Static pointers to what a root leads to, too --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   standard = find_or_make("default");   load();   .. standard->jobs ..
//
// Start-up finds an object in a list that the load fills, or puts it there. The
// list comes back, so the pointer that was set before must come back with it.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace nvmove;

namespace {

using PreLoadAliasesParts = View<const MarkedTypes, ServedStatics>;

class PreLoadAliases {
public:
  explicit PreLoadAliases(const PreLoadAliasesParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), values_(a.context.values),
        parts_(p_, a.types), restored_(a.statics.restored()) {
    for (const Root &r : restored_.roots())
      if (r.kept() && r.container == None &&
          p_.isPointer(p_.element(r.slotType)))
        (r.fields.empty() ? rootVariables_ : rootFields_)
            .insert(r.fields.empty() ? r.variable
                                     : f_.fields[r.fields.back()].cell);
  }

  void run() {
    if (!c_.loop.loadsAtStart || restored_.roots().empty())
      return;
    std::vector<const StaticWrite *> found;
    std::set<std::string> again; // set at each start, after the load
    for (const StaticWrite &w : f_.staticWrites) {
      if (!isCandidate(w))
        continue;
      if (c_.phases.isAfterLoad(w))
        again.insert(p_.nameOf(w.variable, w.path));
      else if (Found search(*this, w);
               c_.phases.isBeforeLoad(w) &&
               (search.run(w.value) == BackwardSlice::Stopped ||
                isPutIntoRoot(w, search.seen())))
        found.push_back(&w);
    }
    for (const StaticWrite *w : found)
      if (!again.count(p_.nameOf(w->variable, w->path)) && !restored_.holds(*w))
        add(*w);
  }

private:
  bool isCandidate(const StaticWrite &w) const {
    const Node &n = f_.nodes[w.variable];
    Id type = p_.typeOf(w.variable, w.path),
       record = type == None ? None : p_.pointeeRecord(type);
    return w.function != None && w.value != None && w.isScalar && n.isDefined &&
           !n.isConst && !n.isFunctionScope && !n.isThreadLocal &&
           p_.kind(n.type) != TypeKind::Array && record != None &&
           parts_.contains(record) &&
           !c_.pointsTo.reached().contains(w.function);
  }

  /// It is read from a root, or from a record that may hang from one.
  class Found : public BackwardSlice {
  public:
    Found(const PreLoadAliases &of, const StaticWrite &w)
        : BackwardSlice(of.p_, of.values_, {.flows = Copies, .results = true}),
          of_(of), record_(p_.pointeeRecord(p_.typeOf(w.variable, w.path))) {}

  private:
    Step value(Id n) override {
      if (p_.pointeeRecord(f_.nodes[n].type) != record_)
        return Skip;
      if (f_.nodes[n].kind != NodeKind::Global)
        return Follow;
      return of_.rootVariables_.contains(n) ? Stop : Skip;
    }
    Step definition(const Constraint &c) override {
      return c.flow == Flow::Load && of_.isInRoot(c.src)
                 ? Stop
                 : BackwardSlice::definition(c);
    }

    const PreLoadAliases &of_;
    const Id record_;
  };

  /// t = make(); .. tubes = t: what is new goes into a root, too, by what
  /// start-up runs.
  bool isPutIntoRoot(const StaticWrite &w, const IdSet &values) {
    if (uses_.empty())
      collectUses();
    std::vector<Id> work(values.begin(), values.end());
    IdSet seen = values;
    if (w.path.empty() && seen.insert(w.variable).second)
      work.push_back(w.variable);
    while (!work.empty()) {
      auto at = uses_.find(work.back());
      work.pop_back();
      if (at == uses_.end())
        continue;
      for (auto [to, isAddress] : at->second)
        if (isAddress ? isSlotOfRoot(to) : rootVariables_.contains(to))
          return true;
        else if (!isAddress && f_.nodes[to].kind != NodeKind::Global &&
                 seen.insert(to).second)
          work.push_back(to);
    }
    return false;
  }

  void collectUses() {
    IdSet functions = c_.phases.beforeLoad;
    functions.insert(c_.loop.startUp.begin(), c_.loop.startUp.end());
    for (Id fn : functions) {
      for (Id i : p_.constraintsOf(fn))
        if (const Constraint &c = f_.constraints[i]; c.flow == Flow::Copy ||
                                                     c.flow == Flow::Cast ||
                                                     c.flow == Flow::Store)
          uses_[c.src].push_back({c.dst, c.flow == Flow::Store});
      for (Id k : p_.callsOf(fn))
        if (const Call &c = f_.calls[k];
            c.callee != None && c_.phases.beforeLoad.contains(c.callee)) {
          const std::vector<Id> &params = f_.functions[c.callee].params;
          for (size_t i = 0; i < params.size() && i < c.args.size(); ++i)
            uses_[c.args[i]].push_back({params[i], false});
        }
    }
    uses_[None];
  }

  bool isSlotOfRoot(Id address) const {
    const AccessPath path(p_, address, Flow::Member);
    return path.isAddress && path.steps.size() == 1 &&
           rootFields_.contains(f_.fields[path.member()].cell);
  }

  bool isInRoot(Id address) const {
    const AccessPath path(p_, address, AccessPath::Place);
    const Id member = path.member();
    if (member == None)
      return (path.isAddress || f_.nodes[path.base].kind == NodeKind::Global) &&
             rootVariables_.contains(path.base);
    return rootFields_.contains(f_.fields[member].cell) ||
           parts_.contains(f_.fields[member].record);
  }

  void add(const StaticWrite &w) {
    Root r;
    r.path = p_.nameOf(w.variable, w.path);
    r.variable = w.variable;
    r.fields = w.path;
    r.slotType = w.path.empty() ? f_.nodes[w.variable].type
                                : f_.fields[w.path.back()].type;
    r.witness.function = w.function;
    r.witness.site = w.loc;
    r.witness.action = "gets before the load what " + r.path + " leads to";
    r.witness.chain = {
        {r.path, "what another root points to", w.function, w.loc, false}};
    restored_.add(std::move(r));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const DefinitionIndex &values_;
  const PersistentParts parts_;
  RestoredSet &restored_;
  IdSet rootVariables_, rootFields_; ///< nodes; cells
  /// By node, in what start-up runs: where it is copied, and whether that is an
  /// address that it is put behind.
  IdMap<std::vector<std::pair<Id, bool>>> uses_;
};

} // namespace

namespace nvmove {

void findPreLoadAliases(PreLoadAliasesParts a) { PreLoadAliases(a).run(); }

} // namespace nvmove
