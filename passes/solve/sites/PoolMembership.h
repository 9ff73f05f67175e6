//===- PoolMembership.h - What may lie in the persistent heap -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SITES_POOLMEMBERSHIP_H
#define NVMOVE_PASSES_SOLVE_SITES_POOLMEMBERSHIP_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/UnknownOrigins.h"
#include "passes/solve/state/Analysis.h"

namespace nvmove {

/// Its content ends with the process: no restart gives it back, however it was
/// written.
bool isLock(llvm::StringRef type);

/// From types and roots to memory: which allocation sites make blocks of the
/// heap, and which addresses may lie in one. Errs on the side of the heap.
class PoolMembership {
public:
  using Sources = View<const Types, const FoundRoots>;
  explicit PoolMembership(const Sources &found);

  bool isPersistent(Id record) const { return persistent_.contains(record); }
  /// Why the site, an index into Allocators::sites(), allocates from the heap;
  /// "" when it does not.
  const std::string &whySite(size_t site) const { return pool_[site]; }
  /// The call may make no block but map a file into memory, by itself or in a
  /// wrapper.
  bool mapsFile(Id call) const { return mappings_.contains(call); }
  /// Such a call that an address of the set may come from, or None.
  Id mappedIn(const FieldFlow::Set &set) const;
  /// Any at all.
  bool hasBlocks() const;
  bool hasWrappers() const { return !usedWrappers_.empty(); }
  /// A pointer to a library's allocator makes some of those blocks.
  bool usesPointers() const { return usesPointers_; }
  /// Calls of library allocators that make those blocks.
  const IdSet &libraryAllocations() const { return libraryAllocations_; }

  /// Why the store may write the heap; "" when it does not.
  std::string whyStore(const StoreSite &store) const;
  /// The same for what a library function writes behind an argument.
  std::string whyArgument(Id node) const;
  /// An argument of a library function that may write the heap behind it, and
  /// no hook announces that. The nvm_ forms announce by themselves.
  struct Written {
    uint32_t argument;
    std::string why; ///< with what to do
  };
  std::vector<Written> writtenBy(const Call &call) const;
  /// The same of a function of a library that the text uses as a value: what a
  /// call through a pointer hands it there, or what a library may; "".
  std::string whyThroughPointers(const AddressUse &use) const;
  /// No block of the heap was found behind the address, which proves nothing:
  /// where it comes from; "" else.
  std::string unknownOrigin(Id address) const;
  /// The same, or the pointer there may lead to the heap.
  std::string whyBehind(Id node) const;
  /// A block of the heap may lie behind the value of `node`.
  bool holds(Id node) const;
  /// The same, or the pointer's type says so; not for the address of a
  /// variable.
  bool liesBehind(Id node) const;
  /// The same, or a pointer in the records there leads to one: an iovec, a list
  /// of struct aiocb *.
  bool leadsThere(Id node) const;

private:
  bool holdsAny(const FieldFlow::Set &values) const;
  bool hasPointerInto(Id record, unsigned depth) const;
  std::string whyWritten(const Call &call, size_t argument) const;
  void choose(const Sources &found);
  void takeAround(const Root &root);
  void chooseTables();
  void chooseInMacros();
  void leaveToLibraries();
  void findMappings();
  void holdLibraryRecords(const Sources &found);
  bool isTyped(const Allocators::Site &site) const;
  void take(const FieldFlow::Set &set, const std::string &where);
  void useWrapper(Id call);
  bool holdsStrings(const Allocators::Site &site) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const UnknownOrigins origins_;
  IdSet
      held_; ///< records of libraries that persistent fields and roots lead to
  IdSet persistent_, usedWrappers_, libraryAllocations_;
  IdSet left_; ///< sites: records that libraries keep memory of their own in
  IdSet mappings_; ///< calls
  bool usesPointers_ = false;
  std::vector<std::string> pool_; ///< by site
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SITES_POOLMEMBERSHIP_H
