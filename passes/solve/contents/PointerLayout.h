//===- PointerLayout.h - Which words of a record are pointers -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CONTENTS_POINTERLAYOUT_H
#define NVMOVE_PASSES_SOLVE_CONTENTS_POINTERLAYOUT_H

#include "passes/facts/Facts.h"
#include "passes/solve/Solution.h"

namespace nvmove {

/// What an array holds, at any depth; another type is its own.
Id elementOf(const Facts &facts, Id type);

/// Where the layout of a record may promise pointers. Behind findAddresses().
class PointerLayout {
public:
  PointerLayout(const Facts &facts, const AddressFacts &addresses)
      : facts_(facts), addresses_(addresses) {}

  /// Its type is a pointer, or an array of them, and no integer is seen as one
  /// there.
  bool holdsPointers(Id field) const;
  /// A union of pointers.
  bool isMadeOfPointers(Id record) const;
  /// Other members of its union may be there that are no pointers.
  bool isOverlaid(Id field) const;
  /// In all records that may stand where one of `record` does, there are
  /// pointers where `field`, of it or of a member, has some.
  bool isCertain(Id record, Id field) const;
  /// Where pointers to what ended with the process can be made null.
  bool canBeCleared(Id record, Id field) const {
    return !facts_.fields[field].flexible && holdsPointers(field) &&
           isCertain(record, field);
  }
  /// The layout of the record around it lists the members of `field`, a record
  /// that has a name there and no layout of its own, one by one.
  bool canBeOpened(Id field) const;
  /// The layout of `record` has a line for `field`, of it or of a member, in
  /// each place.
  bool isListedIn(Id record, Id field) const;

private:
  struct Part;
  bool listParts(Id record, uint64_t base, std::vector<Part> &parts) const;
  static bool agree(const Part &mine, const std::vector<Part> &other);
  std::optional<uint64_t> offsetOf(Id record, Id field) const;

  const Facts &facts_;
  const AddressFacts &addresses_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CONTENTS_POINTERLAYOUT_H
