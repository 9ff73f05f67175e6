//===- SectionChanges.cpp - What comes first in a function ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/sections/CutHandlers-answer_first.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/SectionChanges.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace nvmove;

SectionChanges::SectionChanges(const ChangeSources &found)
    : c_(found.context), p_(c_.program), f_(p_.facts),
      changesIn_(f_.functions.size()), surelyIn_(f_.functions.size()) {
  find(found);
  findBelow();
}

/// How many bytes an allocator has given out is nothing that anybody would ask
/// for.
void SectionChanges::find(const ChangeSources &found) {
  auto counts = [&](Id function) {
    return c_.allocators.isWrapper(function) &&
           !c_.allocators.isLinking(function);
  };
  std::set<std::pair<Id, std::vector<Id>>> counted;
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function != None && counts(w.function))
      counted.insert({w.variable, w.path});
  for (const Change &change : changesOf(found)) {
    if (change.store != None) {
      stores_.insert(change.store);
    } else if (change.call != None) {
      const LibraryFunction *l = p_.library(f_.calls[change.call]);
      if (!l || l->kind == LibraryFunction::Allocate ||
          l->kind == LibraryFunction::Free)
        continue;
      calls_.insert(change.call);
    } else {
      const StaticWrite &w = f_.staticWrites[change.write];
      if (counted.count({w.variable, w.path}))
        continue;
      writes_.insert(change.write);
    }
    auto [own, isNew] = own_.try_emplace(change.function, change);
    if (!isNew && own->second.write == None && change.write != None)
      own->second = change;
  }
}

void SectionChanges::findBelow() {
  std::vector<Id> changing;
  for (const auto &[function, change] : own_)
    changing.push_back(function);
  // Whether it holds of a function depends on those that it calls.
  const CallGraph graph(p_, c_.flow);
  auto spread = [&](std::vector<bool> &in, auto holds) {
    graph.reachedBy(changing, {.deadEnds = false, .enters = [&](Id fn) {
                                 in[fn] = holds(fn);
                                 return bool(in[fn]);
                               }});
  };
  spread(surelyIn_, [&](Id fn) { return surelyChanges(fn); });
  spread(changesIn_, [](Id) { return true; });
}

bool SectionChanges::surelyChanges(Id function) const {
  auto isHanded = [&](Id store) {
    return llvm::is_contained(f_.functions[function].params,
                              AccessPath(p_, f_.stores[store].address).base);
  };
  return surely(function, [&](const Definition &d, const Block &b) {
    return llvm::any_of(b.stores,
                        [&](const BlockStore &s) {
                          const Id store = d.stores.begin + s.store;
                          return isStore(store) && isHanded(store);
                        }) ||
           llvm::any_of(b.staticWrites,
                        [&](const BlockStore &s) {
                          return isWrite(d.staticWrites.begin + s.store);
                        }) ||
           llvm::any_of(b.calls, [&](uint32_t k) {
             return leadsToSureChange(d.calls.begin + k);
           });
  });
}

bool SectionChanges::leadsToSureChange(Id call) const {
  const auto &callees = c_.flow.callees(call);
  return !callees.empty() &&
         llvm::all_of(callees, [&](Id fn) { return surelyIn_[fn]; });
}
