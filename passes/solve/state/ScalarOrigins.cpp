//===- ScalarOrigins.cpp - What numbers are computed from -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/RootIndicesAndSizes-ring.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/ScalarOrigins.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"

using namespace nvmove;

ScalarOrigins::ScalarOrigins(const Program &program, const PointsTo &pointsTo,
                             const DefinitionIndex &values, Calls calls)
    : p_(program), f_(program.facts), pt_(pointsTo), values_(values),
      calls_(calls) {
  for (const Function &fn : f_.functions)
    for (unsigned k = 0; k < fn.params.size(); ++k)
      params_[fn.params[k]] = k;
}

namespace {

/// Numbers, through the functions of the program that are called by name.
class Numbers : public BackwardSlice {
public:
  /// False: enough.
  using Variable = llvm::function_ref<bool(Id variable, bool isComputed)>;
  using Read = llvm::function_ref<bool(Id address, bool isComputed)>;
  using Counts = llvm::function_ref<bool(const Call &)>;

  Numbers(const Program &program, const DefinitionIndex &values,
          Variable variable, Read read, Counts counts)
      : BackwardSlice(program, values,
                      {.results = true, .parameters = true, .computed = true}),
        variable_(variable), read_(read), counts_(counts) {}

private:
  Step value(Id n) override {
    const Node &node = f_.nodes[n];
    if (p_.isPointer(node.type))
      return Skip;
    const bool isGlobal = node.kind == NodeKind::Global;
    if ((isGlobal || node.kind == NodeKind::Local) &&
        !variable_(n, isComputed()))
      return Stop;
    return isGlobal ? Skip : Follow;
  }
  Step definition(const Constraint &c) override {
    if (c.flow != Flow::Load)
      return Follow;
    return read_(c.src, isComputed()) ? Skip : Stop;
  }
  Step argument(const Call &c, size_t) override {
    return counts_(c) ? Follow : Skip;
  }

  Variable variable_;
  Read read_;
  Counts counts_;
};

} // namespace

bool ScalarOrigins::each(llvm::ArrayRef<Id> values, Visit visit,
                         const FieldFlow *flow) const {
  auto variable = [&](Id n, bool isComputed) {
    return visit({n, None}, isComputed);
  };
  auto read = [&](Id address, bool isComputed) {
    return eachRead(address, isComputed, visit, flow);
  };
  auto counts = [&](const Call &c) {
    return calls_ == Calls::All || pt_.reached().contains(c.function);
  };
  return Numbers(p_, values_, variable, read, counts).run(values) ==
         BackwardSlice::Whole;
}

bool ScalarOrigins::eachRead(Id address, bool isComputed, Visit visit,
                             const FieldFlow *flow) const {
  const AccessPath path(p_, address, Flow::Member);
  const Id member = path.steps.empty() ? None : path.steps.back()->extra,
           base = path.steps.empty() ? None : path.steps.back()->src,
           cell = member == None ? None : f_.fields[member].cell;
  if (path.isAddress && path.steps.size() <= 1)
    return visit({path.base, cell}, isComputed);
  for (Id l : pt_.pointsTo(address))
    if (const auto &o = pt_.objects()[pt_.locations()[l].object];
        o.kind == PointsTo::Object::Variable &&
        !visit({o.ref, pt_.locations()[l].field}, isComputed))
      return false;
  if (flow && base != None && !pt_.reached().contains(f_.nodes[base].function))
    for (unsigned t : flow->atNode(base))
      if (const FieldFlow::Token &k = flow->tokens()[t];
          k.kind == FieldFlow::Token::Static &&
          !visit({k.ref, cell}, isComputed))
        return false;
  return true;
}

void ScalarOrigins::add(llvm::ArrayRef<Id> values, Places &places,
                        const FieldFlow *flow) const {
  each(values, [&](Place at, bool) { return places.insert(at), true; }, flow);
}

void ScalarOrigins::addCopied(llvm::ArrayRef<Id> values, Places &places) const {
  each(values, [&](Place at, bool isComputed) {
    if (!isComputed)
      places.insert(at);
    return true;
  });
}

bool ScalarOrigins::isFrom(Id value, Place place) const {
  return !each(value, [&](Place at, bool) { return at != place; });
}

bool ScalarOrigins::isComputedFrom(Id value, Place place) const {
  return !each(value, [&](Place at, bool isComputed) {
    return !isComputed || at != place;
  });
}

bool ScalarOrigins::isCounted(Id value) const {
  bool any = false;
  return each(value,
              [&](Place at, bool) {
                any = true;
                return isCounter(at.first);
              }) &&
         any;
}

bool ScalarOrigins::isCounter(Id variable) const {
  return f_.nodes[variable].kind == NodeKind::Local &&
         !p_.isAddressTaken(variable) && !params_.contains(variable) &&
         values_.definitions(variable).empty();
}
