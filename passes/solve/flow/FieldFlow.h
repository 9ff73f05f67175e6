//===- FieldFlow.h - Whole-program flow with one cell per field -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A coarse, linear companion of the load-phase points-to analysis. It answers
// for the whole program, hence soundly for code that the load phase never runs:
// which functions a pointer may call, which allocation sites may lie behind an
// address, which statics a field may point to. Every object of a record type
// shares that type's field cells; memory without a record type is one cell per
// type of value held.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_FIELDFLOW_H
#define NVMOVE_PASSES_SOLVE_FLOW_FIELDFLOW_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/Allocators.h"
#include "passes/solve/flow/SetFlow.h"

namespace nvmove {

class FieldFlow : private SetFlow {
public:
  /// A part of the program: null stands for all of it.
  struct Part {
    const IdSet *functions = nullptr;
    const IdSet *exceptCalls = nullptr;
    const IdSet *exceptConstraints = nullptr;
  };
  FieldFlow(const Program &program, const Allocators &allocators,
            Part part = {nullptr, nullptr, nullptr});

  struct Token {
    enum Kind : uint8_t { Function, Site, Static, WrapperBlock, Inside } kind;
    /// Function; index into Allocators::sites(); Global node; call inside a
    /// wrapper; record, for the address of a member of some object of that
    /// type.
    Id ref;
  };
  using Set = SetPool::Set;

  const std::vector<Token> &tokens() const { return tokens_; }
  const Set &atNode(Id node) const { return setOf(node); }
  const Set &inField(Id field) const { return atNode(cellOfField(field)); }
  /// Of a variable, or of the last of `fields` in it.
  const Set &inSlot(Id variable, const std::vector<Id> &fields) const {
    return fields.empty() ? atNode(variable) : inField(fields.back());
  }
  const Set &inStrings() const {
    return atNode(misc_);
  } ///< memory that holds pointers to no record
  std::vector<Id> functionsIn(const Set &set) const;
  /// Those that a library's table of functions may hold, a GMarkupParser, or a
  /// record or union within it, sigaction: for an argument that points to one.
  std::vector<Id> functionsInTable(Id argument) const;
  /// &x, &x.f, x[i] for a variable x: no object behind a pointer.
  bool isVariable(Id address) const;
  /// Callees of a call, direct or not.
  const llvm::SmallVector<Id, 2> &callees(Id call) const {
    return callees_[call];
  }
  /// Calls by what they may reach, direct or not: made anew each time.
  using Callers = IdMap<llvm::SmallVector<Id, 2>>;
  Callers callers() const;
  static llvm::ArrayRef<Id> callersIn(const Callers &callers, Id function) {
    auto at = callers.find(function);
    return at == callers.end() ? llvm::ArrayRef<Id>()
                               : llvm::ArrayRef<Id>(at->second);
  }

  /// What holds values: nodes, then the cells of fields and of memory.
  size_t cells() const { return misc_ + 1; }
  /// The cell that a load from, or a store to, `address` concerns.
  Id cellBehind(Id address, Id valueNode) const;
  /// The cell of memory that holds pointers to no record.
  Id rawMemory() const { return misc_; }
  /// What any pointer of some type leads to: neither a value nor a field.
  bool isRaw(Id cell) const { return cell >= recordBase_; }
  Id cellOfField(Id field) const {
    return fieldBase_ + p_.facts.fields[field].cell;
  }

private:
  Id rawCell(Id valueType) const;
  Id rawCellLike(Id cell) const; ///< of memory that holds what the cell holds
  Id resolve(Id address) const;  ///< cell behind an address, or None
  bool takesPart(Id function) const {
    return function == None || !part_.functions ||
           part_.functions->contains(function);
  }
  void build();
  void linkEscapes();
  bool tooSmall(Id type) const; ///< for a pointer
  void edge(Id from, Id to);
  void both(Id a, Id b) {
    edge(a, b);
    edge(b, a);
  }
  void bind(Id call, Id callee);
  bool admits(Id node, unsigned token) const;
  void add(Id node, SetPool::Ref what);
  void run();

  const Program &p_;
  const Allocators &a_;
  const Part part_;
  Id fieldBase_, recordBase_, misc_;
  std::vector<Token> tokens_;
  std::vector<llvm::SmallVector<Id, 1>> indirect_; ///< node -> calls through it
  std::vector<llvm::SmallVector<Id, 2>> callees_;
  std::vector<bool> number_; ///< nodes that are too small for a pointer
  std::vector<Id> filter_; ///< record that a node's pointer type names, or None
  struct Filter {
    Set admitted, refused;
  };
  IdMap<Filter> filters_; ///< by record
  IdMap<unsigned> functionToken_, staticToken_, insideToken_;
  IdSet ownSite_; ///< records that have allocation sites of their own
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_FIELDFLOW_H
