//===- ValueGraph.h - Nodes and what they may hold --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solver loop: sets of locations flow along edges, each node admits what
// its type lets it hold, and watches say what is to happen with each location
// that comes to a node. Only what is new is passed on (difference propagation),
// nodes that hold the same by construction are one (value numbering as the
// functions are reached: Hardekopf and Lin, SAS 2007), and so are circles
// (NodeOrder.h). What a location is, and what a watch does, is for who
// implements Rules.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_VALUEGRAPH_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_VALUEGRAPH_H

#include "passes/solve/flow/SetFlow.h"
#include "passes/solve/pointsto/PointsToInput.h"
#include <map>
#include <tuple>

namespace nvmove {

/// What is to happen with each location that comes to a node.
struct Watch {
  enum class Use : uint8_t {
    Load,     ///< what it holds flows to the node `other`
    Store,    ///< the node `other` flows into it
    Member,   ///< its field `extra` goes to the node `other`
    Beside,   ///< the same, where it is a field of the same record
    CopyTo,   ///< the copying `other` writes it
    CopyFrom, ///< the copying `other` reads it
    Target,   ///< the call `other` calls it
    Fill,     ///< the call `other` fills it with bytes from outside
    Scatter,  ///< the call `other` fills what its members lead to
    Convert,  ///< the call `other` of the function `extra` converts it
    Spoil,    ///< the call `other` may put any pointer into it
    Await     ///< the call `other` is made
  } use;
  Id other;
  Id extra;
};

class ValueGraph : private SetFlow {
public:
  using Set = SetPool::Set;
  using Ref = SetFlow::Ref;
  /// Copyings of one node by where they copy from and to, and as what.
  using Copyings = std::map<std::tuple<Id, Id, Id>, Id>;

  /// What the graph leaves to others.
  class Rules {
  public:
    virtual ~Rules() = default;
    /// What of `what` a pointer to `record` may point to; a location may be
    /// replaced by another that stands for it.
    virtual Ref admitted(Id record, Ref what) = 0;
    virtual void apply(const Watch &w, Ref what) = 0;
    /// The node is read: if it is a static, what it held before is put there.
    virtual void prepare(Id node) = 0;
    /// Something flows into the node, which may be a static.
    virtual void written(Id node) = 0;
    /// The copying does what another in `first` does, so it need not be done.
    virtual bool isRepeated(Id copying, Copyings &first) = 0;
    /// Refs are no longer those they were.
    virtual void forget() = 0;
  };

  ValueGraph(const PointsToInput &input, Rules &rules);

  /// Neither a node of the text nor a copy of one. `record`: what is admitted,
  /// None: everything.
  Id newNode(Id record);
  /// One that holds nothing but marks.
  Id newMarks();
  /// A copy of a node of the text that admits what that does.
  Id copyOf(Id text);
  void setPlainNumber(Id node, bool isPlain) { plainNumber_[node] = isPlain; }
  bool isPlainNumber(Id node) const { return plainNumber_[node]; }
  /// What does not fit the type of the node is not there at all.
  void setStrict(Id node) { strict_.insert(node); }
  /// The node of the text that it is, or is a copy of; None for other nodes.
  Id textOf(Id node) const {
    const size_t nodes = in_.program.facts.nodes.size();
    return node < nodes                    ? node
           : node - nodes < copies_.size() ? copies_[node - nodes]
                                           : None;
  }
  const Node &nodeAt(Id node) const {
    return in_.program.facts.nodes[textOf(node)];
  }
  /// What of a location is no memory passes every type; `mistyped`: the mark of
  /// what has another type.
  void addMark(Id location) { marks_.set(location); }
  bool isMark(Id location) const { return marks_.test(location); }
  const Set &marks() const { return marks_; }
  void setMistyped(Id location) { mistyped_ = location; }

  /// The node that stands for `node`.
  using SetFlow::find;
  Ref refOf(Id node) const { return sets_[find(node)]; }
  const Set &setOf(Id node) const { return pool_[refOf(node)]; }
  /// Valid until the next step.
  const Set &operator[](Ref set) const { return pool_[set]; }
  uint32_t size(Ref set) const { return pool_.size(set); }
  Ref of(Set &&members) { return pool_.of(std::move(members)); }

  void add(Id node, Id location) { add(node, pool_.of(location)); }
  void add(Id node, Ref what);
  void edge(Id from, Id to);
  /// The node is looked at: what a static held before is put there.
  void read(Id node) { rules_.prepare(node); }
  void watch(Id node, Watch w);
  /// They hold the same, as is known beforehand.
  void unify(Id into, Id from);
  /// They admit the same.
  bool areAlike(Id a, Id b) const {
    return records_[a] == records_[b] && plainNumber_[a] == plainNumber_[b];
  }
  /// Calls see(to, record, what) for each edge along which some of `among`
  /// flows to a pointer to a record.
  void eachFlow(const Set &among,
                llvm::function_ref<void(Id to, Id record, Set what)> see);

  /// Passes on one thing that is new; false: there is nothing new.
  bool step();
  size_t edges() const { return edges_.size(); }
  unsigned iterations() const { return iterations_; }

private:
  void mergeWatches(Id into, Id from);
  void unifyWatchers();
  void unifyWatchersOf(Id node);

  const PointsToInput &in_;
  Rules &rules_;
  std::vector<llvm::SmallVector<Watch, 1>> watches_;
  std::vector<Id> records_; ///< by node: what it admits
  std::vector<bool> plainNumber_;
  IdSet strict_;
  std::vector<Id> copies_; ///< by node that is not of the text: copy of what
  Set marks_;
  Id mistyped_ = None;
  std::vector<std::pair<Id, Id>> fresh_; ///< edges that nothing has passed yet
  std::vector<Id> crowded_;              ///< nodes that have taken over watches
  unsigned iterations_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_VALUEGRAPH_H
