//===- UnknownOrigins.h - Which pointers come from nowhere known ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FieldFlow says which of the program's blocks an address may lie in. An
// address that comes from elsewhere (a library's result, a number, a callback's
// argument) lies in none of them as far as it knows, which proves nothing.
// This is the other half: where every value has an origin that is known.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_UNKNOWNORIGINS_H
#define NVMOVE_PASSES_SOLVE_FLOW_UNKNOWNORIGINS_H

#include "passes/solve/flow/FieldFlow.h"

namespace nvmove {

class UnknownOrigins {
public:
  UnknownOrigins(const Program &program, const Allocators &allocators,
                 const FieldFlow &flow);

  /// Where an address that is not known may come from, as the end of a
  /// sentence; "" when all its origins are known.
  std::string unknownOrigin(Id node) const;

private:
  enum : uint8_t { Known = 1, Foreign = 2 };

  void origins();
  void callbacks();
  void edges();
  void numbers();
  void edge(Id from, Id to);
  void give(Id node, uint8_t bits, Id source = None);
  void spread();
  bool isTypedPointer(Id node) const;

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  std::vector<uint8_t> bits_;
  std::vector<Id> source_; ///< node of the foreign value, for messages
  std::vector<llvm::SmallVector<Id, 2>> out_;
  std::vector<Id> open_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_UNKNOWNORIGINS_H
