//===- MemberDisambiguation.h - Which of two members does the load fill? ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct { struct list conns, links; } app;
//
// The content of two members of one type is one to points-to. They are told
// apart by what the load runs: what never takes the address of app.conns, but
// to take elements out, does not fill it.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_MEMBERDISAMBIGUATION_H
#define NVMOVE_PASSES_SOLVE_STATE_MEMBERDISAMBIGUATION_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/ContainerInsertions.h"

namespace nvmove {

class PointsTo;

class MemberDisambiguation {
public:
  /// With `numbers`, those count that are filled with numbers alone, too.
  MemberDisambiguation(const Program &program, const FieldFlow &flow,
                       const PointsTo &pointsTo, bool numbers)
      : p_(program), pt_(pointsTo), fillers_(program, flow, numbers) {}

  using Paths = std::vector<std::vector<Id>>;
  struct Ways {
    Paths filled; ///< where the load may put something; at least one
    Paths others;
  };
  /// The ways from a record to a field of one within it. Where the load names
  /// none of them, all may be filled.
  Ways waysTo(Id record, Id field);
  /// What is said of one of the others, `head`, beside a root.
  static std::string notKept(const std::string &head, const std::string &root);

private:
  const IdSet &named();

  const Program &p_;
  const PointsTo &pt_;
  ContainerInsertions fillers_;
  IdSet named_; ///< fields, and None, once it was asked
};

/// Shared by all that ask: what counts is what is filled with pointers, or what
/// is filled with numbers, too.
struct FilledMembers {
  FilledMembers(const Program &program, const FieldFlow &flow,
                const PointsTo &pointsTo)
      : pointers(program, flow, pointsTo, /*numbers=*/false),
        numbers(program, flow, pointsTo, /*numbers=*/true) {}
  MemberDisambiguation pointers, numbers;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_MEMBERDISAMBIGUATION_H
