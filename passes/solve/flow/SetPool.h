//===- SetPool.h - Equal sets stand once ------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points-to sets are many and few of them differ, so each is kept once and
// named by a number, and what has been united or subtracted before is looked up
// (Barbar and Sui, Hash Consed Points-To Sets, SAS 2021).
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_SETPOOL_H
#define NVMOVE_PASSES_SOLVE_FLOW_SETPOOL_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SparseBitVector.h"
#include <deque>

namespace nvmove {

class SetPool {
public:
  using Set = llvm::SparseBitVector<>;
  enum class Ref : uint32_t { Empty = 0 };

  SetPool();
  /// Valid until the next sweep().
  const Set &operator[](Ref set) const { return entry(set).members; }
  uint32_t size(Ref set) const { return entry(set).size; }
  Ref of(Id member);
  Ref of(Set &&members);
  Ref unite(Ref a, Ref b); ///< fastest when `b` is the smaller
  Ref subtract(Ref from, Ref what);

  /// So much has come up that it is worth forgetting what nobody names.
  bool isDue() const {
    return (live_ > 100'000 && live_ > 2 * kept_) ||
           (size_ > 30'000'000 && size_ > 2 * keptSize_);
  }
  /// Forgets all sets but those that `each` hands over.
  void sweep(llvm::function_ref<void(llvm::function_ref<void(Ref)>)> each);

private:
  struct Entry {
    Set members;
    uint64_t hash = 0;
    uint32_t size = 0;
    Ref next = Ref::Empty; ///< another one with this hash, or a free one
  };
  using Known = llvm::DenseMap<std::pair<Ref, Ref>, Ref>;
  const Entry &entry(Ref r) const { return sets_[size_t(r)]; }
  Entry &entry(Ref r) { return sets_[size_t(r)]; }
  Ref add(Set &&members, uint64_t hash, uint32_t size);
  static void remember(Known &known, std::pair<Ref, Ref> operands, Ref result);

  std::deque<Entry> sets_;
  llvm::DenseMap<uint64_t, Ref> byHash_;
  Known united_, subtracted_;
  Ref free_ = Ref::Empty;
  size_t live_ = 0, kept_ = 0;     ///< sets
  size_t size_ = 0, keptSize_ = 0; ///< members of all
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_SETPOOL_H
