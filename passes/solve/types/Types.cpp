//===- Types.cpp - Which record types are persistent -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/types/Records.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

using TypesParts = View<LoadedTypes>;

class TypeFinder {
public:
  TypeFinder(const SolveContext &c, const LoadedState &s)
      : c_(c), s_(s), f_(c.program.facts), pt_(c.pointsTo) {}

  IdSet records() {
    search();
    IdSet result;
    for (auto &[record, type] : found_)
      result.insert(record);
    return result;
  }

  std::vector<PersistentType> run() {
    search();
    std::vector<PersistentType> result;
    for (auto &[record, type] : found_) {
      type.witness.callPath = s_.callPathTo(type.witness.function);
      if (Id object = proofs_[record].object; object != None)
        type.witness.chain = s_.chainTo(object);
      result.push_back(std::move(type));
    }
    llvm::sort(result, [&](auto &a, auto &b) {
      return std::tuple(!a.carriesFileData, !a.readOutsideLoad,
                        f_.records[a.record].key) <
             std::tuple(!b.carriesFileData, !b.readOutsideLoad,
                        f_.records[b.record].key);
    });
    return result;
  }

private:
  void search() {
    // Blocks of the load first: they make the better witnesses.
    for (bool blocks : {true, false})
      for (Id o = 0; o < pt_.objects().size(); ++o)
        if (s_.reachable(o) &&
            (pt_.objects()[o].kind == PointsTo::Object::Heap) == blocks)
          consider(o);
    findLaidOver();
    auto addInBytes = [&](RecordInBytes r) {
      add(r.record, r.object, r.function, r.site, std::move(r.action),
          r.carriesFileData, r.strain);
      auto at = found_.find(r.record);
      if (at == found_.end())
        return;
      if (r.bytes != PersistentType::Bytes::None)
        at->second.bytes = r.bytes;
      at->second.isCopy |= r.isCopy;
    };
    findRecordsInBytes(c_, s_, addInBytes);
    findRecordsByUse(c_, s_, addInBytes);
  }

  // Of all proofs the one that is easiest to believe is shown.
  void add(Id record, Id object, Id function, Loc site, std::string action,
           bool fileData, unsigned strain = 0) {
    // An untagged record inside another, or of one variable, has no name of its
    // own to report.
    if (!c_.program.isProgramRecord(record) ||
        f_.records[record].name.find('.') != std::string::npos ||
        llvm::StringRef(f_.records[record].spelling)
            .starts_with("__typeof__") ||
        !s_.hasRun(function))
      return;
    auto [at, fresh] = found_.try_emplace(record);
    PersistentType &t = at->second;
    t.carriesFileData |= fileData;
    strain += object == None ? 0 : s_.strainOf(object);
    if (!fresh && proofs_[record].strain <= strain)
      return;
    proofs_[record] = {object, strain};
    t.record = record;
    t.readOutsideLoad = s_.readOutsideLoad(record);
    t.witness.function = function;
    t.witness.site = site;
    t.witness.action = std::move(action);
  }

  void consider(Id o) {
    const auto &object = pt_.objects()[o];
    using Object = PointsTo::Object;
    if (object.kind == Object::Heap) {
      const Allocators::Site &site = c_.allocators.sites()[object.ref];
      const Call &call = f_.calls[site.call];
      if (site.hasOwnRecord)
        for (Id r : site.records)
          add(r, o, call.function, call.loc,
              "allocates " + f_.records[r].spelling, false);
      IdSet seen;
      if (call.callee != None)
        headersOf(call.callee, o, seen);
    }
    const bool isWhole = object.kind != Object::Variable || isBehindPointer(o);
    const bool isKeptTable = !isWhole && isRecordTable(object.ref) &&
                             llvm::any_of(pt_.locationsOf(o), [&](Id l) {
                               return isKept(l, object.ref);
                             });
    for (Id l : pt_.locationsOf(o)) {
      Id field = pt_.locations()[l].field;
      if (field == None || s_.writesTo(l).empty())
        continue;
      // Static memory stays where it is; its type counts when the load hangs
      // something of its own there, not for a flag or a counter, or when the
      // program goes there by a pointer. Of a table of records that counts, the
      // records within count, too: g_mib[n].oid beside g_mib[n].data.
      bool isPart = isKeptTable && object.record != None &&
                    f_.fields[field].record != object.record;
      // And a table within a record, which comes back whole, too.
      isPart |= !isWhole && isInKeptTable(o, field);
      if (!isWhole && !isPart && !isKept(l, object.ref))
        continue;
      const auto &write = s_.proof(l);
      Id r = f_.fields[field].record;
      bool file = pt_.holdsFileBytes(pt_.content(l));
      // Less telling than an allocation; least in a block of another type.
      unsigned strain = 2 + (write.direct ? 0 : 4);
      if (object.kind == Object::Heap &&
          !llvm::is_contained(c_.allocators.sites()[object.ref].records, r)) {
        strain += 8;
        if (s_.isObserved() &&
            isOfOthers(c_.allocators.sites()[object.ref], r, write.direct))
          continue;
      }
      add(r, o, write.function, write.loc,
          "writes " + f_.records[r].name + "." + f_.fields[field].name, file,
          strain);
      if (object.kind == Object::Heap)
        for (Id outer : c_.allocators.sites()[object.ref].records)
          addBetween(outer, field, o, write.function, write.loc, file, strain);
      else if (object.record != None)
        addBetween(object.record, field, o, write.function, write.loc, file,
                   strain);
      if (object.record != None && object.record != r &&
          (object.kind == Object::Preexisting ||
           (object.kind == Object::Variable &&
            (isTable(object.ref) || holdsRecordsAlone(object.record))) ||
           isBehindPointer(o)) &&
          (c_.program.contains(object.record, r) ||
           !c_.program.compatible(object.record, r))) // laid over it
        add(object.record, o, write.function, write.loc,
            "writes " + f_.records[r].name + "." + f_.fields[field].name +
                " inside",
            file, strain);
    }
  }

  /// A block that was made for other records; or for bytes, which are copied.
  bool isOfOthers(const Allocators::Site &site, Id record, bool direct) const {
    if (!site.hasOwnRecord)
      return !direct;
    return llvm::none_of(site.records, [&](Id r) {
      return c_.program.contains(r, record) || c_.program.contains(record, r);
    });
  }

  /// store->avail = &((struct large *)header)->avail, in a block of a computed
  /// size that was made as a struct header: what the load keeps a pointer into
  /// lies there.
  void findLaidOver() {
    for (Id l = 0; l < pt_.locations().size(); ++l) {
      if (!s_.reachable(pt_.locations()[l].object) || s_.writesTo(l).empty())
        continue;
      for (Id t : pt_.content(l)) {
        const auto &at = pt_.locations()[t];
        if (at.field == None ||
            pt_.objects()[at.object].kind != PointsTo::Object::Heap)
          continue;
        const Allocators::Site &site =
            c_.allocators.sites()[pt_.objects()[at.object].ref];
        Id r = f_.fields[at.field].record;
        if (!site.hasRoom || llvm::any_of(site.records, [&](Id made) {
              return c_.program.contains(made, r);
            }))
          continue;
        const auto &write = s_.proof(l);
        std::string action = "keeps a pointer to " + f_.records[r].name + "." +
                             f_.fields[at.field].name;
        bool file = pt_.holdsFileBytes(pt_.content(t));
        add(r, at.object, write.function, write.loc, action, file, 8);
        if (Id inner = c_.program.recordOf(f_.fields[at.field].type);
            inner != None)
          add(inner, at.object, write.function, write.loc, action, file, 8);
      }
    }
  }

  /// struct filter in struct peer, of which the load writes filter.map.name: a
  /// record within the outer one that holds the member by way of records; or
  /// that is cast to the one with the member.
  void addBetween(Id outer, Id field, Id o, Id function, Loc site, bool file,
                  unsigned strain) {
    Id r = f_.fields[field].record;
    for (Id part : c_.program.partsCastTo(outer, r))
      if (part != outer)
        add(part, o, function, site,
            "writes " + f_.records[r].name + "." + f_.fields[field].name +
                " inside",
            file, strain + 1);
    if (outer == r || !c_.program.contains(outer, r))
      return;
    const std::vector<std::vector<Id>> paths =
        c_.program.memberPaths(outer, field);
    auto passes = [&](const std::vector<Id> &path, Id record) {
      return llvm::any_of(path,
                          [&](Id k) { return f_.fields[k].record == record; });
    };
    for (Id k : paths.front())
      if (Id between = f_.fields[k].record;
          between != outer && between != r &&
          llvm::all_of(paths,
                       [&](auto &path) { return passes(path, between); }))
        add(between, o, function, site,
            "writes " + f_.records[r].name + "." + f_.fields[field].name +
                " inside",
            file, strain + 1);
  }

  /// Of a static: the load hangs a block there, or it is a table and gets data.
  bool isKept(Id l, Id variable) const {
    return pt_.locations()[l].field != None && !s_.writesTo(l).empty() &&
           (holdsLoadedBlock(l) ||
            (isTable(variable) && pt_.holdsFileBytes(pt_.content(l)) &&
             !isOwnCache(variable, l)));
  }
  /// state.rooms[n].name: the members that lead to the table; empty: none does.
  std::vector<Id> tableOf(Id o, Id field) const {
    const auto &object = pt_.objects()[o];
    if (object.kind != PointsTo::Object::Variable || object.record == None ||
        isTable(object.ref))
      return {};
    std::vector<Id> path = c_.program.memberPath(object.record, field);
    size_t table = c_.program.toTable(path);
    path.resize(table < path.size() ? table : 0);
    return path;
  }
  bool isInKeptTable(Id o, Id field) const {
    const std::vector<Id> table = tableOf(o, field);
    return !table.empty() && llvm::any_of(pt_.locationsOf(o), [&](Id l) {
      Id other = pt_.locations()[l].field;
      return other != None && tableOf(o, other) == table && s_.isNew(l);
    });
  }
  bool isRecordTable(Id variable) const {
    return isTable(variable) &&
           c_.program.recordOf(c_.program.element(f_.nodes[variable].type)) !=
               None;
  }

  /// struct header *h = malloc(sizeof *h + n); return h + 1: what the callers'
  /// blocks lie behind.
  void headersOf(Id wrapper, Id o, IdSet &seen) {
    if (!c_.allocators.isWrapper(wrapper) || !seen.insert(wrapper).second)
      return;
    for (Id i : c_.program.callsOf(wrapper)) {
      const Call &c = f_.calls[i];
      if (!c_.allocators.allocates(c))
        continue;
      if (Id r = c.resultRecord;
          r != None && llvm::is_contained(c.sizeofRecords, r))
        add(r, o, wrapper, c.loc, "allocates " + f_.records[r].spelling, false,
            /*strain=*/4);
      if (c.callee != None)
        headersOf(c.callee, o, seen);
    }
  }

  /// struct state { struct settings settings; struct services services; }
  bool holdsRecordsAlone(Id record) const {
    const Record &r = f_.records[record];
    return !r.isUnion && llvm::all_of(r.fields, [&](Id field) {
      return c_.program.recordOf(f_.fields[field].type) != None;
    });
  }

  bool isBehindPointer(Id o) const {
    const auto &object = pt_.objects()[o];
    return object.kind == PointsTo::Object::Variable &&
           c_.program.isBehindPointer(object.ref);
  }

  /// An array of records, or of bytes that blocks are taken from: no singleton.
  bool isTable(Id variable) const {
    Id type = f_.nodes[variable].type;
    return type != None && c_.program.kind(type) == TypeKind::Array;
  }

  /// A table that only the function which it belongs to writes: what it looked
  /// up last.
  bool isOwnCache(Id variable, Id l) const {
    const Node &n = f_.nodes[variable];
    return n.isFunctionScope &&
           !s_.writesTo(l).any([&](const LoadedState::Write &w) {
             return w.function != n.function;
           });
  }

  /// A block of the load, or one from before that holds what it loaded now: the
  /// cells of a free list.
  bool holdsLoadedBlock(Id l) const {
    for (Id target : pt_.content(l)) {
      Id o = pt_.locations()[target].object;
      const auto &object = pt_.objects()[o];
      if (object.kind == PointsTo::Object::Heap ||
          (object.kind == PointsTo::Object::Preexisting &&
           object.record != None && s_.isLoaded(o)))
        return true;
    }
    return false;
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  struct Proof {
    Id object = None;
    unsigned strain = 0;
  };
  std::map<Id, PersistentType> found_;
  std::map<Id, Proof> proofs_; ///< by record
};

} // namespace

namespace nvmove {

void findTypes(TypesParts a) { a.types = TypeFinder(a.context, a.state).run(); }

} // namespace nvmove

IdSet nvmove::persistentRecords(const SolveContext &context,
                                const LoadedState &state) {
  return TypeFinder(context, state).records();
}
