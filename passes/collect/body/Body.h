//===- Body.h - The parts that collect one body -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_BODY_H
#define NVMOVE_PASSES_COLLECT_BODY_BODY_H

#include "passes/collect/body/AtomicCollector.h"
#include "passes/collect/body/CallCollector.h"
#include "passes/collect/body/CallSites.h"
#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/body/EnclosingStatements.h"
#include "passes/collect/body/ExpressionCollector.h"
#include "passes/collect/body/InitialiserCollector.h"
#include "passes/collect/body/LoopNest.h"
#include "passes/collect/body/LvalueCollector.h"
#include "passes/collect/body/PathConditions.h"
#include "passes/collect/body/ReachingDefinitions.h"
#include "passes/collect/body/ReturnedValues.h"
#include "passes/collect/body/SiteCollector.h"
#include "passes/collect/body/StatementCollector.h"
#include "passes/collect/body/StoreContexts.h"
#include "passes/collect/scans/VariableUses.h"

namespace nvmove {

/// One function or static. The collectors call each other and write facts; what
/// they have to know of the point that is walked is in the parts above them.
struct Body {
  explicit Body(UnitState &unit) : out(unit) {}

  DefinitionFacts out;
  VariableUses uses;
  PathConditions path{out, uses};
  ReachingDefinitions definitions{out, uses};
  EnclosingStatements enclosing{out.map()};
  LoopNest loops{out};
  ReturnedValues returns{out, path, uses};
  StoreContexts contexts{out, enclosing};
  SiteCollector sites{out, path, enclosing, loops, contexts};
  CallSites callSites{out, uses};

  StatementCollector statements{*this};
  ExpressionCollector expressions{*this};
  LvalueCollector lvalues{*this};
  CallCollector calls{*this};
  AtomicCollector atomics{*this};
  InitialiserCollector initialisers{*this};
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_BODY_H
