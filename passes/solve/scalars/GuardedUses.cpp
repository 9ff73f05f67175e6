//===- GuardedUses.cpp - Where what is made once is taken for made --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/OnceGuards-relied_on.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/GuardedUses.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

static constexpr unsigned MaxMakingDepth = 6; ///< of calls

Id GuardedUses::relyingOnLoad(const std::set<StaticPlace> &places,
                              const IdSet &making) {
  making_ = making;
  always_.clear();
  for (const Definition &d : f_.definitions)
    if (c_.phases.handled.contains(d.function) &&
        !making.contains(d.function) && reliesOnCallers(d, places) &&
        !areCallersBehind(d.function, 0))
      return d.function;
  return None;
}

/// It uses one of them, and nothing in it has made them before.
bool GuardedUses::reliesOnCallers(const Definition &d,
                                  const std::set<StaticPlace> &places) {
  const std::vector<bool> without = reachedWithout(d, 0);
  for (size_t b = 0; b < d.blocks.size(); ++b) {
    if (!without[b])
      continue;
    bool isMade = false;
    for (uint32_t k : d.blocks[b].calls) {
      const Id call = d.calls.begin + k;
      if (!isMade && llvm::any_of(f_.calls[call].args, [&](Id a) {
            return a != None && isRead(a, places);
          }))
        return true;
      isMade |= isMaking(call, 0);
    }
    if (!isMade && isTested(d.blocks[b], places))
      return true;
  }
  // Of other reads it is not known in which block they are.
  return llvm::any_of(p_.constraintsOf(d.function), [&](Id i) {
    const Constraint &c = f_.constraints[i];
    return c.flow != Flow::AddressOf && c.flow != Flow::Index &&
           c.flow != Flow::Member && c.src != None && isRead(c.src, places) &&
           !isMadeEarlier(d, c.loc);
  });
}

/// By the order of the text.
bool GuardedUses::isMadeEarlier(const Definition &d, const Loc &loc) {
  return llvm::any_of(p_.callsOf(d.function), [&](Id k) {
    return f_.calls[k].loc < loc && isMaking(k, 0);
  });
}

bool GuardedUses::isRead(Id value, const std::set<StaticPlace> &places) const {
  auto isOf = [&](Id variable, const std::vector<Id> &path) {
    return llvm::any_of(places, [&](const StaticPlace &at) {
      return at.variable == variable &&
             std::equal(path.begin(),
                        path.begin() + std::min(path.size(), at.path.size()),
                        at.path.begin());
    });
  };
  if (f_.nodes[value].kind == NodeKind::Global)
    return isOf(value, {});
  const Program::Read from = p_.readFrom(value);
  if (from.variable != None)
    return f_.nodes[from.variable].kind == NodeKind::Global &&
           isOf(from.variable, {});
  const AccessPath path(p_, from.address == None ? value : from.address);
  return path.variable() != None && isOf(path.variable(), path.members());
}

bool GuardedUses::isTested(const Block &block,
                           const std::set<StaticPlace> &places) const {
  return llvm::any_of(places, [&](const StaticPlace &at) {
    return block.tested == at.variable &&
           block.testedField == (at.path.empty() ? None : at.path.back());
  });
}

bool GuardedUses::isMaking(Id call, unsigned depth) {
  const Id callee = f_.calls[call].callee;
  return callee != None && !load_.contains(callee) &&
         (making_.contains(callee) || alwaysMakes(callee, depth + 1));
}

/// On each way through it.
bool GuardedUses::alwaysMakes(Id function, unsigned depth) {
  if (depth > MaxMakingDepth || !f_.functions[function].hasBody)
    return false;
  if (auto [at, isNew] = always_.try_emplace(function, false); !isNew)
    return at->second;
  const auto &definitions = p_.definitionsOf(function);
  const bool always =
      definitions.size() == 1 && !definitions.front()->blocks.empty() &&
      (!reachedWithout(*definitions.front(), depth)[0] ||
       llvm::any_of(definitions.front()->blocks[0].calls, [&](uint32_t k) {
         return isMaking(definitions.front()->calls.begin + k, depth);
       }));
  always_[function] = always;
  return always;
}

/// Blocks that control comes to before anything has made them. The last block
/// is the entry, the first one the end.
std::vector<bool> GuardedUses::reachedWithout(const Definition &d,
                                              unsigned depth) {
  std::vector<bool> reached(d.blocks.size());
  if (d.blocks.empty())
    return reached;
  std::vector<uint32_t> work{uint32_t(d.blocks.size() - 1)};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    if (reached[b])
      continue;
    reached[b] = true;
    if (llvm::none_of(d.blocks[b].calls, [&](uint32_t k) {
          return isMaking(d.calls.begin + k, depth);
        }))
      llvm::append_range(work, d.blocks[b].successors);
  }
  return reached;
}

/// Control comes to the call only where something in its function made them.
bool GuardedUses::isBehind(const Definition &d, Id call) {
  if (d.blocks.empty())
    return isMadeEarlier(d, f_.calls[call].loc);
  const std::vector<bool> without = reachedWithout(d, 0);
  for (size_t b = 0; b < d.blocks.size(); ++b)
    for (uint32_t k : d.blocks[b].calls) {
      if (d.calls.begin + k == call)
        return !without[b];
      if (isMaking(d.calls.begin + k, 0) &&
          llvm::is_contained(d.blocks[b].calls, call - d.calls.begin))
        return true;
    }
  return false;
}

bool GuardedUses::areCallersBehind(Id function, unsigned depth) {
  auto at = callers_.find(function);
  if (depth > MaxMakingDepth || at == callers_.end())
    return false;
  return llvm::all_of(at->second, [&](Id call) {
    const Call &c = f_.calls[call];
    if (c.function == None || making_.contains(c.function))
      return true;
    // Start-up and the load do not count.
    if (!c_.phases.isHandled(c.function, c.loop))
      return true;
    const auto &definitions = p_.definitionsOf(c.function);
    return llvm::any_of(
               definitions,
               [&](const Definition *d) { return isBehind(*d, call); }) ||
           (c_.phases.handled.contains(c.function) &&
            areCallersBehind(c.function, depth + 1));
  });
}
