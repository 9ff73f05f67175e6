//===- ListTransfers.cpp - Lists that loaded objects are moved to ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/roots/ListTransfers-moved_objects.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/ListTransfers.h"
#include "passes/solve/flow/AccessPath.h"
#include <optional>
#include <set>

REPORTS(HeadNotKept)

using namespace nvmove;

namespace {

using ListTransfersParts =
    View<const Types, const ServedStatics, const HeadsReported>;

class ListTransfers {
public:
  ListTransfers(const ListsFilledParts &a, const SeeListFilled &see)
      : c_(a.context), p_(c_.program), f_(p_.facts), pt_(c_.pointsTo),
        kept_(a.statics.restored()), see_(see) {
    for (const PersistentType &t : a.types)
      persistent_.insert(t.record);
  }

  void run() {
    for (const StaticWrite &w : f_.staticWrites)
      if (isLoads(w.function))
        byLoad_.insert(p_.nameOf(w.variable, w.path));
    for (const AddressUse &use : f_.addressUses)
      if (isLoads(use.function))
        handedByLoad_.insert(use.variable);
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && w.value != None && w.isScalar &&
          isLinked(w.value, w.function) && c_.mayBeOfLoad(w.value))
        report(w.variable, w.path, w.loc, w.function);
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && c.function != None && c.src != None &&
          c.dst != None && isLinked(c.src, c.function))
        followStore(c.src, c.dst, c.function, c.loc, /*depth=*/0);
  }

private:
  bool isLoads(Id function) const {
    return function != None && pt_.reached().contains(function);
  }

  /// j->next = ..; beside head = j: not a pointer that only walks.
  bool isLinked(Id value, Id function) const {
    Id record = p_.pointeeRecord(f_.nodes[value].type);
    if (record == None || !persistent_.contains(record))
      return false;
    Id object = p_.origin(value);
    return llvm::any_of(p_.storesOf(function), [&](Id i) {
      const StoreSite &s = f_.stores[i];
      Id to = p_.pointee(s.valueType);
      if (s.record != record || to == None ||
          (p_.pointeeRecord(s.valueType) != record &&
           p_.pointeeRecord(to) != record))
        return false;
      const AccessPath path(p_, s.address, AccessPath::Members);
      return !path.isAddress && path.base == object && !path.steps.empty();
    });
  }

  /// *to = value, also of a helper whose parameters both are.
  void followStore(Id value, Id to, Id function, Loc loc, unsigned depth) {
    if (std::optional<unsigned> v = parameter(value, function),
        t = parameter(to, function);
        v && t && depth < 3) {
      for (Id i : p_.callersOf(function)) {
        const Call &call = f_.calls[i];
        if (call.function != None && std::max(*v, *t) < call.args.size() &&
            call.args[*v] != None && call.args[*t] != None)
          followStore(call.args[*v], call.args[*t], call.function, call.loc,
                      depth + 1);
      }
      return;
    }
    Id record = p_.pointeeRecord(f_.nodes[value].type);
    if (!c_.mayBeOfLoad(value) || isInOther(to, record))
      return;
    for (unsigned t : c_.flow.atNode(to))
      if (const FieldFlow::Token &k = c_.flow.tokens()[t];
          k.kind == FieldFlow::Token::Static &&
          !handedByLoad_.contains(k.ref) && !kept_.holds(k.ref, {}) &&
          holdsPointerTo(record, p_.typeOf(k.ref, {})))
        report(k.ref, {}, loc, function);
  }

  /// other->next, of what is such a record by itself, not the link in one, or a
  /// member of another object of the load: a static one stands for no object.
  bool isInOther(Id address, Id record) const {
    if (llvm::any_of(persistent_, [&](Id outer) {
          return outer != record && p_.contains(outer, record);
        }))
      return false;
    const AccessPath path(p_, address, Flow::Member);
    if (path.steps.empty())
      return false;
    const Id base = path.steps.front()->src,
             holder = p_.pointeeRecord(f_.nodes[base].type);
    return holder == record ||
           (holder != None && persistent_.contains(holder) &&
            c_.mayBeOfLoad(base));
  }

  bool holdsPointerTo(Id record, Id type) const {
    if (p_.isPointer(type))
      return p_.pointeeRecord(type) == record;
    Id outer = p_.recordOf(type);
    return outer != None &&
           llvm::any_of(f_.records[outer].fields, [&](Id field) {
             return holdsPointerTo(record, p_.typeOf(None, {field}));
           });
  }

  std::optional<unsigned> parameter(Id value, Id function) const {
    const std::vector<Id> &all = f_.functions[function].params;
    auto at = llvm::find(all, p_.origin(value));
    if (at == all.end())
      return std::nullopt;
    return at - all.begin();
  }

  void report(Id variable, const std::vector<Id> &path, Loc loc, Id function) {
    const Node &n = f_.nodes[variable];
    if (n.isDefined && !n.isFunctionScope && !kept_.holds(variable, path) &&
        !byLoad_.count(p_.nameOf(variable, path)))
      see_({variable, path}, loc, function);
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const RestoredSet &kept_;
  const SeeListFilled &see_;
  IdSet persistent_, handedByLoad_;
  std::set<std::string> byLoad_;
};

} // namespace

namespace nvmove {

void forEachListFilled(const ListsFilledParts &a, const SeeListFilled &see) {
  ListTransfers(a, see).run();
}

void reportListTransfers(ListTransfersParts a) {
  auto isLeft = [&](const StaticPlace &head) {
    return llvm::any_of(a.statics.restored().roots(), [&](const Root &r) {
      return !r.kept() && r.variable == head.variable && r.fields == head.path;
    });
  };
  forEachListFilled(a, [&](const StaticPlace &head, Loc loc, Id function) {
    std::string name = a.context.program.nameOf(head.variable, head.path);
    if (!a.headsReported.contains(head.variable) && !isLeft(head))
      a.findings.reportOnce(
          name,
          Finding{FindingId::HeadNotKept, loc, function,
                  name + " is not kept, because the load does not fill it, "
                         "although objects of the load are moved there",
                  "name it with nvm_root() if they must be there after a "
                  "restart"}
              .about(name));
  });
}

} // namespace nvmove
