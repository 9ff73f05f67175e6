//===- DefinitionFacts.cpp - The facts of one definition ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/facts/References.h"

using namespace clang;
using namespace nvmove;

void DefinitionFacts::begin() {
  d_.nodes.begin = u_.localNodes.size();
  forEachDefinitionList([&](auto list, auto range) {
    (d_.*range).begin = (u_.facts.*list).size();
  });
}

void DefinitionFacts::beginFunction(const FunctionDecl *f) {
  begin();
  function_ = d_.function = u_.entities.function(f);
  d_.loc = u_.map.loc(f->getLocation());
  for (const ParmVarDecl *p : f->parameters())
    d_.params.push_back(variable(p));
  if (!f->getReturnType()->isVoidType())
    d_.result = addLocal(NodeKind::Return, f->getName(), f->getReturnType(),
                         f->getLocation());
}

void DefinitionFacts::beginStatic(const VarDecl *v) {
  begin();
  isStatic_ = true;
  d_.variable = u_.entities.global(v);
  d_.loc = u_.map.loc(v->getLocation());
}

void DefinitionFacts::end() {
  d_.nodes.end = u_.localNodes.size();
  forEachDefinitionList([&](auto list, auto range) {
    (d_.*range).end = (u_.facts.*list).size();
  });
  u_.facts.definitions.push_back(d_);
}

//===-- Nodes -------------------------------------------------------------===//

Node &DefinitionFacts::node(Id id) {
  return id & LocalNode ? u_.localNodes[id & ~LocalNode] : u_.facts.nodes[id];
}

Id DefinitionFacts::addLocal(NodeKind kind, llvm::StringRef name, QualType type,
                             SourceLocation at) {
  Node n;
  n.kind = kind;
  n.name = name;
  n.function = function_;
  n.type = u_.entities.type(type);
  n.loc = u_.map.loc(at);
  u_.localNodes.push_back(std::move(n));
  return LocalNode | Id(u_.localNodes.size() - 1);
}

Id DefinitionFacts::addressTemp(QualType pointee, SourceLocation at) {
  return temp(u_.ast.getPointerType(pointee), at);
}

Id DefinitionFacts::variable(const VarDecl *v) {
  if (v->hasGlobalStorage())
    return u_.entities.global(v);
  if (auto i = locals_.find(v); i != locals_.end())
    return i->second;
  Id id =
      addLocal(NodeKind::Local, v->getName(), v->getType(), v->getLocation());
  node(id).isConst = v->getType().isConstQualified();
  return locals_[v] = id;
}

Id DefinitionFacts::addressOf(const VarDecl *v, SourceLocation at) {
  Id of = variable(v);
  auto [i, fresh] = addressOf_.try_emplace(of, None);
  if (fresh) {
    Id result = addressTemp(v->getType(), at);
    flow(Flow::AddressOf, result, of, at);
    addressOf_[of] = result;
    return result;
  }
  return i->second;
}

std::pair<Id, Id> DefinitionFacts::idOf(const ValueDecl *place) {
  if (const auto *f = dyn_cast<FieldDecl>(place))
    return {None, u_.entities.field(f)};
  return {variable(cast<VarDecl>(place)), None};
}

//===-- Flow --------------------------------------------------------------===//

void DefinitionFacts::flow(Flow flow, Id dst, Id src, SourceLocation at,
                           Id extra) {
  u_.facts.constraints.push_back(
      {flow, dst, src, extra, function_, u_.map.loc(at)});
}

void DefinitionFacts::copy(Id dst, Id src, SourceLocation at) {
  if (dst != None && src != None && dst != src)
    flow(Flow::Copy, dst, src, at);
}

void DefinitionFacts::store(Id address, Id what, QualType type,
                            SourceLocation at) {
  if (type->isRecordType())
    flow(Flow::CopyMemory, address, what, at, u_.entities.type(type));
  else
    flow(Flow::Store, address, what, at);
}

Id DefinitionFacts::arithmetic(std::initializer_list<Id> operands,
                               QualType type, SourceLocation at) {
  Id result = None;
  for (Id v : operands) {
    if (v == None)
      continue;
    if (result == None)
      result = temp(type, at);
    flow(Flow::Arith, result, v, at);
  }
  return result;
}

Id DefinitionFacts::indexed(Id pointer, Id index, QualType type,
                            SourceLocation at) {
  if (pointer == None)
    return arithmetic({index}, type, at);
  Id result = temp(type, at);
  flow(Flow::Index, result, pointer, at, index);
  return result;
}

Id DefinitionFacts::valueOfResult(Id result, QualType type, SourceLocation at) {
  if (result == None || !type->isRecordType())
    return result;
  Id address = addressTemp(type, at);
  flow(Flow::AddressOf, address, result, at);
  return address;
}

void DefinitionFacts::returned(Id what, QualType type, SourceLocation at) {
  if (what == None || d_.result == None)
    return;
  if (!type->isRecordType())
    return copy(d_.result, what, at);
  store(valueOfResult(d_.result, type, at), what, type, at);
}

void DefinitionFacts::gap(Gap::Kind kind, SourceLocation at,
                          const std::string &what) {
  u_.facts.gaps.push_back({kind, u_.map.loc(at), function_, what});
}

//===-- Calls and stores --------------------------------------------------===//

Id DefinitionFacts::addCall(const CallExpr *e, Call call) {
  Id id = calls_[e] = u_.facts.calls.size();
  u_.facts.calls.push_back(std::move(call));
  return id;
}

Id DefinitionFacts::addStore(const Expr *store, StoreSite site) {
  Id id = u_.facts.stores.size();
  if (store)
    stores_.try_emplace(store, id);
  u_.facts.stores.push_back(std::move(site));
  return id;
}

void DefinitionFacts::addStaticWrite(const Expr *store, StaticWrite write) {
  if (store)
    staticWrites_.try_emplace(store, u_.facts.staticWrites.size());
  u_.facts.staticWrites.push_back(std::move(write));
}

Id DefinitionFacts::callOf(const CallExpr *e) const {
  auto at = calls_.find(e);
  return at == calls_.end() ? None : at->second;
}

Id DefinitionFacts::storeOf(const Expr *store) const {
  auto at = stores_.find(store);
  return at == stores_.end() ? None : at->second;
}

Id DefinitionFacts::staticWriteOf(const Expr *store) const {
  auto at = staticWrites_.find(store);
  return at == staticWrites_.end() ? None : at->second;
}

Id DefinitionFacts::resultOf(const CallExpr *e) const {
  Id call = callOf(e);
  return call == None ? None : u_.facts.calls[call].result;
}
