//===- NamedSections.h - What runs within them -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_NAMEDSECTIONS_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_NAMEDSECTIONS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Context.h"

namespace nvmove {

/// The functions that the user has named as sections, each call of which can be
/// bracketed. What runs within them alone needs no section of its own: an
/// interpreter's loop, say, that is one step of the program's.
class NamedSections {
public:
  explicit NamedSections(const SolveContext &context);

  /// It is one of them, or is called from within one alone.
  bool encloses(Id function) const {
    return !named_.empty() && !outside_.contains(function);
  }

private:
  IdSet named_;
  IdSet outside_; ///< what main or a library reaches, up to their calls
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_NAMEDSECTIONS_H
