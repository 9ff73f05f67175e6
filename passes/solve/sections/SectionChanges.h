//===- SectionChanges.h - What comes first in a function --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONCHANGES_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONCHANGES_H

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/BlockDataflow.h"
#include "passes/solve/sections/Changes.h"

namespace nvmove {

/// The changes of changesOf() by where the blocks of functions have them, and
/// which functions make some.
class SectionChanges {
public:
  explicit SectionChanges(const ChangeSources &found);

  /// Calls by which something changes: not those that allocate or free, since
  /// what is allocated may never be anywhere.
  bool isCall(Id call) const { return calls_.contains(call); }
  bool isStore(Id store) const { return stores_.contains(store); }
  bool isWrite(Id write) const { return writes_.contains(write); }

  /// The function changes something, by itself or by what it calls.
  bool mayChange(Id function) const { return changesIn_[function]; }
  /// One that it makes itself, by name if it can be; nullptr: none.
  const Change *ownOf(Id function) const {
    auto at = own_.find(function);
    return at == own_.end() ? nullptr : &at->second;
  }
  bool mayBeChange(Id call) const {
    return isCall(call) || llvm::any_of(c_.flow.callees(call),
                                        [&](Id fn) { return mayChange(fn); });
  }
  /// On each way through all that the call may lead to something changes: a
  /// static, or what it is handed. What it has made may never be anywhere.
  bool isSureChange(Id call) const {
    return isCall(call) || leadsToSureChange(call);
  }

  /// On each way through the function such a block is met.
  template <class Holds> bool surely(Id function, Holds holds) const {
    return llvm::any_of(p_.definitionsOf(function), [&](const Definition *d) {
      if (d->blocks.empty())
        return false;
      enum : uint8_t { Unreached, Silent };
      auto at = throughBlocks<uint8_t>(
          *d, Silent, [](uint8_t a, uint8_t b) { return std::max(a, b); },
          [&](const Block &b, uint8_t state, auto goOn) {
            if (holds(*d, b))
              return;
            for (uint32_t to : b.successors)
              goOn(to, state);
          });
      return at.front() == Unreached;
    });
  }

private:
  void find(const ChangeSources &found);
  void findBelow();
  bool surelyChanges(Id function) const;
  bool leadsToSureChange(Id call) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  IdSet stores_, calls_, writes_;
  IdMap<Change> own_;                      ///< by function
  std::vector<bool> changesIn_, surelyIn_; ///< by function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONCHANGES_H
