//===- LoaderTemporaries.h - Statics that only the load looks at ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parser has work of its own: the files that it has open, macros that it was
// told of. It lets go of that as it goes on, and what it leaves behind, if
// anything, nobody looks at:
//
//   static struct file *top;                   top->next is the including file
//   void load(name) { push(name); parse(); pop(); }
//   static void pop(void) { struct file *f = top; top = f->next; free(f); }
//
// Whether the list is empty in the end takes a proof about its shape. But where
// no code that may run after the load reads the variable, nor has a pointer to
// it, all that the load leaves there is as good as gone, at each start: the
// load is not run then. What something else leads to, too, stays.
//
// Only variables are asked for of which the load frees all that it puts there,
// some time: other state that nothing reads has a reader that is not seen,
// perhaps.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_LOADERTEMPORARIES_H
#define NVMOVE_PASSES_SOLVE_STATE_LOADERTEMPORARIES_H

#include "passes/solve/phases/ProgramPhases.h"
#include "passes/solve/pointsto/PointsTo.h"

namespace nvmove {

class LoaderTemporaries {
public:
  LoaderTemporaries(const Program &program, const FieldFlow &flow,
                    const EventLoop &loop, const ProgramPhases &phases,
                    const std::vector<Id> &load)
      : p_(program), f_(program.facts), flow_(flow), loop_(loop),
        phases_(phases), load_(load) {}

  /// The objects of such variables.
  IdSet objectsIn(const PointsTo &pointsTo) const;

private:
  bool isUnread(Id variable) const;
  /// What may run when the load has ended, once.
  struct Behind {
    bool isKnown = false;
    IdSet functions; ///< and those that lead to the load
    IdSet files;     ///< in which these stand
    bool inIncluded =
        false;     ///< some stand in files, no headers, that others include
    IdSet named;   ///< variables
    IdSet statics; ///< that they may have the address of
    IdSet parts;   ///< records, of which they may have that of a member
  };
  const Behind &behind() const;
  bool findFunctions(IdSet &functions) const;
  bool findCalls(Id startUp, std::vector<Id> &calls) const;

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const EventLoop &loop_;
  const ProgramPhases &phases_;
  const std::vector<Id> &load_;
  mutable std::optional<Behind> behind_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_LOADERTEMPORARIES_H
