//===- Includes.h - Which file sees which -----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_INCLUDES_H
#define NVMOVE_PASSES_REWRITE_TEXT_INCLUDES_H

#include "passes/facts/Facts.h"
#include <set>
#include <string>
#include <vector>

namespace nvmove {

/// The #include lines of the program's own files, read without regard to #if:
/// a little too many edges, never too few for plain names. A name is looked up
/// beside the including file first, then among all files whose path ends in it.
class Includes {
public:
  Includes(const Facts &facts, const std::vector<std::string> &contents);

  /// `file` is, or includes directly or indirectly, `other`.
  bool sees(Id file, Id other) const {
    return file == other || closure[file].count(other);
  }
  /// Compiled as a unit and never included: a definition with external
  /// linkage in it exists once.
  bool isSource(Id file) const {
    return units.count(file) && !included.count(file);
  }
  /// Sources that see `file`, in order of their paths.
  std::vector<Id> sourcesSeeing(Id file) const;
  /// All sources, in order of their paths.
  const std::vector<Id> &sources() const { return sorted; }

private:
  std::set<Id> units, included;
  std::vector<std::set<Id>> closure;
  std::vector<Id> sorted;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_INCLUDES_H
