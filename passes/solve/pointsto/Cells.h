//===- Cells.h - Memory as the analysis sees it ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A location is a cell of an object, or the object as a whole (memory without a
// record type). Arrays collapse; a record embedded in an object shares the
// object, its fields are told apart by their own ids; fields of a union that
// start together share a cell. How cells represent memory is known here alone.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_CELLS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_CELLS_H

#include "passes/solve/pointsto/ValueGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace nvmove {

struct MemoryObject {
  enum Kind : uint8_t {
    Variable,    ///< ref: Global, Local or Literal node
    Heap,        ///< ref: index into Allocators::sites()
    Preexisting, ///< existed before the load; ref: an Origin
    Function,    ///< ref: function
    FileBytes,   ///< not memory: the mark of a value that came from outside
    StaticValue, ///< not memory: the mark of the value of a static scalar;
                 ///< ref: location
    Elsewhere,   ///< not memory: the mark of a pointer that may lead to what is
                 ///< not followed
  } kind;
  uint64_t ref = None;
  Id record = None; ///< Variable, Preexisting: its record type; None: bytes
                    ///< or unknown
  Id type = None;   ///< Preexisting without a record: the type of its elements
  bool any = false; ///< Preexisting behind void* or char*: takes the type it
                    ///< is used as
  Id instance = None; ///< Heap: made by this instance of a function

  bool isMark() const {
    return kind == FileBytes || kind == StaticValue || kind == Elsewhere;
  }
};

struct MemoryLocation {
  Id object = None;
  Id field = None; ///< Field::cell, or None for the whole
};

/// What existed before the load is named by where it was first met: a field
/// (one object for all holders of that field), a variable or a library's
/// handle, and how many pointers deep.
namespace origin {
constexpr uint64_t ofField(Id field) { return uint64_t(1) << 60 | field; }
constexpr uint64_t ofNode(Id node) { return uint64_t(2) << 60 | node; }
constexpr uint64_t ofHandle(Id handle) { return uint64_t(3) << 60 | handle; }
/// What a library has read, and records that it makes of that; tables of both.
constexpr uint64_t Read = uint64_t(4) << 60, Made = uint64_t(5) << 60;
/// Of a field or a variable.
constexpr bool isOfProgram(uint64_t origin) { return origin >> 60 <= 2; }
constexpr uint64_t deeper(uint64_t origin) {
  return origin + (uint64_t(1) << 40);
}
constexpr bool isTooDeep(uint64_t origin) { return (origin >> 40 & 0xff) > 3; }
} // namespace origin

class Cells {
public:
  using Set = ValueGraph::Set;

  /// Is told of each location when it is made.
  class Observer {
  public:
    virtual ~Observer() = default;
    virtual void made(Id location) = 0;
  };

  Cells(const PointsToInput &input, ValueGraph &graph, Observer &observer);

  /// The marks that every analysis has, before anything else.
  void makeMarks();
  Id fileBytes() const { return fileBytes_; }
  Id elsewhere() const { return elsewhere_; }
  Id mistyped() const { return mistyped_; } ///< elsewhere, of another type

  // What is there already is given back, otherwise it is made.
  Id objectOf(const MemoryObject &o);
  Id location(Id object, Id cell);
  Id whole(const MemoryObject &o) { return location(objectOf(o), None); }
  /// The variable, of the type that it is declared with; the whole of it.
  MemoryObject variableObject(Id node) const;
  Id variable(Id node) { return whole(variableObject(node)); }
  /// The whole object, behind a pointer to `pointee`.
  Id preexisting(uint64_t origin, Id pointee);
  Id preexistingRecord(uint64_t origin, Id record);

  const std::vector<MemoryObject> &objects() const { return objects_; }
  const std::vector<MemoryLocation> &locations() const { return locations_; }
  const std::vector<Id> &locationsOf(Id object) const {
    return byObject_[object];
  }
  const MemoryObject &object(Id object) const { return objects_[object]; }
  const MemoryObject &objectAt(Id location) const {
    return objects_[locations_[location].object];
  }
  const MemoryLocation &at(Id location) const { return locations_[location]; }
  /// The node of what lies there.
  Id content(Id location) const { return contents_[location]; }
  bool isMemory(Id location) const {
    const MemoryObject &o = objectAt(location);
    return !o.isMark() && o.kind != MemoryObject::Function;
  }
  /// The location of a variable, or of a field in it; None: not met so far.
  Id find(Id variable, Id field) const;
  /// The same of any object; `cell`: None for all of it.
  Id locationIn(Id object, Id cell) const;
  /// Bytes from before the load are also an object for each record that they
  /// are used as; none for other objects.
  std::vector<Id> usedAs(Id object) const;
  /// Records that may lie in an object.
  llvm::SmallVector<Id, 4> recordsOf(Id object) const;
  /// The record that lies there, if it is one.
  Id recordAt(Id location) const;
  /// The cells of a record's fields, and of those of the records inside it.
  llvm::SmallVector<Id, 16> scalarCells(Id record) const;
  bool isScalar(Id field) const {
    return field != None && p_.recordOf(p_.facts.fields[field].type) == None;
  }
  /// The static scalars whose value is among `set`: locations.
  std::vector<Id> staticValuesIn(const Set &set) const;
  /// "dict, created before the load", "dictEntry, allocated at dict.c:364".
  std::string describe(Id object) const;

private:
  Id makeContent(const MemoryLocation &at);

  const Program &p_;
  const Allocators &a_;
  const ProgramPointers &text_;
  ValueGraph &graph_;
  Observer &observer_;
  std::vector<MemoryObject> objects_;
  std::vector<MemoryLocation> locations_;
  std::vector<Id> contents_;
  std::vector<std::vector<Id>> byObject_;
  std::map<std::tuple<int, uint64_t, Id, Id>, Id> objectIds_;
  llvm::DenseMap<std::pair<Id, Id>, Id> locationIds_;
  Id fileBytes_ = None, elsewhere_ = None, mistyped_ = None;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_CELLS_H
