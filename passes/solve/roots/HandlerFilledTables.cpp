//===- HandlerFilledTables.cpp - Tables that only handlers fill -----------===//
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
// start-up fills the table, too, what handlers have added is reported. The same
// of a record that is a local of main, whose address callers hand on.
//
// A table that is begun anew each time before it is filled, or that is left
// empty behind that, is of no command but that one: PerRequestCounters.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/MainLocals.h"
#include "passes/solve/roots/PerRequestCounters.h"
#include "passes/solve/roots/TableInsertions.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(HeadNotKept, IndexAlone)

using namespace nvmove;

namespace {

using HandlerFilledTablesParts = View<const MarkedTypes, ServedStatics, Twins>;

class HandlerFilledTables {
public:
  HandlerFilledTables(const HandlerFilledTablesParts &a,
                      const PersistentParts &parts,
                      const TableInsertions &fills, MainLocals &frames)
      : c_(a.context), p_(c_.program), f_(p_.facts), pt_(c_.pointsTo),
        parts_(parts), fills_(fills), frames_(frames),
        restored_(a.statics.restored()), statics_(a.statics), out_(a) {}

  void run() {
    for (const auto &[table, fills] : fills_.all())
      consider(table, fills);
  }

private:
  using Place = TableInsertions::Place;
  using Fill = TableInsertions::Fill;

  void consider(const Place &table, const std::vector<Fill> &fills) {
    const Node &n = f_.nodes[table.variable];
    if (!isDefined(table.variable) || n.isConst ||
        restored_.holds(table.variable, table.path) || isSetByLoad(table) ||
        (table.isBehind && parts_.contains(p_.pointeeRecord(n.type))))
      return;
    const Fill *state = nullptr;
    bool isAgain = isSetBehind(table), isMoved = false;
    for (const Fill &fill : fills) {
      const Place &count = fill.count;
      isAgain |= count != fills.front().count || isSetBehind(count);
      if (c_.phases.isAfterLoad(fill.function, fill.loc, fill.loop) &&
          !isBehindLoops(fill.function, fill.loc, fill.loop)) {
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
      report(*state);
  }

  /// No start comes there.
  bool isBehindLoops(Id function, Loc place, Id loop) const {
    return c_.phases.isAfter(place, loop, c_.phases.callsToLoops(function));
  }

  bool isDefined(Id variable) const {
    return f_.nodes[variable].isDefined ||
           f_.nodes[variable].kind == NodeKind::Local;
  }

  /// A static, or a local of main that is there for as long as it runs.
  bool canKeep(Id variable) {
    return f_.nodes[variable].kind == NodeKind::Local
               ? frames_.canKeep(variable)
               : f_.nodes[variable].isDefined;
  }

  bool isWritten(const Place &place,
                 llvm::function_ref<bool(const StaticWrite &)> how) const {
    auto is = [&](const StaticWrite &w) {
      return w.variable == place.variable && w.path == place.path &&
             w.function != None && how(w);
    };
    return llvm::any_of(f_.staticWrites, is) ||
           llvm::any_of(f_.localWrites, is);
  }

  bool isSetByLoad(const Place &table) const {
    return isWritten(table, [&](const StaticWrite &w) {
      return pt_.reached().contains(w.function);
    });
  }

  bool isSetBehind(const Place &place) const {
    return isWritten(place, [&](const StaticWrite &w) {
      return w.value == None && c_.phases.isAfterLoad(w) &&
             !isBehindLoops(w.function, w.loc, w.loop);
    });
  }

  /// all = first->next
  bool takesFromRoot(Id function) const {
    return llvm::any_of(fills_.writesOf(function), [&](const auto *write) {
      const StaticWrite &w = *write;
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
    bool fits = fill.ofRecords ? table.path.empty() && p_.recordOf(type) != None
                               : p_.isPointer(type);
    if (!fits || !canKeep(table.variable) || !canKeep(count.variable) ||
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
    if (other.isBehind || !canKeep(other.variable))
      reportBeside(other, fill);
    else if (p_.kind(type) == TypeKind::Array && isNumber(p_.element(type)))
      restore(other, Evidence::BesideTable, fill);
    else if (p_.isPointer(type) && isNumber(p_.pointee(type)))
      addRoot(other, fill);
    else
      reportBeside(other, fill);
  }

  void addRoot(const Place &table, const Fill &fill) {
    Root r;
    r.path = nameOf(table);
    r.variable = table.variable;
    r.fields = table.path;
    r.slotType = typeOf(table);
    r.witness.function = fill.function;
    r.witness.site = fill.loc;
    r.witness.action = "stores objects of the load in " + nameOf(fill.table);
    r.witness.chain = {
        {r.path, "objects of the load", fill.function, fill.loc, false}};
    restored_.add(std::move(r));
  }

  void restore(const Place &number, Evidence why, const Fill &fill) {
    if (!restored_.holds(number.variable, number.path))
      statics_.note({number.variable, number.path},
                    {why, fill.loc, fill.function, nameOf(fill.table)});
  }

  void reportBeside(const Place &other, const Fill &fill) {
    out_.findings.report({FindingId::IndexAlone, fill.loc, fill.function,
                          p_.nameOf(fill.count.variable, fill.count.path) +
                              " is restored with " + nameOf(fill.table) +
                              ", and " + nameOf(other) +
                              ", which it also indexes, is not"});
  }

  std::string nameOf(const Place &place) const {
    std::string name = p_.nameOf(place.variable, place.path);
    bool isArray =
        !place.path.empty() &&
        p_.kind(f_.fields[place.path.back()].type) == TypeKind::Array;
    return isArray ? name + "[]" : name;
  }

  /// Some handler sets it to a constant: what is
  /// there may be of use until then alone.
  bool isBegunAnew(const Place &count) const {
    auto isConstant = [&](const FlowWrite &w) {
      return w.how == FlowWrite::Constant &&
             (count.path.empty()
                  ? w.variable == count.variable
                  : w.field != None && f_.fields[w.field].cell ==
                                           f_.fields[count.path.back()].cell);
    };
    return llvm::any_of(f_.definitions, [&](const Definition &d) {
      return d.function != None && c_.phases.handled.contains(d.function) &&
             llvm::any_of(d.blocks, [&](const Block &b) {
               return llvm::any_of(b.writes, isConstant);
             });
    });
  }

  /// What handlers have put there is lost.
  void report(const Fill &fill) {
    out_.findings.report(
        Finding{FindingId::HeadNotKept, fill.loc, fill.function,
                nameOf(fill.table) + " is not kept, nor is " +
                    p_.nameOf(fill.count.variable, fill.count.path) +
                    ", which counts its elements, because the load does not "
                    "fill it, although persistent objects are stored there",
                "name both with nvm_root(), and fill it at start-up only if "
                "nvm_restore() was 0"}
            .as(isBegunAnew(fill.count) ? Severity::Check : Severity::Act));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const PersistentParts &parts_;
  const TableInsertions &fills_;
  MainLocals &frames_;
  PerRequestCounters scratch_{c_};
  RestoredSet &restored_;
  StaticEvidence &statics_;
  HandlerFilledTablesParts out_;
};

} // namespace

namespace nvmove {

void findHandlerFilledTables(HandlerFilledTablesParts a) {
  const SolveContext &context = a.context;
  if (context.loop.loop == None || a.types.empty())
    return;
  const PersistentParts parts(context.program, a.types);
  const TableInsertions fills(context, parts);
  if (fills.all().empty())
    return;
  MainLocals frames(context, a.state);
  HandlerFilledTables(a, parts, fills, frames).run();
  frames.follow(a.statics.restored().roots(), a.twins);
}

} // namespace nvmove
