//===- HandlerFilledTables.cpp - Tables of loaded objects that handlers fill
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct item *marked[64]; static int count;
//   void mark(int id) { marked[count++] = find(id); }
//
// The load puts nothing there, but what lies there is the load's, and how much
// of it says a number that goes on from what it was: both come back. Where
// start-up fills the table, too, what handlers have added is reported.
//
// A table that is begun anew each time before it is filled, or that is left
// empty behind that, is of no command but that one: PerRequestCounters.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/PerRequestCounters.h"
#include "passes/solve/roots/TableInsertions.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class HandlerFilledTables {
public:
  HandlerFilledTables(Analysis &a, const PersistentParts &parts,
                      const TableInsertions &fills)
      : c_(a.context), p_(c_.program), f_(p_.facts), pt_(c_.pointsTo),
        parts_(parts), fills_(fills), restored_(a.restored),
        statics_(a.statics), out_(a.solution) {}

  void run() {
    for (const auto &[table, fills] : fills_.all())
      consider(table, fills);
  }

private:
  using Place = TableInsertions::Place;
  using Fill = TableInsertions::Fill;

  void consider(const Place &table, const std::vector<Fill> &fills) {
    const Node &n = f_.nodes[table.variable];
    if (!n.isDefined || n.isConst ||
        restored_.holds(table.variable, table.path) || isSetByLoad(table) ||
        (table.isBehind && parts_.contains(p_.pointeeRecord(n.type))))
      return;
    const Fill *state = nullptr;
    bool isAgain = isSetBehind(table), isMoved = false;
    for (const Fill &fill : fills) {
      const Place &count = fill.count;
      isAgain |= count != fills.front().count || isSetBehind(count);
      if (c_.phases.afterLoad.contains(fill.function)) {
        // What is moved there is no longer where the next start looks for it.
        bool moves = takesFromRoot(fill.function);
        isMoved |= moves;
        isAgain |= !moves;
      }
      if (!state && c_.phases.isHandled(fill.function, fill.loop) &&
          !scratch_.isScratch(fill.function, fill.call, count.variable,
                              count.path))
        state = &fill;
    }
    if (!state && isMoved)
      state = &fills.front();
    if (!state)
      return;
    if (isAgain || table.isBehind || state->count.isBehind || !keep(*state))
      tell(*state);
  }

  bool isSetByLoad(const Place &table) const {
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.variable == table.variable && w.path == table.path &&
             w.function != None && pt_.reached().contains(w.function);
    });
  }

  bool isSetBehind(const Place &place) const {
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.variable == place.variable && w.path == place.path &&
             w.value == None && w.function != None && c_.phases.isAfterLoad(w);
    });
  }

  /// all = first->next
  bool takesFromRoot(Id function) const {
    return llvm::any_of(fills_.writesOf(function), [&](Id i) {
      const StaticWrite &w = f_.staticWrites[i];
      Id d = w.value == None ? None : p_.definition(p_.origin(w.value)),
         base = None;
      if (d == None || f_.constraints[d].flow != Flow::Load ||
          !restored_.holds(w))
        return false;
      for (d = p_.definition(f_.constraints[d].src);
           d != None && f_.constraints[d].flow == Flow::Member;
           d = p_.definition(base))
        base = f_.constraints[d].src;
      return base != None &&
             fills_.readFrom(base) == Place{w.variable, false, w.path};
    });
  }

  Id typeOf(const Place &place) const {
    return place.path.empty() ? f_.nodes[place.variable].type
                              : f_.fields[place.path.back()].type;
  }

  bool isNumber(Id type) const {
    return p_.kind(type) == TypeKind::Integer ||
           p_.kind(type) == TypeKind::Byte ||
           p_.kind(type) == TypeKind::Floating;
  }

  bool keep(const Fill &fill) {
    const Place &table = fill.table, &count = fill.count;
    Id type = p_.element(typeOf(table));
    // An array of records is kept as a whole.
    bool canKeep = fill.ofRecords
                       ? table.path.empty() && p_.recordOf(type) != None
                       : p_.isPointer(type);
    if (!canKeep || !f_.nodes[count.variable].isDefined ||
        !isNumber(typeOf(count)))
      return false;
    addRoot(table, fill);
    restore(count, Evidence::CountsTable, fill);
    for (const Place &other : fill.beside)
      keepBeside(other, fill);
    return true;
  }

  void keepBeside(const Place &other, const Fill &fill) {
    Id type = typeOf(other);
    if (restored_.holds(other.variable, other.path) ||
        fills_.all().count(other))
      return;
    if (other.isBehind || !f_.nodes[other.variable].isDefined)
      tellBeside(other, fill);
    else if (p_.kind(type) == TypeKind::Array && isNumber(p_.element(type)))
      restore(other, Evidence::BesideTable, fill);
    else if (p_.isPointer(type) && isNumber(p_.pointee(type)))
      addRoot(other, fill);
    else
      tellBeside(other, fill);
  }

  void addRoot(const Place &table, const Fill &fill) {
    Root r;
    r.path = nameOf(table);
    r.variable = table.variable;
    r.fields = table.path;
    r.slotType = typeOf(table);
    r.witness.function = fill.function;
    r.witness.site = fill.loc;
    r.witness.action = "puts objects of the load into " + nameOf(fill.table);
    r.witness.chain = {
        {r.path, "objects of the load", fill.function, fill.loc, false}};
    restored_.add(std::move(r));
  }

  void restore(const Place &number, Evidence why, const Fill &fill) {
    if (!restored_.holds(number.variable, number.path))
      statics_.note({number.variable, number.path},
                    {why, fill.loc, fill.function, nameOf(fill.table)});
  }

  void tellBeside(const Place &other, const Fill &fill) {
    out_.findings.report({FindingId::IndexAlone, fill.loc, fill.function,
                          p_.nameOf(fill.count.variable, fill.count.path) +
                              " comes back with " + nameOf(fill.table) +
                              ", and " + nameOf(other) +
                              ", in which it says a place, too, does not"});
  }

  std::string nameOf(const Place &place) const {
    std::string name = p_.nameOf(place.variable, place.path);
    bool isArray =
        !place.path.empty() &&
        p_.kind(f_.fields[place.path.back()].type) == TypeKind::Array;
    return isArray ? name + "[]" : name;
  }

  void tell(const Fill &fill) {
    out_.findings.report(
        {FindingId::HeadNotKept, fill.loc, fill.function,
         nameOf(fill.table) + " is not kept, nor " +
             p_.nameOf(fill.count.variable, fill.count.path) +
             ", which counts what is there, since the load does not fill it, "
             "though objects of the load are put there",
         "name both with nvm_root(), and fill it at start-up only if "
         "nvm_restore() was 0"});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const PersistentParts &parts_;
  const TableInsertions &fills_;
  PerRequestCounters scratch_{c_};
  RestoredSet &restored_;
  StaticEvidence &statics_;
  Solution &out_;
};

} // namespace

void nvmove::findHandlerFilledTables(Analysis &a) {
  const SolveContext &context = a.context;
  Solution &solution = a.solution;
  if (context.loop.loop == None || solution.types.empty())
    return;
  const PersistentParts parts(context.program, solution);
  const TableInsertions fills(context, parts);
  if (!fills.all().empty())
    HandlerFilledTables(a, parts, fills).run();
}
