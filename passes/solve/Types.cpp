//===- Types.cpp - Which record types are persistent -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

class TypeFinder {
public:
  TypeFinder(const SolveContext &c, const LoadedState &s)
      : c_(c), s_(s), f_(c.program.facts), pt_(c.pointsTo) {}

  llvm::DenseSet<Id> records() {
    search();
    llvm::DenseSet<Id> result;
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
    addFilled();
    addCopied();
    addContainersAndLayouts();
    addOverlays();
    addMapped();
  }

  // Of all proofs the one that is easiest to believe is shown.
  void add(Id record, Id object, Id function, Loc site, std::string action,
           bool fileData, unsigned strain = 0) {
    // An untagged record inside another, or of one variable, has no name of its
    // own to report.
    if (!c_.program.isProgramRecord(record) ||
        f_.records[record].name.find('.') != std::string::npos ||
        llvm::StringRef(f_.records[record].spelling).starts_with("__typeof__"))
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
    }
    for (Id l : pt_.locationsOf(o)) {
      Id field = pt_.locations()[l].field;
      if (field == None || s_.writesTo(l).empty())
        continue;
      // Static memory stays where it is; its type counts when the load hangs
      // something of its own there, not for a flag or a counter.
      if (object.kind == Object::Variable && !holdsLoadedBlock(l) &&
          !(isTable(object.ref) && pt_.holdsFileBytes(pt_.content(l)) &&
            !isOwnCache(object.ref, l)))
        continue;
      const auto &write = s_.proof(l);
      Id r = f_.fields[field].record;
      bool file = pt_.holdsFileBytes(pt_.content(l));
      // Less telling than an allocation; least in a block of another type.
      unsigned strain = 2 + (write.direct ? 0 : 4);
      if (object.kind == Object::Heap &&
          !llvm::is_contained(c_.allocators.sites()[object.ref].records, r))
        strain += 8;
      add(r, o, write.function, write.loc,
          "writes " + f_.records[r].name + "." + f_.fields[field].name, file,
          strain);
      if (object.record != None && object.record != r &&
          (object.kind == Object::Preexisting ||
           (object.kind == Object::Variable && isTable(object.ref))) &&
          c_.program.contains(object.record, r))
        add(object.record, o, write.function, write.loc,
            "writes " + f_.records[r].name + "." + f_.fields[field].name +
                " inside",
            file, strain);
    }
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

  // Whole records that read() and friends fill raw.
  void addFilled() {
    for (auto [l, call] : pt_.fills()) {
      Id o = pt_.locations()[l].object;
      if (!s_.reachable(o))
        continue;
      Id field = pt_.locations()[l].field;
      llvm::SmallVector<Id, 4> records;
      if (field == None)
        records = pt_.recordsOf(o);
      else if (Id r = c_.program.recordOf(f_.fields[field].type); r != None)
        records.push_back(r);
      for (size_t i = 0; i < records.size(); ++i) {
        const Call &c = f_.calls[call];
        add(records[i], o, c.function, c.loc,
            "reads " + f_.records[records[i]].spelling + " raw", true,
            /*strain=*/4);
        addInner(records[i], records);
      }
    }
  }

  // One record of static memory is read raw and then kept elsewhere, a copy of
  // each, by whom it was read for: node->data = data.
  void addCopied() {
    llvm::DenseMap<Id, Id> objects; // by variable
    for (auto [l, call] : pt_.fills()) {
      const auto &[o, field] = pt_.locations()[l];
      const auto &object = pt_.objects()[o];
      if (object.kind == PointsTo::Object::Variable && object.record != None &&
          field == None && s_.reachable(o))
        objects[object.ref] = o;
    }
    for (const Constraint &c : f_.constraints) {
      if (c.flow != Flow::CopyMemory || c.dst == None ||
          c_.flow.isVariable(c.dst))
        continue;
      Id from = defining(c.src), to = defining(c.dst);
      if (from == None || f_.constraints[from].flow != Flow::AddressOf)
        continue;
      auto object = objects.find(f_.constraints[from].src);
      if (object == objects.end())
        continue;
      for (; to != None && f_.constraints[to].flow == Flow::Member;
           to = defining(f_.constraints[to].src)) {
        const Field &field = f_.fields[f_.constraints[to].extra];
        Id r = c_.program.recordOf(field.type);
        if (r == None ||
            !c_.program.contains(r, pt_.objects()[object->second].record))
          break;
        add(field.record, object->second, c.function, c.loc,
            "copies " + f_.nodes[object->first].name + " to " +
                f_.records[field.record].name + "." + field.name,
            true, /*strain=*/8);
      }
    }
  }

  /// The constraint that a temporary gets its value from, or None.
  Id defining(Id node) const {
    for (Id d = None; node != None && f_.nodes[node].kind == NodeKind::Temp;
         node = f_.constraints[d].src) {
      d = c_.program.definition(node);
      if (d == None || (f_.constraints[d].flow != Flow::Copy &&
                        f_.constraints[d].flow != Flow::Cast))
        return d;
    }
    return None;
  }

  void addInner(Id record, llvm::SmallVectorImpl<Id> &records) const {
    for (Id inner : f_.records[record].fields)
      if (Id r = c_.program.recordOf(f_.fields[inner].type); r != None)
        records.push_back(r);
  }

  // A record whose size is used during the load but whose members are named
  // nowhere is written through other pointers: it lays out bytes of some
  // reachable block that has no record of its own.
  void addContainersAndLayouts() {
    bool hasBytes = false;
    Id bytes = None;
    for (Id o = 0; o < pt_.objects().size() && !hasBytes; ++o)
      if (s_.reachable(o) && pt_.objects()[o].kind == PointsTo::Object::Heap &&
          !c_.allocators.sites()[pt_.objects()[o].ref].hasOwnRecord) {
        hasBytes = true;
        bytes = o;
      }
    if (!hasBytes)
      return;
    llvm::DenseSet<Id> named;
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Member)
        named.insert(f_.fields[c.extra].record);
    for (const Node &n : f_.nodes)
      if (n.kind != NodeKind::Temp && n.type != None)
        if (Id r = c_.program.recordOf(n.type); r != None)
          named.insert(r);
    for (const SizeofUse &u : f_.sizeofUses)
      if (!named.contains(u.record) && u.function != None &&
          pt_.reached().contains(u.function) && !f_.records[u.record].isUnion &&
          !measuresAnother(u))
        add(u.record, bytes, u.function, u.loc,
            "lays out " + f_.records[u.record].spelling, false);
  }

  /// read(f, &chunk->F, sizeof(struct old_F)): the size of a part of something
  /// that has a record of its own, or that does not outlive the load.
  bool measuresAnother(const SizeofUse &u) const {
    for (Id i : c_.program.callsOf(u.function)) {
      const Call &c = f_.calls[i];
      if (c.loc.line != u.loc.line || c.loc.file != u.loc.file ||
          !llvm::is_contained(c.sizeofRecords, u.record))
        continue;
      bool any = false, laysOut = c_.allocators.allocates(c);
      const LibraryFunction *l = c_.program.library(c);
      int destination = l ? l->destination : -1; // fread(p, 1, n, file)
      for (size_t k = 0; k < c.args.size(); ++k)
        if (Id a = c.args[k]; a != None &&
                              c_.program.isPointer(f_.nodes[a].type) &&
                              (destination < 0 || int(k) == destination))
          for (Id l : pt_.pointsTo(a)) {
            Id o = pt_.locations()[l].object;
            any |= pt_.isMemory(l);
            laysOut |= pt_.isMemory(l) && s_.reachable(o) &&
                       pt_.locations()[l].field == None &&
                       pt_.recordsOf(o).empty();
          }
      return any && !laysOut;
    }
    return false;
  }

  // ((struct shop *)monster->extra)->..: the program casts an array of plain
  // values within a record to another record, whether or not the load does, and
  // the load filled the array from the file.
  void addOverlays() {
    std::map<Id, llvm::SmallVector<const Constraint *, 4>> casts; // by cell
    for (const Constraint &c : f_.constraints) {
      if (c.flow != Flow::Cast || c.dst == None ||
          c_.program.pointeeRecord(f_.nodes[c.dst].type) == None)
        continue;
      if (Id field = arrayBehind(c.src); field != None)
        casts[f_.fields[field].cell].push_back(&c);
    }
    for (Id l = 0; l < pt_.locations().size() && !casts.empty(); ++l) {
      const auto &[object, cell] = pt_.locations()[l];
      auto at = casts.find(cell);
      if (at != casts.end() && s_.reachable(object) &&
          pt_.holdsFileBytes(pt_.content(l)))
        for (const Constraint *c : at->second)
          addOverlay(*c, object, f_.fields[cell]);
    }
  }

  void addOverlay(const Constraint &cast, Id object, const Field &field) {
    llvm::SmallVector<Id, 4> records{
        c_.program.pointeeRecord(f_.nodes[cast.dst].type)};
    for (size_t i = 0; i < records.size(); ++i) {
      add(records[i], object, cast.function, cast.loc,
          "lies in " + f_.records[field.record].name + "." + field.name, true,
          /*strain=*/16);
      liesIn(records[i], PersistentType::Bytes::Array);
      addInner(records[i], records);
    }
  }

  // table = mmap(..): what pointers to the file's bytes are taken for.
  void addMapped() {
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || pt_.objects()[o].kind != PointsTo::Object::Heap)
        continue;
      const Call &c =
          f_.calls[c_.allocators.sites()[pt_.objects()[o].ref].call];
      if (c.callee == None || f_.functions[c.callee].name != "mmap")
        continue;
      Id whole = None;
      for (Id l : pt_.locationsOf(o))
        if (pt_.locations()[l].field == None)
          whole = l;
      if (whole == None)
        continue;
      for (Id n = 0; n < f_.nodes.size(); ++n)
        if (Id r = f_.nodes[n].type == None
                       ? None
                       : c_.program.pointeeRecord(f_.nodes[n].type);
            r != None && pt_.pointsTo(n).test(whole)) {
          add(r, o, c.function, c.loc, "maps " + f_.records[r].spelling, true,
              /*strain=*/8);
          liesIn(r, PersistentType::Bytes::Mapped);
        }
    }
  }

  void liesIn(Id record, PersistentType::Bytes bytes) {
    if (auto at = found_.find(record); at != found_.end())
      at->second.bytes = bytes;
  }

  /// The field, an array of numbers or bytes, that the address is of; or None.
  Id arrayBehind(Id address) const {
    for (unsigned depth = 0; address != None && depth < 8; ++depth) {
      Id d = f_.nodes[address].kind == NodeKind::Temp
                 ? c_.program.definition(address)
                 : None;
      if (d == None)
        return None;
      const Constraint &c = f_.constraints[d];
      if (c.flow == Flow::Member) {
        Id type = f_.fields[c.extra].type;
        TypeKind kind = c_.program.kind(c_.program.element(type));
        return c_.program.kind(type) == TypeKind::Array &&
                       (kind == TypeKind::Byte || kind == TypeKind::Integer)
                   ? c.extra
                   : None;
      }
      if (c.flow != Flow::Index && c.flow != Flow::Copy && c.flow != Flow::Cast)
        return None;
      address = c.src;
    }
    return None;
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

void nvmove::findTypes(const SolveContext &context, const LoadedState &state,
                       Solution &solution) {
  solution.types = TypeFinder(context, state).run();
}

llvm::DenseSet<Id> nvmove::persistentRecords(const SolveContext &context,
                                             const LoadedState &state) {
  return TypeFinder(context, state).records();
}
