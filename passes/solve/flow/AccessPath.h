//===- AccessPath.h - Which place an address is of --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   &app.jobs[i].next      the address of app; .jobs, [i], .next
//   p->jobs                what p holds; .jobs, and a load
//
// A value as the text of the program spells it: a base, and the members,
// elements and loads from there. Only temporaries are followed, along what each
// is defined by; that cannot go in a circle, because an expression is made of
// smaller ones, so there is no bound. The form is that of Infer's access paths.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_ACCESSPATH_H
#define NVMOVE_PASSES_SOLVE_FLOW_ACCESSPATH_H

#include "passes/solve/program/FlowSet.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

struct AccessPath {
  /// Members and elements of one object, copied and cast.
  static constexpr FlowSet Place = Copies | Flow::Member | Flow::Index;
  static constexpr FlowSet Elements = Copies | Flow::Index;
  static constexpr FlowSet Members = Copies | Flow::Member;
  /// The same behind pointers that are read from memory.
  static constexpr FlowSet Loads = Place | Flow::Load;

  /// Of `value`, back along `steps` and to a variable whose address it is.
  AccessPath(const Program &program, Id value, FlowSet steps = Place);

  /// A variable, a function or a literal where `isAddress`; else the first
  /// value, the result of a call perhaps, that is not followed. None of None.
  Id base = None;
  bool isAddress = false;
  /// From the base on: Member, Index, Load and Arith; no copies and casts.
  llvm::SmallVector<const Constraint *, 4> steps;

  /// The variable whose memory the address leads into; None.
  Id variable() const { return isAddress ? base : None; }
  bool ends(Flow flow) const {
    return !steps.empty() && steps.back()->flow == flow;
  }
  /// They are spelled alike, and of one base.
  bool operator==(const AccessPath &other) const;
  /// The last member on the way; None.
  Id member() const;
  /// All of them, from the base on.
  std::vector<Id> members() const;
};

/// The member that `address` is the address of, by its own definition; None.
Id memberAt(const Program &program, Id address);
/// The member that `value`, copied and cast, is read from; None.
Id memberRead(const Program &program, Id value);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_ACCESSPATH_H
