//===- StaticNames.h - Names that tell statics apart ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two files may each have a `static struct node *list`. Wherever a static goes
// by its name, in reports and in the pool, such a one has its file in front:
// "cache.c:list".
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_STATICNAMES_H
#define NVMOVE_PASSES_FACTS_STATICNAMES_H

#include "passes/facts/Facts.h"
#include "passes/facts/IdSet.h"

namespace nvmove {

class StaticNames {
public:
  explicit StaticNames(const Facts &facts);

  /// Another variable or function that the program defines has its name.
  bool isShared(Id node) const { return shared_.contains(node); }
  std::string of(Id node) const;
  /// The prefix: the end of the file's path that no other file has.
  std::string prefix(Id file) const;

private:
  const Facts &f_;
  IdSet shared_; ///< nodes
};

/// A way from a record to a field of one within it: "inner.field".
std::string nameOfWay(const Facts &facts, const std::vector<Id> &way);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_STATICNAMES_H
