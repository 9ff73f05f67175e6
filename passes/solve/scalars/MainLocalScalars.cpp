//===- MainLocalScalars.cpp - Numbers of main's locals that are restored --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int main(void) { struct app app = {0}; load(&app); .. }
//
// app.first is a root. app.count, which the load counts up, goes with it, and
// so does what says where in what hangs there things lie: app.names.n, a
// vector's. Also where nothing hangs from it: what the load fills there,
// Scalars.cpp has found.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using MainLocalScalarsParts = View<LoadedStatics>;

class MainLocalScalars {
public:
  explicit MainLocalScalars(const MainLocalScalarsParts &a)
      : p_(a.context.program), f_(p_.facts), pt_(a.context.pointsTo),
        s_(a.state), measures_(a.measures), members_(a.context.members.numbers),
        restored_(a.statics.restored()), statics_(a.statics) {}

  void run() {
    IdSet variables;
    for (const Root &r : restored_.roots())
      if (r.kept() && f_.nodes[r.variable].kind == NodeKind::Local)
        variables.insert(r.variable);
    for (const RestoredScalar &scalar : restored_.scalars())
      if (f_.nodes[scalar.variable].kind == NodeKind::Local)
        variables.insert(scalar.variable);
    if (variables.empty())
      return;
    findStored();
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
    if (record == None || field == None ||
        p_.kind(f_.nodes[variable].type) == TypeKind::Array)
      return;
    for (const std::vector<Id> &path : members_.waysTo(record, field).filled)
      look(variable, path, l);
  }

  void look(Id variable, const std::vector<Id> &path, Id l) {
    Id field = pt_.locations()[l].field;
    Id type = p_.typeOf(variable, path);
    if (type == None || p_.isPointer(type) || p_.recordOf(type) != None)
      return;
    if (auto stored = stored_.find(l); stored != stored_.end())
      if (std::optional<Evidence> why = measures_.of({variable, field})) {
        statics_.note({variable, path}, {*why, f_.stores[stored->second].loc});
        return;
      }
    if (s_.writesTo(l).empty())
      return;
    const LoadedState::Write &w = s_.proof(l);
    Evidence seen = pt_.holdsFileBytes(pt_.content(l)) ? Evidence::GetsFileData
                    : counted_.contains(l)             ? Evidence::CountsLoaded
                    : !s_.putAside(l).empty()          ? Evidence::AssignedWhole
                                                       : Evidence::SetByLoad;
    statics_.note({variable, path}, {seen, w.loc, w.function});
  }

  void findStored() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : p_.storesOf(fn))
        if (const StoreSite &s = f_.stores[i];
            s.address != None && !pt_.neverDone(s.nonNull, fn))
          for (Id l : pt_.pointsTo(s.address)) {
            stored_.try_emplace(l, i);
            if (s.readModifyWrite)
              counted_.insert(l);
          }
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const IndicesAndSizes &measures_;
  MemberDisambiguation &members_;
  const RestoredSet &restored_;
  StaticEvidence &statics_;
  IdMap<Id> stored_; ///< location that the load writes -> store
  IdSet counted_;    ///< locations that are read, changed and written
};

} // namespace

namespace nvmove {

void findMainLocalScalars(MainLocalScalarsParts a) {
  MainLocalScalars(a).run();
}

} // namespace nvmove
