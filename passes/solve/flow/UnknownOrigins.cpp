//===- UnknownOrigins.cpp - Which pointers come from nowhere known --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two bits for each value and each cell, spread along the flow: it may hold
// what is known, it may hold what is not. Pointers to records stop the second:
// what lies in a record is decided by its type, as everywhere else.
//
// Tested by: test/unit/solve/sites/SitesTest.cpp
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/UnknownOrigins.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

UnknownOrigins::UnknownOrigins(const Program &program,
                               const Allocators &allocators,
                               const FieldFlow &flow)
    : p_(program), a_(allocators), flow_(flow) {
  bits_.resize(flow_.cells());
  source_.assign(flow_.cells(), None);
  out_.resize(flow_.cells());
  edges();
  origins();
  callbacks();
  spread();
  numbers();
  spread();
}

bool UnknownOrigins::isTypedPointer(Id node) const {
  return node < p_.facts.nodes.size() && p_.facts.nodes[node].type != None &&
         p_.pointeeRecord(p_.facts.nodes[node].type) != None;
}

void UnknownOrigins::edge(Id from, Id to) {
  if (from != None && to != None && from != to)
    out_[from].push_back(to);
}

void UnknownOrigins::give(Id node, uint8_t bits, Id source) {
  if (node == None)
    return;
  if (isTypedPointer(node))
    bits = Known;
  if ((bits_[node] | bits) == bits_[node])
    return;
  if (bits & ~bits_[node] & Foreign)
    source_[node] = source == None ? node : source;
  bits_[node] |= bits;
  open_.push_back(node);
}

void UnknownOrigins::edges() {
  const Facts &f = p_.facts;
  for (const Constraint &c : f.constraints)
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Index:
    case Flow::Arith:
      edge(c.src, c.dst);
      break;
    case Flow::Load:
      edge(flow_.cellBehind(c.src, c.dst), c.dst);
      break;
    case Flow::Store:
      edge(c.src, flow_.cellBehind(c.dst, c.src));
      break;
    case Flow::Member: // inside a record: decided by its type
    case Flow::AddressOf:
      give(c.dst, Known);
      break;
    case Flow::CopyMemory:
      edge(flow_.rawMemory(), flow_.cellBehind(c.dst, None));
      edge(flow_.cellBehind(c.src, None), flow_.rawMemory());
      break;
    }
  for (Id i = 0; i < f.calls.size(); ++i)
    for (Id callee : flow_.callees(i)) {
      const Call &c = f.calls[i];
      const Function &fn = f.functions[callee];
      for (size_t k = 0; k < c.args.size(); ++k) {
        Id to = k < fn.params.size() ? fn.params[k] : fn.variadic;
        edge(c.args[k], to);
        if (c.argIsZeroOrNull[k])
          give(to, Known); // null: no store
      }
      edge(fn.result, c.result);
    }
}

void UnknownOrigins::origins() {
  const Facts &f = p_.facts;
  IdSet defined; // results that the C library hands through
  for (const Constraint &c : f.constraints)
    defined.insert(c.dst);
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    const LibraryFunction *l = p_.library(c);
    if (a_.allocates(c) || (l && l->kind == LibraryFunction::Allocate)) {
      give(c.result, Known);
      continue;
    }
    bool foreign = flow_.callees(i).empty();
    for (Id callee : flow_.callees(i))
      foreign |=
          !f.functions[callee].hasBody &&
          !hasTrait(f.functions[callee].name, LibraryFunction::OwnMemory);
    if (!foreign) {
      for (Id callee : flow_.callees(i))
        if (!f.functions[callee].hasBody)
          give(c.result, Known);
      continue;
    }
    if (c.result != None && p_.isPointer(f.nodes[c.result].type) &&
        !defined.contains(c.result))
      give(c.result, Foreign);
    // open(&handle): a pointer that the library stores.
    for (size_t k = 0; !l && k < c.args.size(); ++k)
      if (Id a = c.args[k]; a != None && !c.argIsReadOnly[k] &&
                            p_.isPointer(p_.pointee(f.nodes[a].type)))
        if (Id variable = p_.variableAt(a); variable != None)
          give(variable, Foreign, a);
  }
}

/// Functions that nothing in the program calls, but code outside of it may.
void UnknownOrigins::callbacks() {
  const Facts &f = p_.facts;
  std::vector<bool> called(f.functions.size()), handedOut(f.functions.size());
  bool hasMain = false;
  for (Id i = 0; i < f.functions.size(); ++i)
    hasMain |= p_.isMain(i);
  for (Id i = 0; i < f.calls.size(); ++i) {
    bool outside = flow_.callees(i).empty();
    for (Id callee : flow_.callees(i)) {
      called[callee] = true;
      outside |= !f.functions[callee].hasBody;
    }
    if (outside)
      for (Id a : f.calls[i].args)
        if (a != None)
          for (Id fn : flow_.functionsIn(flow_.atNode(a)))
            handedOut[fn] = true;
  }
  for (Id i = 0; i < f.functions.size(); ++i) {
    const Function &fn = f.functions[i];
    bool foreign = handedOut[i] || (!hasMain && !fn.isStatic && !called[i]);
    // What nobody calls, and what the system calls main with, is no block.
    if (foreign || !called[i])
      for (Id p : fn.params)
        give(p, foreign ? Foreign : Known);
  }
}

/// A number that holds no address becomes a pointer. A constant is the address
/// of a fixed place, which is none of the heap's.
void UnknownOrigins::numbers() {
  const Facts &f = p_.facts;
  std::vector<bool> computed(f.nodes.size());
  for (const Constraint &c : f.constraints)
    computed[c.dst] = true;
  for (const Call &c : f.calls)
    if (c.result != None)
      computed[c.result] = true;
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Cast && p_.isPointer(f.nodes[c.dst].type) &&
        !p_.isPointer(f.nodes[c.src].type) && !bits_[c.src])
      give(c.dst, computed[c.src] || f.nodes[c.src].kind != NodeKind::Temp
                      ? Foreign
                      : Known);
}

void UnknownOrigins::spread() {
  while (!open_.empty()) {
    Id node = open_.back();
    open_.pop_back();
    // A pointer to a record is known whatever it comes from.
    uint8_t bits = isTypedPointer(node) ? uint8_t(Known) : bits_[node];
    for (Id to : out_[node])
      give(to, bits, source_[node]);
  }
}

std::string UnknownOrigins::unknownOrigin(Id node) const {
  if (node == None)
    return "the address of a fixed place";
  if (bits_[node] == Known || isTypedPointer(node))
    return "";
  if (!bits_[node])
    return "no store to it was found";
  Id source = source_[node];
  if (source >= p_.facts.nodes.size())
    return "it comes from outside";
  const Node &n = p_.facts.nodes[source];
  if (n.kind == NodeKind::Local && !n.name.empty())
    return "'" + n.name + "' at " + p_.describe(n.loc) +
           " is passed by code outside of these files";
  return "it comes from outside of these files at " + p_.describe(n.loc);
}
