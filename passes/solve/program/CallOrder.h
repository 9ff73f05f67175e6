//===- CallOrder.h - Which of two calls comes first -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_CALLORDER_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_CALLORDER_H

#include "passes/solve/program/Program.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace nvmove {

/// In which order one run of a function may make its calls, over the basic
/// blocks. In a loop each of two calls may come first.
///
/// Blocks hold no call from which no path returns, and no variable that is
/// written: for these the order of the text stands, and a loop around both.
class CallOrder {
public:
  explicit CallOrder(const Program &program);

  /// Blocks say when it is made, not the text.
  bool isInBlock(Id call) const { return positions_[call].definition != None; }
  /// Some path through the function of both makes `first` and, later, `second`.
  bool mayPrecede(Id first, Id second) const;
  /// The same on a path that makes none of `between`; a call may precede
  /// itself.
  bool mayPrecede(Id first, Id second, const std::vector<Id> &between) const;
  /// On some path the function returns after it has made the call.
  bool mayReturnAfter(Id call) const;
  /// mayPrecede() of a place in the text and a call of its function.
  bool mayPrecede(Loc place, Id loop, Id call) const;
  bool mayFollow(Loc place, Id loop, Id call) const;

private:
  struct Position {
    Id definition = None;
    uint32_t block = 0, index = 0; ///< within the block
  };
  bool isInOneLoop(Id loop, Id other) const;
  bool mayPrecedeInText(const Call &first, const Call &second) const;
  const llvm::BitVector &behind(const Position &at) const;
  llvm::BitVector reachedFrom(const Position &at,
                              const std::vector<uint32_t> &closed) const;

  const Program &p_;
  std::vector<Position> positions_; ///< by call
  /// Blocks that control may go on to from the end of a block.
  mutable std::map<std::pair<Id, uint32_t>, llvm::BitVector> behind_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_CALLORDER_H
