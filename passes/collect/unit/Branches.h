//===- Branches.h - Which parts of an #if were parsed -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_UNIT_BRANCHES_H
#define NVMOVE_PASSES_COLLECT_UNIT_BRANCHES_H

#include "passes/collect/entities/SourceMap.h"
#include "clang/Lex/Preprocessor.h"
#include <map>

namespace nvmove {

/// The parts of each #if in files that are no system headers: those that this
/// translation unit parsed, and those with code in them that it skipped.
class Branches {
public:
  /// Notes what `preprocessor` meets from now on; this object must outlive it.
  void watch(clang::Preprocessor &preprocessor);
  /// One gap for each part.
  void addGaps(SourceMap &map, std::vector<Gap> &gaps) const;

private:
  class Callbacks;
  struct Branch {
    bool skipped = false;
    bool hasCode = false; ///< not only directives and comments
    unsigned lastLine = 0;
    std::string directive;         ///< "#ifdef X"
    clang::SourceLocation opening; ///< of #else and #elif: their #if
    std::string openingDirective;  ///< that, as "ifdef X"; "" for others
  };
  /// By file and line: where the directive stands.
  std::map<std::pair<clang::FileID, unsigned>, Branch> branches_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_UNIT_BRANCHES_H
