//===- OrphanedIndices.cpp - Numbers that come back without their array ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct move moves[99]; static int last;   moves[++last].from = from;
//
// What the load only counts is restored, and what it computes by itself is not.
// Then the number says where in an array something lies that is not there.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include <map>

REPORTS(IndexAlone)

using namespace nvmove;

namespace {

using OrphanedIndicesParts = View<const ServedStatics>;

class OrphanedIndices {
public:
  explicit OrphanedIndices(const OrphanedIndicesParts &a)
      : p_(a.context.program), f_(p_.facts), pt_(a.context.pointsTo),
        s_(a.state), kept_(a.statics.restored()), out_(a.findings),
        origins_(a.measures.origins()) {
    for (const RestoredScalar &s : kept_.scalars()) {
      Id field = s.fields.empty() ? None : s.fields.back();
      Id l = pt_.find(s.variable, field);
      ScalarOrigins::Place place{s.variable,
                                 field == None ? None : f_.fields[field].cell};
      if ((l == None || !pt_.holdsFileBytes(pt_.content(l))) &&
          !a.measures.choose(place))
        numbers_.try_emplace(place, &s);
    }
  }

  void run() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : p_.constraintsOf(fn))
        if (const Constraint &c = f_.constraints[i];
            c.flow == Flow::Index && c.extra != None && c.src != None)
          if (Id array = lostArray(c.src); array != None)
            report(c, array);
  }

private:
  /// A static array that the load writes, and of which nothing comes back; None
  /// if the address may lead anywhere else.
  Id lostArray(Id address) const {
    Id array = None;
    for (Id l : pt_.pointsTo(address)) {
      if (!pt_.isMemory(l))
        continue;
      const auto &at = pt_.locations()[l];
      const PointsTo::Object &o = pt_.objects()[at.object];
      if (o.kind != PointsTo::Object::Variable || kept_.holdsPartOf(o.ref) ||
          f_.nodes[o.ref].kind != NodeKind::Global || f_.nodes[o.ref].isConst ||
          !isWritten(at.object))
        return None;
      array = o.ref;
    }
    return array;
  }

  bool isWritten(Id object) const {
    for (Id l : pt_.locationsOf(object))
      if (!s_.writesTo(l).empty())
        return true;
    return false;
  }

  void report(const Constraint &c, Id array) {
    ScalarOrigins::Places places;
    origins_.add(c.extra, places);
    for (auto &[place, scalar] : numbers_)
      if (places.contains(place))
        out_.reportOnce(
            scalar->path,
            {FindingId::IndexAlone, c.loc, c.function,
             scalar->path + " is restored, but " + p_.nameOf(array) +
                 ", which it indexes, is not",
             "name " + p_.nameOf(array) +
                 " with nvm_root(), or do not restore the index: --afresh " +
                 scalar->path});
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const RestoredSet &kept_;
  FindingList &out_;
  const ScalarOrigins &origins_;
  std::map<ScalarOrigins::Place, const RestoredScalar *> numbers_;
};

} // namespace

namespace nvmove {

void reportOrphanedIndices(OrphanedIndicesParts a) { OrphanedIndices(a).run(); }

} // namespace nvmove
