//===- TypeOverlays.h - Types laid over a cell ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to a record takes nothing but that record, or sets would mix all
// that goes through void *. Two kinds of objects provide storage for others:
// arrays of bytes, of numbers or of void * take whatever record a pointer to
// them is made a pointer to; blocks of a size that is computed, malloc(sizeof
// *d + n) or malloc(n * sizeof(union cell)), take a record that lies nowhere
// else.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_TYPEOVERLAYS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_TYPEOVERLAYS_H

#include "passes/solve/pointsto/CallContexts.h"
#include "passes/solve/pointsto/Cells.h"

namespace nvmove {

class TypeOverlays {
public:
  using Ref = ValueGraph::Ref;
  using Set = ValueGraph::Set;

  TypeOverlays(const PointsToInput &input, ValueGraph &graph, Cells &cells);

  /// ValueGraph::Rules::admitted().
  Ref admitted(Id record, Ref what);
  /// The object may hold the field; None: it may hold anything as a whole.
  bool admitsCell(Id object, Id field) const;
  /// There are objects of the record by then, or a library has made this one.
  bool mayBe(const MemoryObject &object, Id record) const;
  /// The record starts within the object: the field is overlaid on it, if that
  /// provides storage and does not admit the record anyway.
  void overlayInside(Id object, Id field);
  void made(Id location); ///< Cells::Observer
  /// Pointers to records to which nothing came but what has another type: where
  /// that provides storage, the record is overlaid on it. True if there are
  /// such; then cells that were turned away may be admitted now, and passOn()
  /// is to be called.
  bool findOverlays(const CallContexts &contexts);
  void passOn();

private:
  struct Filter {
    Set admitted, refused;
    IdMap<Id> replaced;
  };
  Id admit(Id record, Id location);
  void admitOverlaid();
  bool objectAdmits(Id object, Id record) const;
  bool siteAdmits(const Allocators::Site &site, Id record) const;
  bool isText(const Call &call, unsigned depth = 4) const;
  bool fits(Id object, Id field) const;
  bool fieldProvidesStorage(Id field, Id record) const;
  bool providesStorage(Id object) const;
  bool isOverlaid(Id object, Id record) const;
  void overlay(Id object, Id record);

  const Program &p_;
  const Allocators &a_;
  const PreLoadNullness &nullness_;
  const ProgramPointers &text_;
  ValueGraph &graph_;
  Cells &cells_;
  std::map<Id, Filter> filters_; ///< by record
  /// The records of other types that lie in an object, in an array of it or
  /// behind its own record.
  std::map<Id, llvm::SmallVector<Id, 2>> overlays_;
  Set storage_; ///< locations: whole blocks that have room for such records
  mutable IdMap<bool> texts_; ///< by call that makes a block: a string
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_TYPEOVERLAYS_H
