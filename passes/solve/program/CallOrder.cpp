//===- CallOrder.cpp - Which of two calls comes first ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tested by: test/unit/solve/phases/ProgramPhasesTest.cpp

#include "passes/solve/program/CallOrder.h"

using namespace nvmove;

CallOrder::CallOrder(const Program &program)
    : p_(program), positions_(program.facts.calls.size()) {
  const std::vector<Definition> &all = p_.facts.definitions;
  for (Id d = 0; d < all.size(); ++d)
    for (uint32_t b = 0; b < all[d].blocks.size(); ++b)
      for (uint32_t i = 0; i < all[d].blocks[b].calls.size(); ++i)
        positions_[all[d].calls.begin + all[d].blocks[b].calls[i]] = {d, b, i};
}

const llvm::BitVector &CallOrder::behind(const Position &at) const {
  auto [known, fresh] = behind_.try_emplace({at.definition, at.block});
  if (fresh)
    known->second = reachedFrom(at, {});
  return known->second;
}

/// Blocks that control may go on to from the end of that one, through none of
/// `closed`.
llvm::BitVector
CallOrder::reachedFrom(const Position &at,
                       const std::vector<uint32_t> &closed) const {
  const Definition &d = p_.facts.definitions[at.definition];
  llvm::BitVector seen(d.blocks.size());
  auto goesOn = [&](const Block &b) {
    return llvm::none_of(b.calls, [&](uint32_t k) {
      Id callee = p_.facts.calls[d.calls.begin + k].callee;
      return callee != None && p_.isNoReturn(callee);
    });
  };
  for (std::vector<uint32_t> work{at.block}; !work.empty();) {
    const Block &b = d.blocks[work.back()];
    work.pop_back();
    if (!goesOn(b))
      continue;
    for (uint32_t s : b.successors)
      if (!seen.test(s) && !llvm::is_contained(closed, s)) {
        seen.set(s);
        work.push_back(s);
      }
  }
  return seen;
}

bool CallOrder::mayPrecede(Id first, Id second) const {
  const Position &a = positions_[first], &b = positions_[second];
  if (a.definition == None || a.definition != b.definition)
    return mayPrecedeInText(p_.facts.calls[first], p_.facts.calls[second]);
  return (a.block == b.block && a.index < b.index) || behind(a).test(b.block);
}

bool CallOrder::mayPrecede(Id first, Id second,
                           const std::vector<Id> &between) const {
  const Position &a = positions_[first], &b = positions_[second];
  if (a.definition == None || a.definition != b.definition)
    return mayPrecede(first, second);
  std::vector<uint32_t> closed;
  auto isClosed = [&](uint32_t block, uint32_t from, uint32_t to) {
    return llvm::any_of(between, [&](Id i) {
      const Position &at = positions_[i];
      return at.definition == a.definition && at.block == block &&
             from <= at.index && at.index < to;
    });
  };
  if (a.block == b.block && a.index < b.index)
    return !isClosed(a.block, a.index, b.index);
  if (isClosed(a.block, a.index, ~0u) || isClosed(b.block, 0, b.index))
    return false;
  for (Id i : between)
    if (positions_[i].definition == a.definition &&
        positions_[i].block != b.block)
      closed.push_back(positions_[i].block);
  return reachedFrom(a, closed).test(b.block);
}

bool CallOrder::mayReturnAfter(Id call) const {
  const Position &at = positions_[call];
  return at.definition == None ? !p_.isDeadEnd(call)
                               : at.block == 0 || behind(at).test(0);
}

bool CallOrder::mayPrecedeInText(const Call &first, const Call &second) const {
  return isInOneLoop(first.loop, second.loop) ||
         (!Program::exclude(first.arms, second.arms) &&
          (first.loc.file != second.loc.file || first.loc < second.loc));
}

bool CallOrder::mayPrecede(Loc place, Id loop, Id call) const {
  const Call &c = p_.facts.calls[call];
  return isInOneLoop(loop, c.loop) ||
         (place.file == c.loc.file && place < c.loc);
}

bool CallOrder::mayFollow(Loc place, Id loop, Id call) const {
  const Call &c = p_.facts.calls[call];
  return isInOneLoop(loop, c.loop) ||
         (place.file == c.loc.file && c.loc < place);
}

bool CallOrder::isInOneLoop(Id loop, Id other) const {
  return loop != None && other != None &&
         p_.outermost(loop) == p_.outermost(other);
}
