//===- IndexedCallbacks.h - Callbacks that a key chooses -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void listen(int event, handler *fn) {
//     struct entry *e = malloc(sizeof *e);
//     e->fn = fn;
//     e->next = listeners[event];
//     listeners[event] = e;
//   }
//   void signal(int event) {
//     for (e = listeners[event]; e; e = e->next)
//       e->fn(event);
//   }
//
// A load that signals some events calls those functions that listen to them,
// not all that listen to any. Arrays are one cell to points-to, and all entries
// one object; here it is proved that what an element of the array leads to was
// put there under its own index alone:
//
//  - Whatever is stored in the array, or in a member that a walk from it goes
//    through, in any function, is null, what the same element led to before, or
//    a block that the function has just allocated and puts into that element.
//  - What is stored where the call finds the function is a parameter of a
//    function that has the index as another one, and all whose callers are
//    known.
//  - The addresses of all these go nowhere else, and no memory is copied over
//    them.
//
// Anything else, and all functions count as called.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_INDEXEDCALLBACKS_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_INDEXEDCALLBACKS_H

#include "passes/solve/callbacks/CallbackUses.h"
#include <memory>
#include <set>

namespace nvmove {

class IndexedCallbacks {
public:
  IndexedCallbacks(const Program &program, const Allocators &allocators,
                   const CallbackUses &uses);
  ~IndexedCallbacks();

  /// The parameter of the calling function that chooses what the call leads to;
  /// None.
  Id keyOf(Id call) const;
  /// The function may be called there when that parameter has this value.
  bool leadsTo(Id call, Id function, uint64_t key) const;
  /// Parameters that are a key.
  const IdSet &keys() const { return keys_; }

  struct Keys {
    bool any = false;
    std::set<uint64_t> values;
  };
  /// Of one array.
  struct Table {
    IdMap<Keys> keysOf; ///< by function
    Keys ofOthers;      ///< of functions that are not known
  };

private:
  IdMap<std::pair<Id, const Table *>> calls_; ///< the key, the table
  IdSet keys_;
  std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_INDEXEDCALLBACKS_H
