//===- FrameScalars.cpp - Numbers of main's locals that outlive the process
//===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int main(void) { struct app app = {0}; load(&app); .. }
//
// app.first is a root. app.count, which the load counts up, goes with it.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class FrameScalars {
public:
  FrameScalars(const SolveContext &c, const LoadedState &s, Solution &solution)
      : p_(c.program), f_(c.program.facts), pt_(c.pointsTo), s_(s),
        out_(solution) {}

  void run() {
    IdSet variables;
    for (const Root &r : out_.roots)
      if (r.kept() && f_.nodes[r.variable].kind == NodeKind::Local)
        variables.insert(r.variable);
    if (variables.empty())
      return;
    findCounted();
    for (Id o = 0; o < pt_.objects().size(); ++o)
      if (pt_.objects()[o].kind == PointsTo::Object::Variable &&
          variables.contains(pt_.objects()[o].ref))
        for (Id l : pt_.locationsOf(o))
          look(pt_.objects()[o].ref, l);
  }

private:
  void look(Id variable, Id l) {
    Id record = p_.recordOf(f_.nodes[variable].type),
       field = pt_.locations()[l].field;
    if (record == None || field == None || s_.writesTo(l).empty() ||
        p_.kind(f_.nodes[variable].type) == TypeKind::Array)
      return;
    std::vector<Id> path = p_.memberPath(record, field);
    Id type = p_.typeOf(variable, path);
    if (type == None || p_.isPointer(type) || p_.recordOf(type) != None)
      return;
    const LoadedState::Write &w = s_.proof(l);
    std::string name = p_.nameOf(variable, path);
    bool fromFile = pt_.holdsFileBytes(pt_.content(l));
    if (fromFile || counted_.contains(l))
      out_.scalars.push_back({variable, path, name,
                              (fromFile ? "gets a value from the file at "
                                        : "counts what is loaded at ") +
                                  p_.describe(w.loc)});
    else
      out_.notCovered.push_back(
          {"set-by-load", w.loc, w.function,
           name + " is set by the load, but not restored: where the program "
                  "relies on it, name it with nvm_root()"});
  }

  void findCounted() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : p_.storesOf(fn))
        if (const StoreSite &s = f_.stores[i];
            s.readModifyWrite && s.address != None)
          for (Id l : pt_.pointsTo(s.address))
            counted_.insert(l);
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  Solution &out_;
  IdSet counted_; ///< locations that are read, changed and written
};

} // namespace

void nvmove::findFrameScalars(const SolveContext &context,
                              const LoadedState &state, Solution &solution) {
  FrameScalars(context, state, solution).run();
}
