//===- LoopSection.h - What the main loop does with what came in ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PHASES_LOOPSECTION_H
#define NVMOVE_PASSES_SOLVE_PHASES_LOOPSECTION_H

#include "passes/solve/phases/EventLoop.h"

namespace nvmove {

/// The body of the loop that waits for input, behind the statement that waits:
/// it may be one section.
///
///   while (fgets(line, n, stdin)) {    for (;;) {
///     ┌ switch (line[0]) ..              if (!fgets(line, n, stdin)) break;
///     └ print();                         ┌ switch (line[0]) ..
///   }                                    └ print(); }
class LoopSection {
public:
  LoopSection(const Program &program, const EventLoop &events,
              const MainLoop &loop);

  Id loop = None; ///< None: no part of a body could be a section
  Id function = None;
  Span span;              ///< its statements
  bool isSection = false; ///< as the program is written

  bool covers(Id call) const;
  bool covers(Span place) const;
  /// In the loop, but not in that part.
  bool isBeside(Span place) const;

private:
  void findPart(const MainLoop &loop, Id wait);

  const Program &p_;
  const EventLoop &events_;
  Id begin_ = None; ///< the call that begins the section that is there
  Span all_;        ///< the body of the outermost loop
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PHASES_LOOPSECTION_H
