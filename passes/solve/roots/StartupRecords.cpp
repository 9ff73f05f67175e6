//===- StartupRecords.cpp - Records that each start makes -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct app *app = calloc(1, sizeof *app);
//   app->log = stderr;  app->running = 1;
//   load(app);                                   fills app->items, app->count
//   while (app->running) ..
//
// So with one of which the load restores what hangs from a member, and counts
// that: jar->table is the root, and jar->count comes with it.
//
// The one record of its type, made by each start before the load: were it a
// root, it came back whole, with the stream and the flag of the last run. What
// the load fills is kept by value, and the rest is this start's, as it was in
// the program before.
//
// Not where persistent objects point into it: they would find the old one.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticNames.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/roots/RootPath.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

REPORTS(HeadNotKept, MadeAtEachStart)

using namespace nvmove;

namespace {

using StartupRecordsParts = View<MarkedTypes, LoadedStatics, HeadsReported>;

using Token = FieldFlow::Token;
using Object = PointsTo::Object;

class StartupRecords {
public:
  explicit StartupRecords(const StartupRecordsParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        sites_(c_.allocators.sites()), pt_(c_.pointsTo), s_(a.state),
        values_(a.context.values), roots_(a.statics.restored().roots()),
        out_(a), pointers_(c_.members.pointers), numbers_(c_.members.numbers) {}

  void run() {
    // Roots that lead to the record, and those that are fields of it.
    std::map<std::pair<Id, bool>, std::vector<size_t>> byRecord;
    for (size_t i = 0; i < roots_.size(); ++i)
      if (const Root &r = roots_[i]; r.kept() && p_.isPointer(r.slotType))
        if (Id record = p_.pointeeRecord(r.slotType);
            record != None && (r.container == None || isOne(r, record)))
          byRecord[{record, r.container != None}].push_back(i);
    std::vector<Root> all;
    IdSet gone; // indices of roots
    for (const auto &[of, roots] : byRecord) {
      Id record = of.first;
      std::optional<Ways> fields = fieldsToKeep(record, roots);
      if (!fields && of.second)
        reportWritten(record, roots);
      if (!fields || (of.second && fields->size() == keptOf(roots).size()))
        continue;
      for (PersistentType &t : out_.types)
        t.byValue |= t.record == record;
      gone.insert(roots.begin(), roots.end());
      reportNotFilled(roots_[roots.front()], record, *fields);
      for (const std::vector<Id> &field : *fields)
        all.push_back(valueOf(roots_[roots.front()], record, field));
    }
    if (!gone.empty())
      a_.statics.restored().replace(gone, std::move(all));
  }

private:
  using Ways = std::set<std::vector<Id>>; ///< to fields of the record

  /// jar->count, of one record: not jars[]->count.
  bool isOne(const Root &root, Id record) const {
    return root.container == record && root.containerFields.size() == 1 &&
           !root.hasElements;
  }
  Ways keptOf(const std::vector<size_t> &roots) const {
    Ways fields;
    for (size_t i : roots)
      fields.insert(roots_[i].containerFields.begin(),
                    roots_[i].containerFields.end());
    return fields;
  }
  /// With the arrow behind it.
  std::string slotOf(const Root &root) const {
    return root.container == None ? root.path + "->" : pathOfSlot(p_, root);
  }

  /// jars are made and freed all the time, and the load counts in one.
  void reportWritten(Id record, const std::vector<size_t> &roots) {
    const Root &root = roots_[roots.front()];
    std::set<std::string> names;
    for (Id o : targetsOf(root))
      if (pt_.objects()[o].record == record)
        for (Id l : pt_.locationsOf(o)) {
          Id field = pt_.locations()[l].field;
          if (field != None &&
              s_.writesTo(l).any([](const auto &w) { return w.direct; }) &&
              !p_.isPointer(p_.element(f_.fields[field].type)) &&
              llvm::none_of(roots, [&](size_t i) {
                return roots_[i].containerFields[0].back() == field;
              }))
            names.insert(f_.fields[field].name);
        }
    if (names.empty())
      return;
    std::string all = llvm::join(names, ", ");
    out_.findings.report(
        {FindingId::MadeAtEachStart, f_.nodes[root.variable].loc, None,
         root.path +
             " is kept of a record that each start creates, but these other "
             "members that the load writes are not: " +
             all,
         "name them with nvm_root() if they belong to it"});
  }

  /// server->clients, where the load fills server->jobs.
  void reportNotFilled(const Root &root, Id record, const Ways &kept) {
    std::set<std::string> reported;
    for (const std::vector<Id> &way : kept)
      if (p_.isPointer(p_.element(f_.fields[way.back()].type)))
        for (std::vector<Id> &other :
             pointers_.waysTo(record, way.back()).others) {
          other.pop_back();
          std::string head = slotOf(root) + nameOfWay(f_, other);
          if (!reported.insert(head).second)
            continue;
          a_.headsReported.insert(root.variable);
          out_.findings.report({FindingId::HeadNotKept,
                                f_.nodes[root.variable].loc, None,
                                MemberDisambiguation::notKept(
                                    head, slotOf(root) + nameOfWay(f_, way))});
        }
  }

  std::vector<Id> targetsOf(const Root &root) const {
    Id l = pt_.find(root.variable,
                    root.fields.empty() ? None : root.fields.back());
    std::vector<Id> result;
    if (l != None)
      llvm::append_range(result, s_.targets(l));
    return result;
  }

  Root valueOf(const Root &of, Id record, const std::vector<Id> &field) const {
    Root r = of;
    r.path = slotOf(of) + nameOfWay(f_, field);
    r.container = record;
    r.containerFields = {field};
    r.keepsValues = true;
    if (!r.witness.chain.empty())
      r.witness.chain.back().slot = r.path;
    return r;
  }

  /// Of the one object that these roots lead to; nullopt: it comes back whole.
  std::optional<Ways> fieldsToKeep(Id record,
                                   const std::vector<size_t> &roots) {
    const bool isPersistent =
        llvm::any_of(out_.types, [&](const PersistentType &t) {
          return t.record == record;
        });
    Id site = onlySite(record);
    if (!isPersistent || site == None || f_.records[record].isUnion ||
        !isMadeOnce(sites_[site].call) || !isFreedAtEnd(site))
      return std::nullopt;
    IdSet objects;
    for (size_t i : roots)
      if (!leadsTo(roots_[i], site, record, objects))
        return std::nullopt;
    if (isPointedTo(objects, site, record, roots_[roots.front()]))
      return std::nullopt;
    IdSet kept;
    for (Id o : objects)
      for (Id l : pt_.locationsOf(o)) {
        Id field = pt_.locations()[l].field;
        bool leadsOn = llvm::any_of(s_.targets(l), [&](Id target) {
          return s_.isLoaded(target) || isBetween(target);
        });
        if (s_.writesTo(l).empty() && !leadsOn)
          continue;
        if (field == None)
          return std::nullopt; // all of its bytes are written
        kept.insert(field);
      }
    Ways result = keptOf(roots);
    for (const std::vector<Id> &way : result)
      kept.insert(way.back());
    addMeasures(record, kept);
    for (Id field : kept) {
      bool isPointer = p_.isPointer(p_.element(f_.fields[field].type));
      const MemberDisambiguation::Ways ways =
          (isPointer ? pointers_ : numbers_).waysTo(record, field);
      result.insert(ways.filled.begin(), ways.filled.end());
    }
    auto cannotStandAlone = [&](const std::vector<Id> &way) {
      const Field &k = f_.fields[way.back()];
      return k.width_bits || k.flexible || k.name.empty() ||
             !p_.contains(record, k.record);
    };
    if (result.empty() || llvm::any_of(result, cannotStandAlone) ||
        holdsAll(record, {}, result))
      return std::nullopt;
    return result;
  }

  /// Made before the load, too, and persistent for what it leads to.
  bool isBetween(Id object) const {
    const Object &o = pt_.objects()[object];
    return o.kind == Object::Preexisting && o.record != None &&
           !pt_.isContainer(object) &&
           llvm::any_of(out_.types, [&](const PersistentType &t) {
             return t.record == o.record;
           });
  }

  /// Nothing else is made of the type, nor holds one.
  Id onlySite(Id record) const {
    Id result = None;
    for (Id i = 0; i < sites_.size(); ++i)
      if (llvm::any_of(sites_[i].records, [&](Id r) {
            return p_.contains(r, record) || p_.contains(record, r);
          })) {
        if (result != None || sites_[i].records.size() != 1 ||
            sites_[i].records[0] != record || !sites_[i].hasOwnRecord ||
            sites_[i].hasRoom || sites_[i].isPointerTable ||
            sites_[i].call == None || !isOneLarge(sites_[i].call, record))
          return None;
        result = i;
      }
    for (const Node &n : f_.nodes)
      if (n.type != None && p_.recordOf(n.type) == record)
        return None; // a variable
    return result;
  }

  /// Not malloc(4 * sizeof *shelf), nor calloc(4, sizeof *shelf): beside the
  /// size another number of its type, and no line of the caller's.
  bool isOneLarge(Id call, Id record) const {
    const Call &c = f_.calls[call];
    const uint64_t size = f_.records[record].size_bytes;
    auto type = [&](const ArgValue &a) {
      const auto &params = f_.functions[c.callee].params;
      return a.arg < params.size() ? f_.nodes[params[a.arg]].type : None;
    };
    return llvm::none_of(c.argValues, [&](const ArgValue &a) {
      if (a.param != None || a.value == size)
        return false;
      bool isMultiple = size && a.value > size && a.value % size == 0;
      return isMultiple ||
             (a.value > 1 && llvm::any_of(c.argValues, [&](const ArgValue &b) {
                bool isNext = a.arg + 1 == b.arg || b.arg + 1 == a.arg;
                return isNext && b.param == None && b.value == size &&
                       (c.callee == None || type(a) == type(b));
              }));
    });
  }

  /// By start-up, beside the load.
  bool isMadeOnce(Id call) const {
    return !pt_.reached().contains(f_.calls[call].function) &&
           c_.phases.isMadeOnce(call);
  }

  /// Not while the program runs, and it does not move.
  bool isFreedAtEnd(Id site) {
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      bool frees = p_.isLibrary(c, LibraryFunction::Free);
      if ((!frees && !p_.isLibrary(c, LibraryFunction::Reallocate)) ||
          c.args.empty() || c.args[0] == None || !holds(c.args[0], site))
        continue;
      if (!frees || !isOutsideLoops(i))
        return false;
    }
    return true;
  }
  bool isOutsideLoops(Id call) {
    const Call &c = f_.calls[call];
    if (c.function == None)
      return false;
    if (p_.isDeadEnd(call))
      return true;
    if (llvm::is_contained(c_.loop.mains, c.function))
      return c.loop == None;
    auto [at, fresh] = outside_.try_emplace(c.function, true);
    if (fresh)
      outside_[c.function] =
          !p_.isAddressTaken(f_.functions[c.function].node) &&
          llvm::all_of(p_.callersOf(c.function),
                       [&](Id i) { return isOutsideLoops(i); });
    return outside_[c.function];
  }

  bool holds(Id node, Id site) const {
    for (unsigned t : c_.flow.atNode(node))
      if (c_.flow.tokens()[t].kind == Token::Site &&
          c_.flow.tokens()[t].ref == site)
        return true;
    return false;
  }

  /// To this object alone, and it was there before the load.
  bool leadsTo(const Root &root, Id site, Id record, IdSet &objects) const {
    for (unsigned t : c_.flow.inSlot(root.variable, root.fields)) {
      const Token &token = c_.flow.tokens()[t];
      if (token.kind != Token::Site || token.ref != site)
        return false;
    }
    for (Id o : targetsOf(root)) {
      const Object &object = pt_.objects()[o];
      if (object.kind != Object::Preexisting || object.record != record)
        return false;
      objects.insert(o);
    }
    return !objects.empty();
  }

  /// By other objects that may last, or by a part of itself.
  bool isPointedTo(const IdSet &objects, Id site, Id record,
                   const Root &root) const {
    for (Id o = 0; o < pt_.objects().size(); ++o)
      if (s_.reachable(o) && pt_.objects()[o].kind != Object::Variable)
        for (Id l : pt_.locationsOf(o))
          for (Id t : pt_.content(l))
            if (pt_.isMemory(t) && objects.contains(pt_.locations()[t].object))
              return true;
    const PersistentParts parts(p_, out_.types);
    auto mayBeIt = [&](const FieldFlow::Set &set) {
      for (unsigned t : set) {
        const Token &token = c_.flow.tokens()[t];
        if (token.kind == Token::Site
                ? token.ref == site
                : token.kind == Token::Inside && token.ref == record)
          return true;
      }
      return false;
    };
    for (Id part : parts.records())
      for (Id k : f_.records[part].fields)
        if (mayBeIt(c_.flow.inField(k)))
          return true;
    return llvm::any_of(roots_, [&](const Root &r) {
      return r.kept() && p_.pointeeRecord(r.slotType) != record &&
             r.variable != root.variable &&
             mayBeIt(c_.flow.inSlot(r.variable, r.fields));
    });
  }

  /// The fields of the record that a number is computed from.
  class FieldsRead : public BackwardSlice {
  public:
    FieldsRead(const StartupRecords &of, Id record, IdSet &fields)
        : BackwardSlice(of.p_, of.values_, {.results = true}), record_(record),
          fields_(fields) {}

  private:
    Step definition(const Constraint &c) override {
      if (c.flow != Flow::Load)
        return Follow;
      if (Id field = memberAt(p_, c.src);
          field != None && p_.contains(record_, f_.fields[field].record))
        fields_.insert(field);
      return Skip;
    }

    const Id record_;
    IdSet &fields_;
  };
  void addRead(Id number, Id record, IdSet &fields) const {
    FieldsRead(*this, record, fields).run(number);
  }

  /// Numbers that say where in what is kept things lie, or how large it is, or
  /// that are given to persistent objects: table[h % size], item->id = next++.
  void addMeasures(Id record, IdSet &kept) const {
    const PersistentParts parts(p_, out_.types);
    IdSet found;
    for (const Constraint &k : f_.constraints) {
      if (k.flow == Flow::Index && k.extra != None) {
        IdSet tables;
        addRead(k.src, record, tables);
        if (llvm::any_of(tables, [&](Id t) { return kept.contains(t); }))
          addRead(k.extra, record, found);
      } else if (k.flow == Flow::Store) {
        Id to = memberAt(p_, k.dst);
        if (to == None)
          continue;
        Id of = f_.fields[to].record;
        if (kept.contains(to))
          for (Id call : allocations(k.src))
            addSizes(f_.calls[call], record, found);
        else if (!p_.contains(record, of) && parts.contains(of) &&
                 p_.kind(p_.element(f_.fields[to].type)) == TypeKind::Integer)
          addRead(k.src, record, found);
      }
    }
    for (Id k : found)
      if (p_.kind(p_.element(f_.fields[k].type)) == TypeKind::Integer)
        kept.insert(k);
  }

  /// list->items = calloc(list->room, ..), or list->room = n beside it.
  void addSizes(const Call &allocation, Id record, IdSet &found) const {
    FieldsRead sizes(*this, record, found);
    sizes.run(IndicesAndSizes::sizesIn(f_, allocation));
    auto isVariable = [&](Id n) {
      return f_.nodes[n].kind == NodeKind::Local && sizes.seen().contains(n);
    };
    for (Id i : p_.constraintsOf(allocation.function)) {
      const Constraint &k = f_.constraints[i];
      Id m = k.flow == Flow::Store ? memberAt(p_, k.dst) : None;
      if (m == None || !p_.contains(record, f_.fields[m].record))
        continue;
      IdSet ignored;
      FieldsRead beside(*this, record, ignored);
      beside.run(k.src);
      if (llvm::any_of(beside.seen(), isVariable))
        found.insert(m);
    }
  }

  std::vector<Id> allocations(Id pointer) const {
    std::vector<Id> result;
    for (unsigned t : c_.flow.atNode(pointer))
      if (c_.flow.tokens()[t].kind == Token::Site)
        if (Id call = sites_[c_.flow.tokens()[t].ref].call; call != None)
          result.push_back(call);
    return result;
  }

  bool holdsAll(Id record, std::vector<Id> way, const Ways &kept) const {
    way.push_back(None);
    return llvm::all_of(f_.records[record].fields, [&](Id k) {
      way.back() = k;
      Id inner = p_.recordOf(p_.element(f_.fields[k].type));
      return kept.count(way) || (inner != None && holdsAll(inner, way, kept));
    });
  }

  StartupRecordsParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const std::vector<Allocators::Site> &sites_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const DefinitionIndex &values_;
  const llvm::ArrayRef<Root> roots_; ///< before any of them is replaced
  StartupRecordsParts out_;
  MemberDisambiguation &pointers_, &numbers_;
  IdMap<bool> outside_; ///< functions
};

} // namespace

namespace nvmove {

void findStartupRecords(StartupRecordsParts a) { StartupRecords(a).run(); }

} // namespace nvmove
