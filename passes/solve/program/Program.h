//===- Program.h - Facts with their cross references followed -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_PROGRAM_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_PROGRAM_H

#include "passes/facts/Facts.h"
#include "passes/facts/IdSet.h"
#include "passes/facts/StaticNames.h"
#include "passes/solve/program/Library.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nvmove {

/// Look-ups over one program's facts that several analyses share. Immutable
/// after construction; keeps a reference to the facts.
class Program {
public:
  explicit Program(const Facts &facts);

  const Facts &facts;

  // By function; the last element holds what is outside of functions.
  const std::vector<Id> &constraintsOf(Id function) const {
    return constraints_[slot(function)];
  }
  const std::vector<Id> &callsOf(Id function) const {
    return calls_[slot(function)];
  }
  const std::vector<Id> &loopsOf(Id function) const {
    return loops_[slot(function)];
  }
  const std::vector<Id> &callersOf(Id function) const {
    return callers_[function];
  } ///< direct calls
  /// What direct calls hand over for the node; nullopt: it is no parameter.
  std::optional<std::vector<Id>> handedFor(Id node) const;
  const std::vector<Id> &storesOf(Id function) const {
    return stores_[slot(function)];
  }

  /// Every path from the call ends in one that cannot return, perhaps of a
  /// function of another file.
  bool isDeadEnd(Id call) const { return deadEnds_[call]; }
  bool isNoReturn(Id function) const { return noReturn_[function]; }
  /// Whoever makes the call gets to one of `counts` that does not return and
  /// stands after it: if (n == 1) { serve(); exit(0); }
  bool endsAfter(Id call,
                 llvm::function_ref<bool(const Call &end)> counts) const;
  /// Only a child that the program forks makes the call, while the parent goes
  /// on: it has a copy of what it changes, and ends by itself.
  bool isInChild(Id call) const { return inChild_[call]; }
  /// It stands where only the process that has forked a child comes to.
  bool isInParent(Id call) const { return inParent_[call]; }

  /// They stand in different arms of one if statement.
  static bool exclude(llvm::ArrayRef<uint32_t> arms,
                      llvm::ArrayRef<uint32_t> others) {
    return llvm::any_of(arms, [&](uint32_t arm) {
      return llvm::is_contained(others, arm ^ 1);
    });
  }
  /// Whoever gets to the arms has got, or will get, to the others: none of
  /// these is one that the arms are not in, too.
  static bool isAlongside(llvm::ArrayRef<uint32_t> others,
                          llvm::ArrayRef<uint32_t> arms) {
    return arms.take_front(others.size()) == others;
  }
  /// What the one value is a copy or a cast of; None.
  Id copied(Id value) const;
  /// The same, as far as it goes: what a value is in the end.
  Id origin(Id value) const;
  /// The one value, copied and cast.
  bool isCopyOf(Id value, Id original) const;
  /// Where a number, or a pointer, is read from, perhaps with a constant added:
  /// a variable, or what lies at an address. None of both: elsewhere.
  struct Read {
    Id variable = None, address = None;
  };
  Read readFrom(Id value) const;
  /// The static whose address is all that the static pointer ever holds; None.
  Id staticBehind(Id pointer) const {
    return staticPointers_.lookup_or(pointer, None);
  }
  bool isBehindPointer(Id variable) const {
    return behindPointers_.contains(variable);
  }
  /// Several only where programs share a name.
  const std::vector<const Definition *> &definitionsOf(Id function) const {
    return definitionsOf_[function];
  }

  /// Function whose address `node` is, or None.
  Id functionOf(Id node) const { return functionOfNode_.lookup_or(node, None); }
  Id functionNamed(
      llvm::StringRef name) const; ///< external or unique static; None
  /// The one constraint that defines a temporary; None also where there are
  /// several (the arms of ?:, the operands of arithmetic).
  Id definition(Id node) const { return definition_[node]; }
  bool isAddressTaken(Id node) const { return addressTaken_[node]; }
  /// More than constants are stored at this address, a node.
  bool takesValues(Id address) const {
    return address != None && takesValues_[address];
  }
  /// The variable, function or literal that `address` is the address of, as
  /// the text says it; None.
  Id variableAt(Id address) const;
  /// Variables and fields, by number: a node or, behind the nodes, the field's
  /// cell.
  Id slotOf(Id field) const {
    return Id(facts.nodes.size()) + facts.fields[field].cell;
  }
  /// The cell of the last field on the way; None: the way is empty.
  Id cellOf(const std::vector<Id> &path) const {
    return path.empty() ? None : facts.fields[path.back()].cell;
  }
  /// The one that `address` is the address of: &x, &p->f; None.
  Id slotAt(Id address) const;

  /// Of a function without a body: also of those that are not known by name,
  /// but allocate as they are declared or used.
  const LibraryFunction *libraryOf(Id function) const;
  const LibraryFunction *library(const Call &call) const;
  /// It makes the bytes of a file a block: mmap() of a descriptor.
  bool mapsFile(const Call &call, Id callee) const;
  /// A library function whose result is a new block.
  bool makesBlock(const Call &call) const;
  bool isLibrary(const Call &call, LibraryFunction::Kind kind) const {
    const LibraryFunction *l = library(call);
    if (!l)
      return false;
    const bool sleeps = l->kind == LibraryFunction::Wait && l->waitsFor >= 0 &&
                        call.constantAt(uint32_t(l->waitsFor)) == 0;
    return (sleeps ? LibraryFunction::Sleep : l->kind) == kind ||
           (kind == LibraryFunction::Input && l->isInput());
  }

  bool hasTraitOf(const Call &call, LibraryFunction::Trait trait) const {
    return call.callee != None && !facts.functions[call.callee].hasBody &&
           hasTrait(facts.functions[call.callee].name, trait);
  }
  /// It sets what its first argument points to to zero: memset(p, 0, n).
  bool clears(const Call &call) const;
  /// What the program starts with.
  bool isMain(Id function) const {
    return facts.functions[function].hasBody &&
           facts.functions[function].name == "main";
  }

  /// The callee may be what an indirect call leads to: called with another
  /// number of arguments it would be undefined.
  bool takesArgumentsOf(Id callee, const Call &call) const {
    const Function &fn = facts.functions[callee];
    return call.callee != None || fn.isVariadic ||
           fn.params.size() == call.args.size();
  }
  /// A call through a pointer that hands it less than its definition says it
  /// takes does not lead there.
  bool lacksArguments(Id callee, const Call &call) const {
    const Function &fn = facts.functions[callee];
    return call.callee == None && fn.hasPrototype &&
           call.args.size() < fn.params.size();
  }
  /// Used like malloc: given the size of a record, its result taken for one,
  /// and handed none that could be looked for.
  bool makesRecord(const Call &call) const;
  Id outermost(Id loop) const; ///< the loop around all others around `loop`

  // Types.
  bool isPointer(Id type) const {
    return type != None && kind(type) == TypeKind::Pointer;
  }
  bool isFunctionPointer(Id type) const {
    Id to = pointee(type);
    return to != None && kind(to) == TypeKind::Function;
  }
  TypeKind kind(Id type) const { return facts.types[type].kind; }
  Id pointee(Id type) const {
    return isPointer(type) ? facts.types[type].inner : None;
  }
  Id element(Id type) const;          ///< through arrays
  bool holdsPointer(Id record) const; ///< a field, or one of a field of it
  bool mayHoldPointer(Id type) const; ///< it, or an element of it
  /// An array or a record as a whole. Not char text[1], behind which more may
  /// follow.
  bool isTooSmallForPointer(Id type) const;
  Id pointeeRecord(Id type) const; ///< record R for R*, R(*)[]; else None
  Id recordOf(Id type) const;      ///< record R for R, R[]; else None
  /// The record and those that it holds by value, at any depth.
  llvm::ArrayRef<Id> nested(Id record) const { return nested_[record]; }
  /// `outer` is `inner` or holds it by value, at any depth.
  bool contains(Id outer, Id inner) const;
  /// Equal, nested one way or the other, explicitly cast into each other, or a
  /// member of the one is cast into the other.
  bool compatible(Id a, Id b) const;
  /// The records in `outer`, at any depth, a pointer to which is cast to one to
  /// a `record` that is no larger: a sockaddr_storage as a sockaddr_in.
  llvm::SmallVector<Id, 1> partsCastTo(Id outer, Id record) const;
  /// The records whose fields a copy of `record` may hold: those inside, and
  /// what it is cast into. In order.
  std::vector<Id> overlays(Id record) const;
  /// A variable of type `record` may be read as `other`: as a part of it, or by
  /// a cast. It lies in nothing larger, whatever container_of() computes.
  bool mayOverlay(Id record, Id other) const;
  /// The fields that lead from a record to one inside it, at any depth; the
  /// field alone if it is not there.
  std::vector<Id> memberPath(Id record, Id field) const;
  /// All of them: a record may hold several of the type of `field`.
  std::vector<std::vector<Id>> memberPaths(Id record, Id field) const;
  /// Defined in the program, not in a system header, or known to macros alone.
  bool isProgramRecord(Id record) const;
  /// Declared in the text of the program: its body is in a file that was not
  /// given, or in a library that brings no header.
  bool isOwnWithoutBody(Id function) const;

  /// How many of the members on a path lead to the first that is an array of
  /// records, itself counted; 0: none is.
  size_t toTable(const std::vector<Id> &path) const;

  /// Of a static or a function, in reports and in the pool.
  std::string nameOf(Id node) const { return names_.of(node); }
  /// Of a static, or a field of it: "server.db".
  std::string nameOf(Id variable, const std::vector<Id> &path) const;
  /// Of its elements, for an array.
  Id typeOf(Id variable, const std::vector<Id> &path) const {
    return element(path.empty() ? facts.nodes[variable].type
                                : facts.fields[path.back()].type);
  }
  std::string path(Id file) const;
  std::string describe(Loc loc) const; ///< "db.c:162"

private:
  size_t slot(Id function) const {
    return function == None ? facts.functions.size() : function;
  }
  void findDeclared();
  void findMacrosRecords();
  void findDeadEnds();
  void findChildren();
  void findAllocators();

  StaticNames names_;
  uint64_t pointerSize_ = sizeof(void *); ///< of the target
  std::vector<bool> deadEnds_, noReturn_; ///< calls, functions
  std::vector<bool> inChild_, inParent_;  ///< calls
  std::vector<std::vector<Id>> constraints_, calls_, loops_, stores_, callers_;
  struct LookupMap : IdMap<Id> {
    Id lookup_or(Id key, Id otherwise) const {
      auto i = find(key);
      return i == end() ? otherwise : i->second;
    }
  } functionOfNode_, staticPointers_;
  IdSet macrosRecords_;  ///< of system headers whose macros alone know them
  IdSet behindPointers_; ///< what static pointers are another name of
  std::vector<Id> definition_;
  std::vector<bool> addressTaken_, takesValues_; ///< nodes
  std::vector<std::vector<const Definition *>> definitionsOf_;
  /// Functions of other libraries that allocate.
  IdMap<const LibraryFunction *> allocators_;
  std::vector<llvm::SmallVector<Id, 4>>
      nested_; ///< record -> all records inside, with itself
  /// Both ways; and what is declared, with its definitions.
  std::set<std::pair<Id, Id>> casts_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_PROGRAM_H
