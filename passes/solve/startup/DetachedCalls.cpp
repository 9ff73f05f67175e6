//===- DetachedCalls.cpp - What nvm_detach() precedes on every way --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/startup/ExitTeardown-no_section.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/DetachOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

DetachedCalls::DetachedCalls(const SolveContext &context,
                             const InputLoops &loops, const IdSet &places,
                             const IdSet &written)
    : p_(context.program), f_(p_.facts), loops_(loops), places_(places),
      written_(written) {
  for (bool grown = true; grown;) {
    grown = false;
    for (Id fn = 0; fn < f_.functions.size(); ++fn) {
      std::vector<Id> in;
      for (Id i : p_.callsOf(fn))
        if (isPlace(i) && !p_.isInChild(i))
          in.push_back(i);
      const bool isWhole = isEnteredDetached(fn);
      if (in.empty() && !isWhole)
        continue;
      for (Id i : p_.callsOf(fn))
        if (!detached_.contains(i) &&
            (isWhole ? !loops_.repeats(i) : follows(i, in)))
          grown |= detached_.insert(i).second;
      if (!always_.contains(fn) && alwaysDetaches(fn))
        grown |= always_.insert(fn).second;
    }
  }
}

bool DetachedCalls::isBehind(Id call) const {
  const Id callee = f_.calls[call].callee;
  return written_.contains(call) ||
         (callee != None && always_.contains(callee));
}

/// Each call of it is one that is detached.
bool DetachedCalls::isEnteredDetached(Id function) const {
  const std::vector<Id> &callers = p_.callersOf(function);
  return !callers.empty() && !p_.isMain(function) &&
         !p_.isAddressTaken(f_.functions[function].node) &&
         llvm::all_of(callers, [&](Id i) { return detached_.contains(i); });
}

bool DetachedCalls::follows(Id call, const std::vector<Id> &places) const {
  if (p_.isInChild(call) || loops_.repeats(call, places))
    return false;
  const Call &c = f_.calls[call];
  for (const Definition *d : p_.definitionsOf(c.function))
    if (call >= d->calls.begin && call < d->calls.end && !d->blocks.empty() &&
        !p_.isDeadEnd(call))
      return followsInBlocks(*d, call);
  // Of the branch of an exit() the arms are known.
  return llvm::any_of(places, [&](Id i) {
    const Call &place = f_.calls[i];
    return place.loc.file == c.loc.file &&
           (place.loc < c.loc || (i == call && places_.contains(i))) &&
           Program::isAlongside(place.arms, c.arms);
  });
}

bool DetachedCalls::followsInBlocks(const Definition &d, Id call) const {
  const std::vector<bool> before = reachedBefore(d);
  for (size_t b = 0; b < d.blocks.size(); ++b)
    for (uint32_t k : d.blocks[b].calls) {
      const Id i = d.calls.begin + k;
      if (i == call)
        return !before[b] || places_.contains(i);
      if (before[b] && isPlace(i)) {
        // All that this block does from here on.
        if (llvm::is_contained(d.blocks[b].calls, call - d.calls.begin))
          return true;
        break;
      }
    }
  return false;
}

/// Blocks that control comes to without it.
std::vector<bool>
DetachedCalls::reachedBefore(const Definition &definition) const {
  const std::vector<Block> &blocks = definition.blocks;
  std::vector<bool> reached(blocks.size());
  std::vector<uint32_t> work{uint32_t(blocks.size() - 1)};
  while (!work.empty()) {
    const uint32_t number = work.back();
    work.pop_back();
    if (reached[number])
      continue;
    reached[number] = true;
    if (llvm::none_of(blocks[number].calls, [&](uint32_t k) {
          return isPlace(definition.calls.begin + k);
        }))
      llvm::append_range(work, blocks[number].successors);
  }
  return reached;
}

bool DetachedCalls::alwaysDetaches(Id function) const {
  const auto &definitions = p_.definitionsOf(function);
  return !definitions.empty() &&
         llvm::all_of(definitions, [&](const Definition *d) {
           return !d->blocks.empty() &&
                  (!reachedBefore(*d)[0] ||
                   llvm::any_of(d->blocks[0].calls, [&](uint32_t k) {
                     return isPlace(d->calls.begin + k);
                   }));
         });
}

std::vector<Section>
DetachedCalls::without(std::vector<Section> sections) const {
  llvm::erase_if(sections, [&](Section &s) {
    if (s.kind == Section::Kind::Dispatcher)
      return s.call != None && contains(s.call);
    if (s.kind != Section::Kind::Inner && s.kind != Section::Kind::User)
      return false;
    const bool isWritten = !s.calls.empty();
    llvm::erase_if(s.calls, [&](Id i) { return contains(i); });
    return isWritten && s.calls.empty();
  });
  return sections;
}
