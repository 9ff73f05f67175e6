//===- PointsTo.cpp - Where pointers lead while the state is loaded -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
#include "passes/solve/pointsto/PointsToSolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

PointsTo::PointsTo(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, const PreLoadNullness &nullness,
                   const ProgramPointers &text, Options options)
    : p_(program), nullness_(nullness), text_(text),
      solver_(std::make_unique<PointsToSolver>(
          program, allocators, flow, nullness, text, std::move(options))),
      graph_(solver_->graph), cells_(solver_->cells) {}

PointsTo::~PointsTo() = default;

bool PointsTo::run() {
  if (!solver_->run())
    return false;
  joinInstances();
  return true;
}

void PointsTo::joinInstances() {
  solver_->contexts.eachNode([&](Id text, Id copy) {
    auto [at, fresh] = inAllInstances_.try_emplace(text);
    Set all = fresh ? graph_.setOf(text) : graph_[at->second];
    all |= graph_.setOf(copy);
    at->second = graph_.of(std::move(all));
  });
}

bool PointsTo::isContainer(Id object) const {
  const Object &o = cells_.object(object);
  return o.kind == Object::Preexisting && o.record != None &&
         nullness_.isContainer(o.record);
}

bool PointsTo::isOfLibrary(Id object) const {
  const Object &o = cells_.object(object);
  return isContainer(object) || isRead(object) ||
         (o.kind == Object::Preexisting && o.record != None &&
          (nullness_.isReader(o.record) || text_.isOpaque(o.record)));
}

bool PointsTo::isRead(Id object) const {
  const Object &o = cells_.object(object);
  return o.kind == Object::Preexisting &&
         (o.ref == origin::Read || o.ref == origin::deeper(origin::Read) ||
          o.ref == origin::Made || o.ref == origin::deeper(origin::Made));
}

bool PointsTo::isMadeByLibrary(Id object) const {
  const Object &o = cells_.object(object);
  return isContainer(object) && o.ref == origin::ofHandle(o.record);
}

const std::vector<std::pair<Id, Id>> &PointsTo::fills() const {
  return solver_->marks.fills();
}

const PointsTo::Set &PointsTo::givenWith(Id container) const {
  const Set *given = solver_->calls.library().givenWith(container);
  return given ? *given : graph_[ValueGraph::Ref::Empty];
}

void PointsTo::eachCopy(
    llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
    const {
  solver_->copies.eachCopy(see);
}

const std::map<Id, Id> &PointsTo::reached() const {
  return solver_->calls.reached();
}

bool PointsTo::isPassing(Id function) const {
  return solver_->calls.isPassing(function);
}

const std::vector<std::pair<Id, Id>> &PointsTo::followed() const {
  return solver_->calls.followed();
}

const IdMap<Id> &PointsTo::requestCallbacks() const {
  return solver_->calls.library().requestCallbacks();
}

bool PointsTo::neverDone(llvm::ArrayRef<Id> nonNull, Id function) const {
  if (nonNull.empty() || function == None ||
      p_.facts.functions[function].hasInlineAsm)
    return false;
  auto isNull = [&](Id n) { // what a global held before may never be read
    return p_.facts.nodes[n].kind != NodeKind::Global && pointsTo(n).empty();
  };
  return llvm::any_of(nonNull, isNull) || nullness_.isNull(nonNull, function);
}

bool PointsTo::neverDone(const StaticWrite &w) const {
  return neverDone(w.nonNull, w.function) ||
         (w.path.empty() && nullness_.neverWrites(w.function, w.variable));
}

std::vector<Id> PointsTo::neverRun() const { return solver_->calls.neverRun(); }

std::vector<Id> PointsTo::setUpsNotFollowed() const {
  std::vector<Id> result;
  for (Id call : solver_->in.options.firstUses)
    if (reached().contains(p_.facts.calls[call].function))
      result.push_back(call);
  llvm::sort(result);
  return result;
}

std::vector<std::pair<Id, Id>> PointsTo::logsNotFollowed() const {
  return solver_->calls.logsNotFollowed();
}

const std::vector<std::pair<Id, Id>> &PointsTo::libraryCallsReached() const {
  return solver_->calls.library().calls();
}

bool PointsTo::isHandedOver(Id node) const {
  return solver_->calls.isHandedOver(node);
}

bool PointsTo::callersKeep() const { return solver_->in.options.callersKeep; }
