//===- IntraArrayPointers.cpp - Pointers into static arrays that come back ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static char names[8192], *end = names;   memcpy(end, s, n); end += n;
//
// What the load puts into the array comes back, so the pointer must not begin
// anew. It is a root; StaticReferents.cpp lets it follow the array into the
// next run.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using IntraArrayPointersParts = View<LoadedStatics>;

/// A variable, and the cell of a field or None.
using Place = std::pair<Id, Id>;

class IntraArrayPointerFinder {
public:
  explicit IntraArrayPointerFinder(const IntraArrayPointersParts &a)
      : p_(a.context.program), f_(p_.facts), pt_(a.context.pointsTo),
        s_(a.state), restored_(a.statics.restored()) {
    auto isArray = [&](Id type) { return p_.kind(type) == TypeKind::Array; };
    for (const RestoredScalar &s : restored_.scalars())
      if (!f_.nodes[s.variable].isFunctionScope && // the pool cannot keep those
          isArray(s.fields.empty() ? f_.nodes[s.variable].type
                                   : f_.fields[s.fields.back()].type))
        arrays_.insert({s.variable, p_.cellOf(s.fields)});
    for (const Root &r : restored_.roots()) {
      known_.insert({r.variable, p_.cellOf(r.fields)});
      if (r.kept() && r.fields.empty() && r.container == None &&
          isArray(f_.nodes[r.variable].type))
        whole_.insert(r.variable);
    }
  }

  void run() {
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && pt_.reached().contains(w.function) &&
          w.value != None && leadsToArray(pt_.pointsTo(w.value)))
        add(w.variable, w.path, {w.function, w.loc});
    // Through pointers: *link = cell.
    for (Id l = 0; l < pt_.locations().size(); ++l) {
      const auto &at = pt_.locations()[l];
      const PointsTo::Object &o = pt_.objects()[at.object];
      if (o.kind != PointsTo::Object::Variable || s_.writesTo(l).empty() ||
          !leadsToArray(pt_.content(l)) ||
          (at.field != None && o.record == None))
        continue;
      std::vector<Id> path;
      if (at.field != None)
        path = p_.memberPath(o.record, at.field);
      add(o.ref, path, s_.proof(l));
    }
  }

private:
  bool leadsToArray(const PointsTo::Set &set) const {
    for (Id l : set) {
      const auto &at = pt_.locations()[l];
      const PointsTo::Object &o = pt_.objects()[at.object];
      if (o.kind == PointsTo::Object::Variable &&
          (whole_.contains(o.ref) || arrays_.contains({Id(o.ref), at.field})))
        return true;
    }
    return false;
  }

  void add(Id variable, const std::vector<Id> &path,
           const LoadedState::Write &write) {
    const Node &n = f_.nodes[variable];
    // Elements of an array of records have no names.
    bool isNamed = path.empty() || p_.kind(n.type) != TypeKind::Array;
    if (n.kind != NodeKind::Global || !n.isDefined || n.isConst || !isNamed ||
        !p_.isPointer(p_.typeOf(variable, path)) ||
        !known_.insert({variable, p_.cellOf(path)}).second)
      return;
    Root r;
    r.path = p_.nameOf(variable, path);
    r.variable = variable;
    r.fields = path;
    r.slotType = path.empty() ? n.type : f_.fields[path.back()].type;
    r.witness.function = write.function;
    r.witness.site = write.loc;
    r.witness.callPath = s_.callPathTo(write.function);
    r.witness.action = "writes " + r.path;
    r.witness.chain = {{r.path, "a static array that is restored",
                        write.function, write.loc, true}};
    restored_.add(std::move(r));
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  RestoredSet &restored_;
  llvm::DenseSet<Place> known_;  ///< roots
  llvm::DenseSet<Place> arrays_; ///< of numbers and text
  IdSet whole_;                  ///< arrays of records
};

} // namespace

namespace nvmove {

void findIntraArrayPointers(IntraArrayPointersParts a) {
  IntraArrayPointerFinder(a).run();
}

} // namespace nvmove
