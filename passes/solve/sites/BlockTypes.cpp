//===- BlockTypes.cpp - Records that allocated blocks surely are ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sites/BlockTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

bool BlockTypes::holds(const Allocators::Site &at, size_t site, Id record) {
  if (sizeSays(at, record))
    return true;
  if (!used_)
    findUses();
  return used_->count({Id(site), record});
}

bool BlockTypes::sizeSays(const Allocators::Site &site, Id record) const {
  const Call &c = f_.calls[site.call];
  if (llvm::is_contained(c.sizeofRecords, record))
    return true;
  const uint64_t size = f_.records[record].size_bytes;
  return size && llvm::any_of(c.argValues, [&](const ArgValue &a) {
           return a.value == size;
         });
}

void BlockTypes::findUses() {
  used_.emplace();
  auto use = [&](Id pointer, Id record) {
    if (pointer == None || record == None)
      return;
    for (unsigned t : flow_.atNode(pointer))
      if (flow_.tokens()[t].kind == FieldFlow::Token::Site)
        used_->insert({flow_.tokens()[t].ref, record});
  };
  for (const Constraint &c : f_.constraints)
    if (c.flow == Flow::Member) {
      use(c.src, f_.fields[c.extra].record);
    } else if (c.flow == Flow::CopyMemory && c.extra != None) { // *p = *q
      use(c.dst, p_.recordOf(c.extra));
      use(c.src, p_.recordOf(c.extra));
    }
}
