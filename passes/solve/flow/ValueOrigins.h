//===- ValueOrigins.h - Whose address may a field hold? -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backwards from a field or variable, over the whole program, along
// assignments, arguments, results and other fields and variables, to where an
// address is taken of a string literal or of a static, to allocations, and to
// what libraries give back.
//
// FieldFlow knows that, too, but all pointers behind a char ** are one for it:
// what is put into one list of words would be in all. Here a store through such
// a pointer goes where the pointer is followed to (Places); what is read
// through one, and what is stored where that leads nowhere, is left out, which
// is the hole.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_VALUEORIGINS_H
#define NVMOVE_PASSES_SOLVE_FLOW_VALUEORIGINS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/DefinitionIndex.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace nvmove {

class ValueOrigins {
public:
  /// Which stores count: those whose field or variable the text names, or those
  /// through pointers, too. The latter say what may be told, and made null; too
  /// much of that costs nothing, but a static that is followed for nothing may
  /// have a restart refused.
  enum class Stores : uint8_t { Named, ThroughPointers };

  ValueOrigins(const Program &program, const Allocators &allocators,
               const FieldFlow &flow, Stores stores = Stores::Named);

  /// A Literal or Global node, and where its address is taken; or a call that
  /// allocates, or of a function without a body, or that puts descriptors
  /// there.
  struct Origin {
    Id variable = None, call = None;
    Loc loc;
    Id function = None;
    bool isBehind = false; ///< pipe(ends): not what the call gives back
    /// A pointer in a record of a library, which that call gives back or fills
    /// and the program never sets: getpwnam(name)->pw_dir.
    bool isMember = false;
  };
  /// What stores into objects behind pointers put there; into variables of the
  /// record's type only if such records are copied as a whole. Of a field of
  /// numbers, where they come from.
  const std::vector<Origin> &ofField(Id field);
  /// Of a field of numbers, addresses that are made numbers there.
  std::vector<Origin> ofAddressesIn(Id field);
  /// Functions whose address is among what is put there.
  const IdSet &codeIn(Id field);
  /// All that is put into a field of numbers is known: it is what those calls
  /// give back, or constant.
  bool isKnown(Id field);
  /// Of a field of a variable.
  std::vector<Origin> ofMember(Id field);
  /// Of a number that can hold no pointer, where it comes from.
  std::vector<Origin> ofVariable(Id node);
  /// Of a variable, or of the last of `fields` in it; Local nodes are among
  /// them.
  std::vector<Origin> ofSlot(Id node, const std::vector<Id> &fields);
  /// Statics of libraries that the last answer's values may come from: stdout;
  /// and, of what each start is handed, argv; and where they are taken from
  /// there.
  using Outside = std::map<Id, Origin>;
  const Outside &outside() const { return outside_; }
  /// Those that a field's values may come from.
  const Outside &outsideOf(Id field);

private:
  void findHanded();
  Id recordAt(Id address) const;
  void noteCopied(Id record);
  void noteDescriptors(Id call);
  void noteFilled(Id call);
  Id filledBy(Id cell) const;
  class Places;
  const Constraint &store(Id i) const {
    return i < f_.constraints.size() ? f_.constraints[i]
                                     : placed_[i - f_.constraints.size()];
  }
  void eachInto(Id cell,
                llvm::function_ref<void(const Constraint &)> see) const;
  void push(Id cell, bool inside);
  void noteOutside(Id node, Loc loc, Id function);
  void noteHanded(Id cell, Loc loc, Id function);
  void passThrough(const Constraint &c, bool inside);
  using Params = llvm::SmallVector<unsigned, 2>;
  Params givenBack(Id function);
  bool isOrigin(Id call) const;
  void enterCallees(Id call, bool inside);
  void leaveToCallers(Id param);
  bool isNumber(Id field) const;
  Id answerFor(Id field) const;
  void start(Id field, bool inVariables, bool numbers);
  std::vector<Origin> follow();

  const Program &p_;
  const Facts &f_;
  const Allocators &allocators_;
  const FieldFlow &flow_;
  const DefinitionIndex values_;
  IdMap<std::vector<Origin>> ofFields_;    ///< by answerFor()
  IdMap<IdSet> codeIn_;                    ///< likewise
  IdMap<Outside> outsideOf_;               ///< likewise
  IdMap<llvm::SmallVector<Id, 2>> stores_; ///< cell -> constraints, placed
  /// Cell -> calls that put descriptors of open files there.
  IdMap<llvm::SmallVector<Id, 1>> opened_;
  /// Record of a library -> a call that gives one back, or fills it.
  IdMap<Id> filled_;
  Id started_ = None; ///< cell that the answer is for, None: a variable
  /// Stores through pointers, as copies to where these lead.
  std::vector<Constraint> placed_;
  IdMap<llvm::SmallVector<Id, 2>> callers_; ///< function -> calls
  IdSet copied_;                            ///< records
  /// Parameters of main, and environ; cells that lead into what they lead to.
  IdMap<Id> handed_;
  IdMap<Params> givenBack_; ///< by function
  /// Cells that are to be looked at; whether the way there leads through a
  /// result into a function, which it does not leave to other callers.
  std::vector<std::pair<Id, bool>> work_;
  IdSet seen_[2];
  Outside outside_;      ///< of the last answer
  IdSet code_;           ///< likewise
  bool numbers_ = false; ///< are looked for, not addresses
  bool locals_ = false;  ///< are looked for, too
  bool isOpen_ = false;  ///< some number comes from elsewhere
  IdSet open_;           ///< cells of fields of which that is so
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_VALUEORIGINS_H
