//===- TransientIds.cpp - Numbers of what ends with the process -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   order->timer = timer_add(loop, ..);       t->id = loop->next_id++;
//   .. timer_remove(loop, order->timer);      if (t->id == id) ..
//
// The loop and its timers are made by each start, so after a restart the number
// stands for nothing, or for the timer of another order. It is reported, and
// made -1 where that is all that the program itself puts there for none: as
// with a descriptor, 0 stays.
//
// What counts is a field of a persistent record that the load puts no data of
// the file into, all of whose values come from numbers that are only counted,
// where nothing restores those, and that is handed back to what looks it up.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/contents/PointerLayout.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(HoldsId)

using namespace nvmove;

namespace {

using TransientIdsParts = View<const Types, const Roots, const Scalars,
                               const KeptScalars, const Addresses, Descriptors>;

class TransientIds {
public:
  TransientIds(const SolveContext &context, const DefinitionIndex &values,
               const TransientIdsParts &found)
      : c_(context), p_(context.program), f_(p_.facts), pt_(context.pointsTo),
        values_(values), parts_(p_, found.types), out_(found) {}

  void run() {
    collect();
    if (steps_.empty())
      return;
    findRestored();
    for (Id record : parts_.records())
      for (Id field : f_.records[record].fields)
        if (f_.fields[field].cell == field && isNumber(f_.fields[field].type) &&
            !restored_.contains(p_.slotOf(field)))
          consider(field);
  }

private:
  using Slots = IdSet; ///< Program::slotOf(): variables, and cells of fields

  bool isNumber(Id type) const {
    return p_.kind(type) == TypeKind::Integer && f_.types[type].size_bytes >= 4;
  }

  /// What is put into each variable and field, and which of them are counted.
  void collect() {
    for (Id i = 0; i < f_.constraints.size(); ++i) {
      const Constraint &c = f_.constraints[i];
      if (c.src == None || c.dst == None || p_.isPointer(f_.nodes[c.src].type))
        continue;
      if (Id slot = c.flow == Flow::Store ? p_.slotAt(c.dst) : None;
          slot != None)
        stores_[slot].push_back(i);
      else if (c.flow == Flow::Store) // *number = ..
        for (unsigned t : c_.flow.atNode(c.dst))
          if (c_.flow.tokens()[t].kind == FieldFlow::Token::Static)
            setElsewhere_.insert(c_.flow.tokens()[t].ref);
    }
    for (const StoreSite &s : f_.stores)
      if (s.readModifyWrite && s.address != None)
        steps_.insert(p_.slotAt(s.address));
    for (const StaticWrite &w : f_.staticWrites)
      if (w.readModifyWrite && w.isScalar)
        steps_.insert(w.path.empty() ? w.variable : p_.slotOf(w.path.back()));
    steps_.erase(None);
  }

  /// What comes back, or gets data of the file.
  void findRestored() {
    auto add = [&](Id variable, const std::vector<Id> &path) {
      restored_.insert(path.empty() ? variable : p_.slotOf(path.back()));
    };
    for (const RestoredScalar &s : out_.scalars)
      add(s.variable, s.fields);
    for (const KeptScalar &k : out_.kept)
      add(k.variable, k.fields);
    for (const Root &r : out_.roots)
      for (const std::vector<Id> &way : r.containerFields)
        if (r.kept())
          add(r.variable, way);
    for (Id l = 0; l < pt_.locations().size(); ++l)
      if (pt_.holdsFileBytes(pt_.content(l))) {
        const auto &at = pt_.locations()[l];
        const PointsTo::Object &o = pt_.objects()[at.object];
        if (at.field != None)
          restored_.insert(p_.slotOf(at.field));
        else if (o.kind == PointsTo::Object::Variable)
          restored_.insert(Id(o.ref));
      }
  }

  Id recordOf(Id slot) const {
    return slot < f_.nodes.size() ? None
                                  : f_.fields[slot - f_.nodes.size()].record;
  }

  bool endsWithProcess(Id slot) const {
    Id record = recordOf(slot);
    return !restored_.contains(slot) &&
           (record == None || !parts_.contains(record));
  }

  /// Where the value is read from, if that is all.
  Id readFrom(Id value) const {
    Program::Read read = p_.readFrom(value);
    return read.variable != None ? read.variable : p_.slotAt(read.address);
  }

  /// Constants and steps are all that is put there.
  bool isCounter(Id slot) const {
    auto stores = stores_.find(slot);
    if (!steps_.contains(slot) || setElsewhere_.contains(slot))
      return false;
    if (slot < f_.nodes.size())
      return llvm::all_of(values_.definitions(slot), [&](Id i) {
        return readFrom(f_.constraints[i].src) == slot;
      });
    return stores == stores_.end() || llvm::all_of(stores->second, [&](Id i) {
             return readFrom(f_.constraints[i].src) == slot;
           });
  }

  /// Backwards from a field to the counters that all of it comes from.
  struct Sources {
    Slots counters, through;
    Loc loc; ///< of a store into the field
    Id function = None;
    bool isKnown = true;
  };

  class Search : public BackwardSlice {
  public:
    Search(const TransientIds &ids, Sources &found)
        : BackwardSlice(ids.p_, ids.values_, {.parameters = true}), i_(ids),
          found_(found) {}

    void of(Id field) {
      found_.through.insert(p_.slotOf(field));
      found_.isKnown = run(storedIn(p_.slotOf(field))) == Whole;
    }

  private:
    /// What is put into a variable or a field.
    Step enterSlot(Id slot) {
      if (slot == None)
        return Stop;
      if (i_.isCounter(slot)) {
        found_.counters.insert(slot);
        return i_.endsWithProcess(slot) ? Skip : Stop;
      }
      if (!found_.through.insert(slot).second)
        return Skip;
      if (i_.restored_.contains(slot))
        return Stop;
      if (slot < f_.nodes.size())
        follow(slot);
      for (Id value : storedIn(slot))
        follow(value);
      return Skip;
    }
    std::vector<Id> storedIn(Id slot) {
      std::vector<Id> values;
      if (auto at = i_.stores_.find(slot); at != i_.stores_.end())
        for (Id i : at->second) {
          const Constraint &c = f_.constraints[i];
          if (found_.function == None) {
            found_.function = c.function;
            found_.loc = c.loc;
          }
          values.push_back(c.src);
        }
      return values;
    }

    Step value(Id n) override {
      const Node &node = f_.nodes[n];
      if (node.kind == NodeKind::Global && !found_.through.contains(n))
        return enterSlot(n);
      // A local whose address is taken may be set by it.
      bool isSetElsewhere =
          node.kind == NodeKind::Local && p_.isAddressTaken(n);
      return p_.isPointer(node.type) || isSetElsewhere ? Stop : Follow;
    }
    Step definition(const Constraint &c) override {
      return c.flow == Flow::Load ? enterSlot(p_.slotAt(c.src)) : Follow;
    }
    Step call(Id call) override {
      for (Id callee : i_.c_.flow.callees(call)) {
        if (!f_.functions[callee].hasBody)
          return Stop;
        follow(f_.functions[callee].result);
      }
      return Skip;
    }
    Step parameter(Id n) override {
      const Id function = f_.nodes[n].function;
      return p_.isAddressTaken(f_.functions[function].node) ? Stop : Follow;
    }

    const TransientIds &i_;
    Sources &found_;
  };

  void consider(Id field) {
    if (!stores_.count(p_.slotOf(field)) || isCounter(p_.slotOf(field)))
      return;
    Sources from;
    Search(*this, from).of(field);
    if (!from.isKnown || from.counters.empty() || !isLookedUp(field, from))
      return;
    Id around = parts_.around(f_.fields[field].record);
    PointerLayout words{f_, out_.addresses};
    bool isReset = f_.types[f_.fields[field].type].size_bytes == 4 &&
                   !f_.fields[field].width_bits && isNoneMinusOne(field) &&
                   words.isListedIn(around, field) && !words.isOverlaid(field);
    if (isReset)
      out_.descriptors.push_back(field);
    std::string counter =
        nameOf(*std::min_element(from.counters.begin(), from.counters.end()));
    out_.findings.report(
        Finding{FindingId::HoldsId, from.loc, from.function,
                parts_.nameOf(field) + " holds a number that " + counter +
                    " counts, which starts again from its initial value at "
                    "each start: " +
                    (isReset ? "a restart makes it -1, unless it is 0"
                             : "after a restart it is the id of nothing, or of "
                               "something else"),
                isReset ? "set it again after nvm_restore(): create again what "
                          "it is the id of"
                        : ""}
            .about(parts_.nameOf(field)));
  }

  std::string nameOf(Id slot) const {
    if (slot < f_.nodes.size())
      return p_.nameOf(slot);
    const Field &field = f_.fields[slot - f_.nodes.size()];
    return f_.records[field.record].name + "." + field.name;
  }

  /// remove(loop, order->timer): to a function that is handed the record that
  /// counts, too, or that has to do with what else gets such numbers.
  bool isLookedUp(Id field, const Sources &from) {
    Slots others; // that end with the process, too
    for (Id slot : from.through)
      if (recordOf(slot) != None && endsWithProcess(slot))
        others.insert(slot);
    for (const auto &[slot, stores] : stores_)
      if (slot >= f_.nodes.size() && endsWithProcess(slot) &&
          llvm::any_of(stores, [&](Id i) {
            return from.counters.contains(readFrom(f_.constraints[i].src));
          }))
        others.insert(slot);
    return llvm::any_of(f_.calls, [&](const Call &c) {
      if (c.callee == None || !f_.functions[c.callee].hasBody ||
          llvm::none_of(c.args, [&](Id a) {
            return a != None && readFrom(a) == p_.slotOf(field);
          }))
        return false;
      IdSet seen;
      return llvm::any_of(c.args,
                          [&](Id a) { return leadsToCounter(a, from); }) ||
             hasToDoWith(c.callee, others, seen, 0);
    });
  }

  bool leadsToCounter(Id argument, const Sources &from) const {
    Id record =
        argument == None ? None : p_.pointeeRecord(f_.nodes[argument].type);
    return record != None && llvm::any_of(from.counters, [&](Id slot) {
             Id holder = recordOf(slot);
             return holder != None && p_.contains(record, holder) &&
                    !parts_.contains(record);
           });
  }

  bool hasToDoWith(Id function, const Slots &others, IdSet &seen,
                   unsigned depth) const {
    if (!seen.insert(function).second)
      return false;
    for (Id i : p_.constraintsOf(function))
      if (const Constraint &c = f_.constraints[i];
          c.flow == Flow::Member && others.contains(p_.slotOf(c.extra)))
        return true;
    return depth < 2 &&
           llvm::any_of(
               p_.callsOf(function),
               [&](Id k) {
                 Id callee = f_.calls[k].callee;
                 return callee != None &&
                        hasToDoWith(callee, others, seen, depth + 1);
               });
  }

  /// The only constant that is put there.
  bool isNoneMinusOne(Id field) const {
    bool any = false, others = false;
    auto see = [&](const FlowWrite &w) {
      if (w.field == None || w.how != FlowWrite::Constant ||
          f_.fields[w.field].cell != f_.fields[field].cell)
        return;
      bool isNone = uint32_t(w.value) == ~uint32_t(0);
      any |= isNone;
      others |= !isNone;
    };
    for (const Definition &d : f_.definitions) {
      for (const Block &block : d.blocks)
        llvm::for_each(block.writes, see);
      llvm::for_each(d.otherWrites, see);
    }
    return any && !others;
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const DefinitionIndex &values_;
  const PersistentParts parts_;
  TransientIdsParts out_;
  IdMap<std::vector<Id>> stores_; ///< slot -> constraints
  Slots steps_, setElsewhere_, restored_;
};

} // namespace

namespace nvmove {

void findTransientIds(TransientIdsParts a) {
  TransientIds(a.context, a.context.values, a).run();
}

} // namespace nvmove
