//===- OtherWrites.cpp - Writes that no flow block has --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/OtherWrites.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Texts.h"

using namespace clang;
using namespace nvmove;

static void add(std::vector<FlowWrite> &writes, FlowWrite w) {
  size_t others = 0; // a table may have thousands
  for (const FlowWrite &other : writes)
    if (other.variable == w.variable && other.field == w.field) {
      if (other.how == FlowWrite::Anything ||
          (other.how == w.how && other.value == w.value))
        return;
      ++others;
    }
  if (others >= 32)
    w.how = FlowWrite::Anything;
  writes.push_back(w);
}

void nvmove::addOtherWrite(DefinitionFacts &out, const ValueDecl *place,
                           const Expr *value) {
  if (!place->getType()->isIntegralOrEnumerationType())
    return;
  auto [variable, field] = out.idOf(place);
  FlowWrite w{variable, field};
  if (auto known = value ? valueIn(out.ast(), place, value) : std::nullopt) {
    w.how = FlowWrite::Constant;
    w.value = *known;
  }
  add(out.definition().otherWrites, w);
}

void nvmove::addTextWrite(DefinitionFacts &out, const ValueDecl *place,
                          const Expr *text) {
  if (!isText(out.ast(), place->getType()) || isEmptyText(text))
    return;
  auto [variable, field] = out.idOf(place);
  add(out.definition().otherWrites, {variable, field});
}
