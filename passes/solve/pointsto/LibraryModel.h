//===- LibraryModel.h - Calls of functions without a body -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is assumed of each is in Library.def, which records are containers or
// readers of files in NullHandles.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_LIBRARYMODEL_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_LIBRARYMODEL_H

#include "passes/solve/pointsto/ConstraintRules.h"

namespace nvmove {

class LibraryModel {
public:
  using Set = ValueGraph::Set;

  /// What a library does to the program.
  class Callbacks {
  public:
    virtual ~Callbacks() = default;
    /// The library, in this call, runs the function.
    virtual void reach(Id function, Id call) = 0;
    /// What its parameters are is as in a call; null: it is not known.
    virtual void parametersFrom(Id function, const Call *call) = 0;
  };

  LibraryModel(const PointsToInput &input, ValueGraph &graph, Cells &cells,
               const CallContexts &contexts, PriorContents &prior, Marks &marks,
               MemoryCopies &copies, Callbacks &callbacks);

  /// The call calls the function, which has no body.
  void bind(Id call, Id callee);
  /// A watch of use Scatter meets a location: what the list there names is
  /// filled.
  void scatter(Id location, Id call);
  /// A watch of use Convert meets bytes from outside: what the call writes is
  /// made of them.
  void fillConverted(Id call, Id callee);
  void made(Id location); ///< Cells::Observer

  /// Call of the text and function; a pointer may call several.
  std::vector<std::pair<Id, Id>> &calls() { return calls_; }
  const std::vector<std::pair<Id, Id>> &calls() const { return calls_; }
  /// Functions that a library may call during the load, but that carry out
  /// requests of any kind: not followed. With the library's call.
  const IdMap<Id> &requestCallbacks() const { return requestCallbacks_; }
  /// What the library was given with a handle; null: nothing.
  const Set *givenWith(Id handle) const {
    auto given = given_.find(handle);
    return given == given_.end() ? nullptr : &graph_.setOf(given->second);
  }

private:
  /// One call that is bound.
  struct Bound {
    Id call, callee;
    const Call &c, &inText;
    const LibraryFunction *library; ///< null: not known by name
    Id handle;                      ///< a record that only the library knows
    ThreadStart thread; ///< as far as it is one that starts a thread
    bool givesBack;     ///< as a void *: what it holds
    bool isContainer;   ///< what the handle leads to
    bool allocates;

    bool is(LibraryFunction::Kind kind) const {
      return library && library->kind == kind;
    }
  };
  /// What the parameters of a function that a library calls are, besides what
  /// the library was handed: data that it has read, or records of such.
  enum class Handed : uint8_t { Nothing, Read, Made };

  Bound boundTo(Id call, Id callee) const;
  Id givenNode(Id handle);
  void fillReader(Id location);
  void fillContainer(Id location);
  void fillContainerField(Id location, Id record);
  void takeIn(const Bound &b);
  void makeUnknown(const Bound &b);
  void input(const Bound &b);
  void startThread(const Bound &b, Id function);
  void runHanded(const Bound &b, size_t argument, Handed what);
  void giveBack(const Bound &b, Id argument);
  void throughHandle(Id call, Id handle);
  void handIn(Id call, Id handle);
  void runCallbacks(Id call, Id handle);
  void readThrough(Id call);
  void readResult(Id call);
  void readArguments(Id call);
  void findFiles(const Bound &b);
  void makeBehind(Id pointer);
  void readInto(Id node, Id type);
  void makeInto(Id node, Id type);
  void numbersBehind(Id pointer, Id result);
  bool isConverted(Id call, Id callee, size_t argument) const;
  void convert(Id call, Id callee);
  bool isBuffer(Id argument) const;
  bool isFunctionPointer(Id node) const;

  const PointsToInput &in_;
  const Program &p_;
  const Allocators &a_;
  const PreLoadNullness &nullness_;
  ValueGraph &graph_;
  Cells &cells_;
  const CallContexts &contexts_;
  PriorContents &prior_;
  Marks &marks_;
  MemoryCopies &copies_;
  Callbacks &callbacks_;
  std::vector<std::pair<Id, Id>> calls_;
  std::map<Id, Id> given_; ///< handle -> node of what the library was given
  IdSet converted_;        ///< calls
  Id firstReading_ = None; ///< call of a library that reads for the program
  IdMap<Id> requestCallbacks_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_LIBRARYMODEL_H
