//===- PerObjectCallbacks.h - Callbacks that belong to one object ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void loop_add(struct loop *l, handler *fn) {
//     struct event *e = malloc(sizeof *e);
//     e->fn = fn;
//     e->next = l->events;
//     l->events = e;
//   }
//   void loop_run(struct loop *l) {
//     for (e = l->events; e; e = e->next)
//       e->fn(e->arg);
//   }
//
// A load that runs a loop of its own, to ask a helper process for a file, calls
// what was registered with that loop, not the handlers of the main loop. To
// points-to all entries are one; here it is proved that the object whose
// callbacks are called is the one that they were registered with:
//
//  - Everything in which, or by way of which, the call finds its function is of
//    one object: whatever is stored there, in any function, is null, the
//    address of something that was reached from the same pointer as the place
//    it is stored in, or a block that the function has just allocated for it.
//  - The functions stored there are known, and the objects are those that the
//    function's callers hand over (ObjectOrigins.h).
//  - The addresses of such pointers go nowhere else, and no memory is copied
//    over them.
//
// Anything else, and all functions count as called. (IndexedCallbacks.h proves
// the same of the elements of one array.)
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_PEROBJECTCALLBACKS_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_PEROBJECTCALLBACKS_H

#include "passes/solve/callbacks/ObjectOrigins.h"
#include <memory>
#include <optional>

namespace nvmove {

class PerObjectCallbacks {
public:
  PerObjectCallbacks(const Program &program, const Allocators &allocators,
                     const FieldFlow &flow, const CallbackUses &uses);
  ~PerObjectCallbacks();

  /// The parameter of the calling function that is the object; None.
  Id ownerOf(Id call) const;
  /// The function may be called there when what that parameter leads to comes
  /// from this maker.
  bool leadsTo(Id call, Id function, uint64_t maker) const;
  /// The same where the call `way` has entered its function, by what that hands
  /// over; None: nobody knows how it was entered.
  bool leadsToBy(Id way, Id call, Id function) const;
  /// Parameters that are such an object.
  const IdSet &owners() const { return owners_; }
  /// Of what such a parameter is handed.
  const ObjectOrigins::Makers &makersOf(Id param, Id argument) const;

  /// By function, the objects that it is registered with.
  using Table = IdMap<ObjectOrigins::Makers>;

private:
  struct Found {
    Id owner;
    const Table *table;
  };
  const Program &p_;
  std::unique_ptr<ObjectOrigins> makers_;
  IdMap<Found> calls_;
  IdSet owners_;
  std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_PEROBJECTCALLBACKS_H
