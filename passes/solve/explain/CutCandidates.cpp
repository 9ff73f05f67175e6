//===- CutCandidates.cpp - What would not be persistent without one call --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/program/Dominators.h"
#include "passes/solve/roots/RootFinder.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/types/Records.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace nvmove;

namespace {

using CutCandidatesParts = View<const Types, const Roots, Cuts>;

/// The calls of the load phase as nodes between the functions: a call that
/// dominates the function of a proof is one that the verdict may hang on.
class CutFinder {
public:
  CutFinder(const SolveContext &c, const PointsTo::Options &phase,
            const CutCandidatesParts &found)
      : c_(c), f_(c.program.facts), phase_(phase), out_(found) {
    for (const PersistentType &t : found.types)
      all_.insert(t.record);
  }

  void run() {
    buildGraph();
    Dominators dominators(successors_);
    findCandidates(dominators);
    // Those first on which most types may hang. What stands above another on
    // all paths comes before it.
    std::vector<Id> order;
    for (Id node : dominators.order())
      if (candidates_.contains(node)) {
        order.push_back(node);
        below_[callAbove(node, dominators)].push_back(node);
      }
    llvm::stable_sort(
        order, [&](Id a, Id b) { return candidates_[a] > candidates_[b]; });
    for (Id node : order)
      consider(node, dominators);
    keepOutermost(dominators);
    rank();
  }

private:
  static constexpr size_t shown = 5; ///< of those that are not tried

  struct Gone {
    std::set<Id> records;
    std::set<std::string> roots;
    bool operator==(const Gone &) const = default;
  };

  Id nodeOf(std::map<Id, Id> &nodes, Id id, bool isCall) {
    auto [at, fresh] = nodes.try_emplace(id, Id(successors_.size()));
    if (fresh) {
      successors_.emplace_back();
      callOf_.push_back(isCall ? id : None);
    }
    return at->second;
  }

  void buildGraph() {
    successors_.emplace_back();
    callOf_.push_back(None);
    for (Id fn : out_.load) {
      Id to = nodeOf(functions_, fn, false);
      successors_[0].push_back(to);
    }
    std::map<Id, Id> calls;
    for (auto [call, callee] : c_.pointsTo.followed()) {
      Id caller = f_.calls[call].function;
      if (caller == None)
        continue;
      Id from = nodeOf(functions_, caller, false);
      Id at = nodeOf(calls, call, true);
      Id to = nodeOf(functions_, callee, false);
      successors_[from].push_back(at);
      successors_[at].push_back(to);
    }
  }

  void findCandidates(const Dominators &dominators) {
    for (const PersistentType &t : out_.types) {
      IdSet above;
      auto add = [&](Id function) {
        auto at = functions_.find(function);
        if (at == functions_.end())
          return;
        for (Id n = at->second; n != None; n = dominators.immediate(n))
          if (callOf_[n] != None)
            above.insert(n);
      };
      add(t.witness.function);
      for (const Hop &hop : t.witness.chain)
        if (hop.duringLoad)
          add(hop.function);
      for (Id n : above)
        ++candidates_[n];
    }
  }

  /// Fewer calls never make more persistent, so below a call that changes
  /// nothing there is nothing to find.
  void consider(Id node, const Dominators &dominators) {
    Id above = callAbove(node, dominators);
    if (above != None && gone_.count(above) && gone_[above].records.empty()) {
      gone_[node] = {};
      return;
    }
    if (out_.cuts.tried == most()) {
      ++out_.cuts.notTried;
      if (out_.cuts.toTry.size() < shown &&
          (above == None || candidates_[above] > candidates_[node]))
        out_.cuts.toTry.push_back({callOf_[node], candidates_[node]});
      return;
    }
    ++out_.cuts.tried;
    c_.options.showProgress("trying what verdicts depend on", out_.cuts.tried,
                            std::min<size_t>(most(), candidates_.size()));
    if (gone_.count(node))
      return;
    gone_[node] = goneWithout({node});
    considerTogether(below_[node], gone_[node].records.size());
  }

  /// If nothing is gone without all of the calls, nothing is without one. That
  /// is tried where few types hang on them, and where each would be tried.
  void considerTogether(llvm::ArrayRef<Id> nodes, size_t goneAbove) {
    size_t types = 0;
    for (Id node : nodes)
      types += candidates_[node];
    if (nodes.size() < 2 || types > goneAbove || candidates_.size() > most())
      return;
    if (goneWithout(nodes).records.empty())
      for (Id node : nodes)
        gone_[node] = {};
  }

  /// The next call on the way that all paths to the node take; None.
  Id callAbove(Id node, const Dominators &dominators) const {
    Id above = dominators.immediate(node);
    while (above != None && callOf_[above] == None)
      above = dominators.immediate(above);
    return above;
  }

  /// So many that trying them takes seconds also where solving once does.
  uint32_t most() const {
    constexpr uint32_t Steps = 1'000'000;
    return std::min(c_.options.maxCuts,
                    Steps / std::max(1u, c_.pointsTo.iterations()));
  }

  Gone goneWithout(llvm::ArrayRef<Id> nodes) const {
    PointsTo::Options phase = phase_;
    for (Id node : nodes)
      phase.cutCalls.insert(callOf_[node]);
    PointsTo pointsTo(c_.program, c_.allocators, c_.flow, c_.nullness,
                      c_.pointers, std::move(phase));
    pointsTo.run();
    FilledMembers members(c_.program, c_.flow, pointsTo);
    SolveContext context{c_, pointsTo, members};
    LoadedState state(context);
    IdSet left = persistentRecords(context, state);
    Gone gone;
    for (Id r : all_)
      if (!left.contains(r))
        gone.records.insert(r);
    if (gone.records.empty())
      return gone; // such a call is not reported
    std::vector<PersistentType> types;
    llvm::copy_if(
        out_.types, std::back_inserter(types),
        [&](const PersistentType &t) { return left.contains(t.record); });
    std::vector<Twin> twins;
    IdSet heads;
    FindingList findings;
    const std::vector<Root> roots =
        RootFinder(context, state, {}, {types, twins, heads, findings}).run();
    for (const Root &root : out_.roots)
      if (llvm::none_of(roots,
                        [&](const Root &r) { return r.path == root.path; }))
        gone.roots.insert(root.path);
    return gone;
  }

  /// Of calls on one path that the same verdicts hang on, the first: where the
  /// program turns to what only these need.
  void keepOutermost(const Dominators &dominators) {
    std::set<Id> implied;
    for (auto &[node, gone] : gone_)
      for (Id n = dominators.immediate(node); n != None;
           n = dominators.immediate(n))
        if (auto at = gone_.find(n); at != gone_.end() && at->second == gone)
          implied.insert(node);
    for (auto &[node, gone] : gone_) {
      if (gone.records.empty() || implied.count(node))
        continue;
      Cut cut{callOf_[node],
              {gone.records.begin(), gone.records.end()},
              {gone.roots.begin(), gone.roots.end()}};
      for (const PersistentType &t : out_.types)
        cut.losesFileData |= t.carriesFileData && gone.records.count(t.record);
      out_.cuts.list.push_back(std::move(cut));
    }
  }

  /// First those that lose nothing of what the file holds, then those that
  /// take more types and fewer roots with them.
  void rank() {
    for (Cut &cut : out_.cuts.list)
      llvm::sort(cut.records, [&](Id a, Id b) {
        return f_.records[a].name < f_.records[b].name;
      });
    llvm::sort(out_.cuts.list, [&](const Cut &a, const Cut &b) {
      return std::tuple(a.losesFileData, -int64_t(a.records.size()),
                        a.roots.size(), f_.calls[a.call].loc) <
             std::tuple(b.losesFileData, -int64_t(b.records.size()),
                        b.roots.size(), f_.calls[b.call].loc);
    });
  }

  const SolveContext &c_;
  const Facts &f_;
  const PointsTo::Options &phase_;
  CutCandidatesParts out_;
  std::set<Id> all_; ///< persistent records
  std::vector<std::vector<Id>> successors_;
  std::vector<Id> callOf_; ///< node -> call; None for a function
  std::map<Id, Id> functions_;
  /// Node -> types of which some proof stands below it, and perhaps others.
  std::map<Id, uint32_t> candidates_;
  std::map<Id, std::vector<Id>> below_; ///< candidates by callAbove()
  std::map<Id, Gone> gone_;             ///< by node
};

} // namespace

namespace nvmove {

void findCuts(CutCandidatesParts a) {
  a.context.options.showProgress("trying what verdicts depend on");
  if (a.context.options.maxCuts)
    CutFinder(a.context, a.phase, a).run();
}

} // namespace nvmove
