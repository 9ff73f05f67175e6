//===- SetPool.cpp - Equal sets stand once --------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/SetPool.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <vector>

using namespace nvmove;

/// The hash of a set is the sum of its members', so that of a union needs only
/// what is new in it. DenseMap keeps the two largest keys for itself.
static std::pair<uint64_t, uint32_t> hashOf(const SetPool::Set &members) {
  uint64_t hash = 0;
  uint32_t size = 0;
  for (unsigned m : members) {
    ++size;
    hash += llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(&m), sizeof(m)));
  }
  return {hash, size};
}

SetPool::SetPool() { sets_.emplace_back(); }

SetPool::Ref SetPool::add(Set &&members, uint64_t hash, uint32_t size) {
  auto [first, fresh] = byHash_.try_emplace(hash >> 1, Ref::Empty);
  for (Ref r = first->second; r != Ref::Empty; r = entry(r).next)
    if (entry(r).hash == hash && entry(r).members == members)
      return r;
  Ref r = free_;
  if (r == Ref::Empty) {
    r = Ref(sets_.size());
    sets_.emplace_back();
  } else {
    free_ = entry(r).next;
  }
  entry(r).members = std::move(members);
  entry(r).hash = hash;
  entry(r).size = size;
  entry(r).next = first->second;
  first->second = r;
  ++live_;
  size_ += size;
  return r;
}

SetPool::Ref SetPool::of(Set &&members) {
  if (members.empty())
    return Ref::Empty;
  auto [hash, size] = hashOf(members);
  return add(std::move(members), hash, size);
}

SetPool::Ref SetPool::of(Id member) {
  Set one;
  one.set(member);
  return of(std::move(one));
}

void SetPool::remember(Known &known, std::pair<Ref, Ref> operands, Ref result) {
  if (known.size() >= 1'000'000) // it is only a shortcut
    known.clear();
  known[operands] = result;
}

SetPool::Ref SetPool::unite(Ref a, Ref b) {
  if (a == b || b == Ref::Empty)
    return a;
  if (a == Ref::Empty)
    return b;
  std::pair<Ref, Ref> operands = std::minmax(a, b);
  if (auto at = united_.find(operands); at != united_.end())
    return at->second;
  Ref more = subtract(b, a), result = a;
  if (more != Ref::Empty) {
    Set members = entry(a).members;
    members |= entry(more).members;
    result = add(std::move(members), entry(a).hash + entry(more).hash,
                 entry(a).size + entry(more).size);
  }
  remember(united_, operands, result);
  return result;
}

SetPool::Ref SetPool::subtract(Ref from, Ref what) {
  if (from == what || from == Ref::Empty)
    return Ref::Empty;
  if (what == Ref::Empty)
    return from;
  if (auto at = subtracted_.find({from, what}); at != subtracted_.end())
    return at->second;
  Set members = entry(from).members;
  members.intersectWithComplement(entry(what).members);
  Ref result = of(std::move(members));
  remember(subtracted_, {from, what}, result);
  return result;
}

void SetPool::sweep(
    llvm::function_ref<void(llvm::function_ref<void(Ref)>)> each) {
  std::vector<bool> named(sets_.size());
  each([&](Ref r) { named[size_t(r)] = true; });
  united_.clear();
  subtracted_.clear();
  byHash_.clear();
  free_ = Ref::Empty;
  live_ = size_ = 0;
  for (size_t i = sets_.size(); --i > 0;) {
    Ref r = Ref(i);
    Entry &e = entry(r);
    if (!named[size_t(r)]) {
      e = {};
      e.next = free_;
      free_ = r;
      continue;
    }
    Ref &first = byHash_[e.hash >> 1];
    e.next = first;
    first = r;
    ++live_;
    size_ += e.size;
  }
  kept_ = live_;
  keptSize_ = size_;
}
