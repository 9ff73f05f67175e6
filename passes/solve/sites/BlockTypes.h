//===- BlockTypes.h - Records that allocated blocks surely are --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   copy->data = (struct entry *)malloc(size);
//   memcpy(copy->data, data, size);
//
// A cast may name any record. What a block is taken for at a restart, where
// pointers in it are translated and others set to null, its size says, or the
// members of the record by which the program uses it.
//
// Tested by: test/lit/solve/sites/BlockTypes-wrong_cast.c
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SITES_BLOCKTYPES_H
#define NVMOVE_PASSES_SOLVE_SITES_BLOCKTYPES_H

#include "passes/solve/flow/FieldFlow.h"
#include <set>

namespace nvmove {

class BlockTypes {
public:
  BlockTypes(const Program &program, const FieldFlow &flow)
      : p_(program), f_(program.facts), flow_(flow) {}

  /// The call that makes the block has a sizeof of the record, or its size as a
  /// constant; or a pointer by which members of the record are used may lead to
  /// the block. `site`: an index into Allocators::sites().
  bool holds(const Allocators::Site &at, size_t site, Id record);

private:
  bool sizeSays(const Allocators::Site &site, Id record) const;
  void findUses();

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  /// Sites, and records of which members, or all, are used there.
  std::optional<std::set<std::pair<Id, Id>>> used_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SITES_BLOCKTYPES_H
