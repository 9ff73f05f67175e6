//===- ObjectOrigins.h - Which object of the program is it? -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   app->main_loop = loop_new();
//   app->helper_loop = loop_new();    another object than the first, for ever
//
// Backwards from a pointer to a record, over the whole program: along
// assignments, arguments, results, static pointers, and members and static
// arrays that hold such pointers. It ends at what makes an object: a call of an
// allocator, or of a function that does nothing but give back a new block; a
// variable; a member that is such a record. Pointers without a maker in common
// lead to different objects. (HandleOrigins.h asks the same of what libraries
// make.)
//
// What cannot be followed may lead to any object: a member or an array whose
// address goes anywhere, or over which bytes are copied.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_OBJECTORIGINS_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_OBJECTORIGINS_H

#include "passes/solve/callbacks/CallbackUses.h"
#include "passes/solve/program/DefinitionIndex.h"
#include <map>
#include <set>

namespace nvmove {

class ObjectOrigins {
public:
  /// Each makes one object or several.
  struct Makers {
    bool any = false;
    std::set<uint64_t> known;
    void join(const Makers &other) {
      any |= other.any;
      known.insert(other.known.begin(), other.known.end());
    }
  };

  ObjectOrigins(const Program &program, const Allocators &allocators,
                const FieldFlow &flow, const CallbackUses &uses);

  /// Of the objects of type `record` that the node may point to.
  const Makers &of(Id node, Id record);
  static Makers ofVariable(Id node);
  /// The result is a block that nothing else has: of a library's allocator, or
  /// of a function that gives back no other.
  bool givesNewBlock(const Call &call);
  /// An object that `one` makes may be one of those.
  bool mayBe(const Makers &makers, uint64_t one) const;

private:
  bool follow(Id node, Id record, std::vector<Id> &work, Makers &makers);
  bool followCall(Id call, std::vector<Id> &work, Makers &makers);
  bool followParameter(Id node, std::vector<Id> &work) const;
  bool addCallers(Id function, IdSet &seen, Makers &makers);
  bool followStored(Id address, std::vector<Id> &work);
  struct Place {
    Id id; ///< of a field, or of a static
    bool isField, isArray;
  };
  bool isFollowed(const Place &place) const;
  bool findStored(const Place &place, std::vector<Id> &values) const;
  bool isOverwritten(Id record) const;
  bool givesNewBlocks(Id function);

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const DefinitionIndex &values_;
  const CallbackUses &uses_;
  IdMap<llvm::SmallVector<Id, 1>> resultOf_; ///< node -> calls
  IdSet given_;                              ///< to some call
  IdMap<bool> givesNewBlocks_;               ///< functions
  /// What is stored in a member or a static array; first: nothing else is.
  IdMap<std::pair<bool, std::vector<Id>>> stored_; ///< by slot
  std::map<std::pair<Id, Id>, Makers> found_;      ///< node, record
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_OBJECTORIGINS_H
