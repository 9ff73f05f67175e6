//===- MovedObjects.cpp - Lists that loaded objects are moved to ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct job *ready, *busy;
//   void take() { j = ready; ready = j->next; j->next = busy; busy = j; }
//
// The load fills one list, and commands move what it made to another, whose
// head nothing keeps: after a restart it is in neither.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/MovedObjects.h"
#include "passes/solve/KeptStatics.h"
#include <set>

using namespace nvmove;

namespace {

class MovedObjects {
public:
  MovedObjects(const SolveContext &context, Solution &solution)
      : c_(context), p_(context.program), f_(p_.facts), pt_(context.pointsTo),
        kept_(solution), out_(solution) {}

  void run() {
    IdSet persistent;
    for (const PersistentType &t : out_.types)
      persistent.insert(t.record);
    std::set<std::string> byLoad, told;
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && pt_.reached().contains(w.function))
        byLoad.insert(p_.nameOf(w.variable, w.path));
    for (const StaticWrite &w : f_.staticWrites) {
      const Node &n = f_.nodes[w.variable];
      Id type = p_.typeOf(w.variable, w.path);
      Id record = type == None ? None : p_.pointeeRecord(type);
      if (w.function == None || w.value == None || !w.isScalar ||
          !n.isDefined || n.isFunctionScope || record == None ||
          !persistent.contains(record) || kept_.holds(w) || !isPushed(w) ||
          !isOfLoad(w.value))
        continue;
      std::string name = p_.nameOf(w.variable, w.path);
      if (!byLoad.count(name) && told.insert(name).second)
        out_.notCovered.push_back(
            {"head-not-kept", w.loc, w.function,
             name + " is not kept, since the load does not fill it, though "
                    "objects of the load are moved there: name it with "
                    "nvm_root()"});
    }
  }

private:
  Id origin(Id node) const {
    while (node != None && p_.copied(node) != None)
      node = p_.copied(node);
    return node;
  }

  /// j->next = head; head = j;
  bool isPushed(const StaticWrite &w) const {
    Id pushed = origin(w.value);
    for (Id i : p_.constraintsOf(w.function)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow != Flow::Store || c.src == None || c.dst == None)
        continue;
      Id d = p_.definition(c.dst);
      if (d != None && f_.constraints[d].flow == Flow::Member &&
          origin(f_.constraints[d].src) == pushed && isValueOf(w, c.src))
        return true;
    }
    return false;
  }

  /// What the static held before.
  bool isValueOf(const StaticWrite &w, Id value) const {
    value = origin(value);
    if (w.path.empty())
      return value == w.variable;
    Id d = p_.definition(value);
    if (d == None || f_.constraints[d].flow != Flow::Load)
      return false;
    d = p_.definition(f_.constraints[d].src);
    if (d == None || f_.constraints[d].flow != Flow::Member ||
        f_.constraints[d].extra != w.path.back())
      return false;
    for (d = p_.definition(f_.constraints[d].src);
         d != None && f_.constraints[d].flow == Flow::Member;)
      d = p_.definition(f_.constraints[d].src);
    return d != None && f_.constraints[d].flow == Flow::AddressOf &&
           f_.constraints[d].src == w.variable;
  }

  bool isOfLoad(Id value) const {
    for (unsigned t : c_.flow.atNode(value)) {
      const FieldFlow::Token &k = c_.flow.tokens()[t];
      if (k.kind != FieldFlow::Token::Site)
        continue;
      Id fn = f_.calls[c_.allocators.sites()[k.ref].call].function;
      if (fn != None && pt_.reached().contains(fn))
        return true;
    }
    return false;
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const KeptStatics kept_;
  Solution &out_;
};

} // namespace

void nvmove::tellMovedObjects(const SolveContext &context, Solution &solution) {
  MovedObjects(context, solution).run();
}
