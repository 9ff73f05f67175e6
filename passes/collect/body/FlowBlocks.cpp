//===- FlowBlocks.cpp - The flow graph of a function, as facts ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/FlowBlocks.h"
#include "passes/collect/scans/PointerUses.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

/// Some calls are not collected: of built-ins.
static uint32_t callsBefore(const DefinitionFacts &out, const FlowBlock &block,
                            size_t count) {
  return llvm::count_if(
      llvm::ArrayRef(block.calls).take_front(count),
      [&](const CallExpr *call) { return out.callOf(call) != None; });
}

void nvmove::addFlowBlocks(DefinitionFacts &out, const FunctionDecl *f) {
  Definition &d = out.definition();
  const auto &all = out.unit().deadEnds.blocks[f->getCanonicalDecl()];
  bool mayEnd = false;
  std::vector<uint32_t> position(all.size());
  uint32_t alive = 0;
  auto isKept = [&](size_t i) { return d.isNoReturn || !all[i].dead; };
  for (size_t i = 0; i < all.size(); ++i) {
    mayEnd |= all[i].dead || !all[i].writes.empty() || all[i].tested;
    if (!isKept(i))
      continue;
    position[i] = alive++;
    for (const CallExpr *call : all[i].calls)
      if (const FunctionDecl *callee = calledFunction(call))
        mayEnd |= !callee->getBuiltinID();
  }
  if (!mayEnd || !isKept(0))
    return;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!isKept(i))
      continue;
    const FlowBlock &from = all[i];
    Block &block = d.blocks.emplace_back();
    for (unsigned s : from.successors)
      if (isKept(s))
        block.successors.push_back(position[s]);
    for (const CallExpr *call : from.calls)
      if (Id id = out.callOf(call); id != None)
        block.calls.push_back(id - d.calls.begin);
    for (const FlowBlock::Write &w : from.writes) {
      auto [variable, field] = out.idOf(w.place);
      block.writes.push_back(
          {variable, field, w.how, w.value, callsBefore(out, from, w.calls)});
    }
    for (auto [store, calls] : from.stores)
      if (Id id = out.storeOf(store); id != None)
        block.stores.push_back(
            {id - d.stores.begin, callsBefore(out, from, calls)});
      else if (Id write = out.staticWriteOf(store); write != None)
        block.staticWrites.push_back(
            {write - d.staticWrites.begin, callsBefore(out, from, calls)});
    if (auto returned = from.returned ? constantOf(out.ast(), from.returned)
                                      : std::nullopt) {
      block.returnsConstant = true;
      block.returned = int64_t(*returned);
    }
    if (from.tested && isKept(from.whenZero)) {
      std::tie(block.tested, block.testedField) = out.idOf(from.tested);
      block.whenZero = position[from.whenZero];
    }
    if (from.testedCall && out.callOf(from.testedCall) != None &&
        isKept(from.whenZero)) {
      block.tested = out.resultOf(from.testedCall);
      block.whenZero = position[from.whenZero];
    }
  }
}

/// Calls that are not collected use nothing.
void nvmove::addPointerUses(DefinitionFacts &out, FunctionDecl *f) {
  for (const FoundPointerUse &found :
       findPointerUses(out.ast(), f, out.unit().deadEnds)) {
    PointerUse u;
    u.how = found.how;
    u.isTested = found.isTested;
    u.loc = out.map().loc(found.at);
    if (const auto *field = dyn_cast_or_null<FieldDecl>(found.place))
      u.field = out.entities().field(field);
    else if (found.place)
      u.param = out.variable(cast<VarDecl>(found.place));
    else
      u.result = out.resultOf(found.call);
    if (found.how == PointerUse::Handed) {
      Id call = out.callOf(found.to);
      if (call == None)
        continue;
      u.call = call - out.definition().calls.begin;
      u.arg = found.arg;
    }
    if (u.field != None || u.param != None || u.result != None)
      out.definition().pointerUses.push_back(std::move(u));
  }
  llvm::sort(out.definition().pointerUses,
             [](const PointerUse &a, const PointerUse &b) {
               auto key = [](const PointerUse &u) {
                 return std::tie(u.loc, u.how, u.call, u.arg, u.field, u.param,
                                 u.result, u.isTested);
               };
               return key(a) < key(b);
             });
}
