//===- LinkedStatics.cpp - Static records among those of the heap --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/LinkedStatics.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace nvmove;

namespace {

class LinkedStaticFinder {
public:
  LinkedStaticFinder(const SolveContext &context, const LoadedState &state,
                     const SeeStaticInList &see)
      : c_(context), p_(context.program), f_(p_.facts), pt_(context.pointsTo),
        s_(state), see_(see) {}

  void run(const View<const LoadedTypes, const LoadedStatics> &a) {
    const EventLoop &loop = c_.loop;
    for (const AddressUse &use : f_.addressUses)
      if (use.function == None || use.inConstantInitialiser ||
          c_.phases.atStart.contains(use.function) ||
          loop.startUp.contains(use.function) ||
          llvm::is_contained(loop.mains, use.function))
        putThere_.insert(use.variable);
    for (const Root &r : a.statics.restored().roots())
      if (r.kept())
        list(c_.flow.inSlot(r.variable, r.fields));
    for (const PersistentType &t : a.types)
      for (Id k : f_.records[t.record].fields)
        list(c_.flow.inField(k));
    if (listed_.empty())
      return;
    for (auto &[fn, call] : pt_.reached())
      for (Id i : p_.storesOf(fn))
        through(f_.stores[i].address);
    for (auto [call, callee] : pt_.libraryCallsReached())
      for (Id argument : f_.calls[call].args)
        through(argument);
  }

private:
  void list(const FieldFlow::Set &held) {
    for (unsigned t : held) {
      const FieldFlow::Token &k = c_.flow.tokens()[t];
      if (k.kind != FieldFlow::Token::Static)
        continue;
      const Node &n = f_.nodes[k.ref];
      if (n.isDefined && !n.isConst && putThere_.contains(k.ref) &&
          p_.recordOf(n.type) != None)
        listed_[t] = k.ref;
    }
  }

  void through(Id address) {
    if (address == None || !asked_.insert(address).second)
      return;
    for (Id l : pt_.pointsTo(address)) {
      const auto &at = pt_.locations()[l];
      const PointsTo::Object &o = pt_.objects()[at.object];
      if (o.kind != PointsTo::Object::Preexisting || o.record == None ||
          at.field == None || s_.writesTo(l).empty() ||
          !s_.isLoadedValue(pt_.content(l)))
        continue;
      for (auto [token, variable] : listed_)
        if (p_.recordOf(f_.nodes[variable].type) == o.record &&
            c_.flow.atNode(address).test(token) &&
            seen_.insert({variable, l}).second)
          for (const std::vector<Id> &path : p_.memberPaths(o.record, at.field))
            see_(variable, path, l);
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const SeeStaticInList &see_;
  IdSet putThere_;                ///< statics whose address start-up takes
  std::map<unsigned, Id> listed_; ///< static records, by their tokens
  IdSet asked_;
  std::set<std::pair<Id, Id>> seen_;
};

} // namespace

void nvmove::forEachStaticInList(
    View<const LoadedTypes, const LoadedStatics> found,
    const SeeStaticInList &see) {
  LinkedStaticFinder(found.context, found.state, see).run(found);
}
