//===- BitFields.h - The bytes that bit-fields lie in -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bit-field has no address. Adjacent bit-fields are kept together: all bytes
// between the members around them, which hold nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_LAYOUTS_BITFIELDS_H
#define NVMOVE_PASSES_REWRITE_LAYOUTS_BITFIELDS_H

#include "passes/facts/Facts.h"
#include <optional>

namespace nvmove {

struct BitRun {
  /// With their widths, so that another layout has another name: "a:1,:2,b:3".
  std::string names;
  std::vector<Id> fields;
  Id before = None, after = None; ///< None: an edge of the record
};

/// The bit-fields next to `field`, and `field`. None if C has no
/// words for the place where they begin or end: it is the edge of a member
/// without a name, or they are in a union.
std::optional<BitRun> bitRunOf(const Facts &facts, Id field);

/// The initialiser in a list of fields of `type`.
std::string describeBits(const Facts &facts, const BitRun &run,
                         const std::string &type);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_LAYOUTS_BITFIELDS_H
