//===- Allocators.h - Which calls make new blocks, and of which types ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_ALLOCATORS_H
#define NVMOVE_PASSES_SOLVE_FLOW_ALLOCATORS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// An allocation wrapper is a function that returns void* and whose result
/// flows only from an allocator, directly or through functions that hand their
/// argument back, and that does not itself link blocks of one type. Each call
/// of an allocator from outside wrappers is a site; one abstract object stands
/// for all blocks of a site. An allocator may be called through a pointer: one
/// cell for each field, over the whole program.
class Allocators {
public:
  explicit Allocators(const Program &program);

  struct Site {
    Id call = None;
    /// Records that may lie in the block: where the result is cast or assigned,
    /// in sizeof within the arguments, and as the function goes on to use it.
    llvm::SmallVector<Id, 4> records;
    bool hasOwnRecord =
        false; ///< from a cast, an assignment or sizeof: not only by use
    /// No constant says its size, or its maker gives it back as void *: more
    /// may lie behind the record.
    bool hasRoom = false;
    /// The block is a table of pointers to records or strings.
    bool isPointerTable = false;
    bool raw() const { return records.empty(); }
  };

  bool isWrapper(Id function) const { return wrappers_.contains(function); }
  /// It stores what it gives back somewhere, too.
  bool isLinking(Id wrapper) const { return linking_.contains(wrapper); }
  /// Its blocks are parts of larger ones.
  bool isCarving(Id wrapper) const { return carving_.contains(wrapper); }
  /// The call makes a block (a library allocator or a wrapper).
  bool allocates(const Call &call) const;
  bool reallocates(const Call &call) const;
  const std::vector<Site> &sites() const { return sites_; }
  const Site *siteOf(Id call) const {
    auto i = siteOfCall_.find(call);
    return i == siteOfCall_.end() ? nullptr : &sites_[i->second];
  }

private:
  /// Which values may be the address of an allocator: `sc->malloc = malloc`.
  void findPointers();
  void findPools();
  bool reachesAllocator(Id function) const;
  void findWrappers();
  bool makesBlocks(Id function) const;
  /// It stores a block that it makes, or hands it on: hosts = h; return h;
  /// `ofOneType`: a block whose type and size no caller chooses, as in
  /// h = calloc(1, sizeof *h).
  bool linksBlocks(Id function, bool ofOneType) const;
  bool isConstructor(Id function) const;
  bool givesRecords(Id function) const;
  enum class Source { Nothing, Parameter, Allocator, Other };
  Source sourceOfResult(Id function) const;
  void findCarving();
  void findSites();

  const Program &p_;
  IdSet wrappers_, reallocWrappers_, passThrough_, linking_, carving_;
  /// Nodes and, behind them, field cells that hold such an address.
  IdSet pointers_, reallocPointers_;
  std::vector<Site> sites_;
  IdMap<size_t> siteOfCall_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_ALLOCATORS_H
