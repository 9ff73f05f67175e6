//===- BackwardSlice.h - What a value is computed from ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int limit = atoi(text);      limit: result of atoi()
//   resize(limit + 1);           n of resize(): limit, computed
//
// Backwards from values over the whole program, in no order of execution: one
// worklist for all rules that ask such a question. A policy is a class derived
// from it. It names the edges that it follows, and is asked at each value and
// at each edge whether to go on; what it looks for it collects itself:
//
//   struct ReadsClock : BackwardSlice {
//     ReadsClock(const Program &p, const DefinitionIndex &values)
//         : BackwardSlice(p, values, {.flows = Copies, .parameters = true}) {}
//     Step call(Id call) override { return isClock(call) ? Stop : Follow; }
//   };
//   bool reads = ReadsClock(p, values).run(value) == BackwardSlice::Stopped;
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_BACKWARDSLICE_H
#define NVMOVE_PASSES_SOLVE_FLOW_BACKWARDSLICE_H

#include "passes/facts/IdSet.h"
#include "passes/solve/program/DefinitionIndex.h"
#include "passes/solve/program/FlowSet.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

class BackwardSlice {
public:
  enum End : uint8_t {
    Whole,    ///< all that the values come from has been seen
    Stopped,  ///< by the policy
    TooLarge, ///< the rest is not known
  };
  /// A slice looks at each value once, so it ends. This keeps those of a very
  /// large program from taking all time and memory.
  static constexpr size_t MostValues = 1 << 20;

  virtual ~BackwardSlice() = default;
  End run(llvm::ArrayRef<Id> values);
  /// Of the last run: also values that were looked at and not followed.
  const IdSet &seen() const { return seen_[0]; }

protected:
  enum Step : uint8_t {
    Follow,
    Skip, ///< not this way
    Stop, ///< the slice has ended
  };
  struct Edges {
    FlowSet flows = {}; ///< from what a constraint defines to its source
    /// From what a call gives to what functions called by name return.
    bool results = false;
    /// From a parameter to what direct calls hand over for it.
    bool parameters = false;
    /// What is computed is another thing than its copy: see isComputed().
    bool computed = false;
  };
  BackwardSlice(const Program &program, const DefinitionIndex &values,
                Edges edges)
      : p_(program), f_(program.facts), values_(values), edges_(edges) {}

  /// At each value, once. Skip: it is not followed.
  virtual Step value(Id) { return Follow; }
  virtual Step definition(const Constraint &c) {
    return edges_.flows.contains(c.flow) ? Follow : Skip;
  }
  virtual Step call(Id) { return edges_.results ? Follow : Skip; }
  virtual Step parameter(Id) { return edges_.parameters ? Follow : Skip; }
  /// What that call hands over for a parameter; a call may have fewer.
  virtual Step argument(const Call &, size_t) { return Follow; }
  virtual llvm::ArrayRef<Id> callersOf(Id function) {
    return p_.callersOf(function);
  }

  /// What a policy finds beside the edges: what is stored in a member.
  void follow(Id value) { push(value, isComputed_); }
  /// The value asked about comes into one of the first by arithmetic.
  bool isComputed() const { return isComputed_; }

  const Program &p_;
  const Facts &f_;
  const DefinitionIndex &values_;

private:
  void push(Id value, bool isComputed) {
    if (value != None && seen_[isComputed].insert(value).second)
      work_.push_back({value, isComputed});
  }
  bool step(Id value);
  bool stepIntoCallers(Id param);

  const Edges edges_;
  IdSet seen_[2]; ///< copied; computed
  std::vector<std::pair<Id, bool>> work_;
  bool isComputed_ = false; ///< what is looked at
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_BACKWARDSLICE_H
