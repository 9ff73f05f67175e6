//===- Twins.cpp - Statics that persistent fields point to ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

using Object = PointsTo::Object;

static bool pointsToCode(const Facts &f, Id type) {
  while (f.types[type].kind == TypeKind::Array)
    type = f.types[type].inner;
  return f.types[type].kind == TypeKind::Pointer &&
         f.types[f.types[type].inner].kind == TypeKind::Function;
}

void nvmove::findTwins(const SolveContext &c, const LoadedState &s,
                       Solution &solution) {
  const Facts &f = c.program.facts;
  const PointsTo &pt = c.pointsTo;
  IdSet persistent;
  for (const PersistentType &t : solution.types)
    persistent.insert(t.record);
  std::map<Id, Id> twins, functions; // variable or function -> field
  llvm::DenseSet<std::pair<Id, const LoadedState::Write *>> seen; // by field
  for (Id o = 0; o < pt.objects().size(); ++o) {
    if (!s.reachable(o) || pt.objects()[o].kind == Object::Variable)
      continue;
    for (Id l : pt.locationsOf(o)) {
      Id field = pt.locations()[l].field;
      if (field == None || !persistent.contains(f.fields[field].record) ||
          s.writesTo(l).empty())
        continue;
      s.writesTo(l).each([&](const LoadedState::Write &w) {
        if (w.value == None || !seen.insert({field, &w}).second)
          return;
        for (Id t : pt.pointsTo(w.value)) {
          const Object &target = pt.objects()[pt.locations()[t].object];
          std::string where = f.records[f.fields[field].record].name + "." +
                              f.fields[field].name;
          if (target.kind == Object::Function &&
              f.functions[target.ref].hasBody) {
            functions.try_emplace(target.ref, field);
          } else if (target.kind == Object::Function) {
            solution.notCovered.push_back(
                {"code-pointer", w.loc, w.function,
                 where + " holds the address of function " +
                     f.functions[target.ref].name +
                     ", which is not the program's own and lies elsewhere in "
                     "every run"});
          } else if (target.kind == Object::Variable &&
                     f.nodes[target.ref].kind == NodeKind::Literal) {
            solution.notCovered.push_back(
                {"pointer-to-literal", w.loc, w.function,
                 where + " holds the address of a string literal, which "
                         "changes with every build; copy the string"});
          } else if (target.kind == Object::Variable &&
                     f.nodes[target.ref].kind == NodeKind::Global) {
            twins.try_emplace(target.ref, field);
          }
        }
      });
    }
  }
  // Code outside the load may put other statics there, by the field's type.
  for (const PersistentType &type : solution.types)
    for (Id field : f.records[type.record].fields) {
      if (pointsToCode(f, f.fields[field].type))
        for (Id function : c.flow.functionsIn(c.flow.inField(field)))
          if (f.functions[function].hasBody)
            functions.try_emplace(function, field);
      Id pointee = c.program.pointeeRecord(f.fields[field].type);
      if (pointee == None)
        continue;
      for (unsigned token : c.flow.inField(field)) {
        const auto &k = c.flow.tokens()[token];
        if (k.kind == FieldFlow::Token::Static &&
            c.program.recordOf(f.nodes[k.ref].type) == pointee)
          twins.try_emplace(k.ref, field);
      }
    }
  // By its name, or through a pointer: the head of a list that links go round
  // to.
  IdSet written;
  for (const StaticWrite &w : f.staticWrites)
    written.insert(w.variable);
  for (const StoreSite &store : f.stores)
    if (store.address != None)
      for (unsigned token : c.flow.atNode(store.address)) {
        const auto &k = c.flow.tokens()[token];
        if (k.kind == FieldFlow::Token::Static)
          written.insert(k.ref);
      }
  for (auto &[variable, id] : twins) {
    const Field &field = f.fields[id];
    std::string where = f.records[field.record].name + "." + field.name;
    const Node &n = f.nodes[variable];
    bool isWritten = written.contains(variable) && !n.isConst;
    if (isWritten || !n.isDefined) {
      solution.notCovered.push_back(
          {"pointer-to-static", n.loc, None,
           where + " may point to " + n.name +
               (isWritten ? ", which is written at run time"
                          : ", which is not defined here")});
      continue;
    }
    Twin t{variable, {}, id, where + " points to it"};
    for (Id u = 0; u < f.addressUses.size(); ++u)
      if (f.addressUses[u].variable == variable)
        t.uses.push_back(u);
    solution.twins.push_back(std::move(t));
  }
  for (auto &[function, id] : functions) {
    const Field &field = f.fields[id];
    Twin t{f.functions[function].node,
           {},
           id,
           f.records[field.record].name + "." + field.name + " points to it"};
    for (Id u = 0; u < f.addressUses.size(); ++u)
      if (c.program.functionOf(f.addressUses[u].variable) == function)
        t.uses.push_back(u);
    solution.twins.push_back(std::move(t));
  }
}
