//===- RecordsInBytes.cpp - Types that no block and no store names --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records that are read or copied as bytes, or laid over some: no allocation of
// their own says where they lie, and often no store names a member
// (docs/decisions/0042).
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/LoadedState.h"
#include "passes/solve/types/Records.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

class RecordFinder {
public:
  RecordFinder(const SolveContext &c, const LoadedState &s,
               llvm::function_ref<void(RecordInBytes)> add)
      : c_(c), s_(s), f_(c.program.facts), pt_(c.pointsTo), add_(add) {}

  void run() {
    addFilled();
    addCopied();
    addPushed();
    addLayouts();
    addOverlays();
    addMapped();
    addLaidOverArrays();
  }

private:
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
      const Call &c = f_.calls[call];
      for (Id whole : records)
        for (Id r : c_.program.nested(whole))
          add_({r, o, c.function, c.loc,
                "reads " + f_.records[r].spelling + " raw", true,
                /*strain=*/4});
    }
  }

  // (*(struct server *)buffer), through offsets into which blocks are hung up.
  void addLaidOverArrays() {
    for (const auto &[cast, functions] : pt_.castArrays()) {
      if (llvm::none_of(functions, [&](Id fn) {
            return pt_.reached().contains(fn) || pt_.isPassing(fn);
          }))
        continue; // of another use of the array
      const auto [variable, record] = cast;
      Id l = pt_.find(variable, None);
      if (l == None || f_.nodes[variable].kind != NodeKind::Global ||
          !c_.program.holdsPointer(record) || s_.writesTo(l).empty())
        continue;
      const auto &content = pt_.content(l);
      bool keepsBlock = false;
      for (Id t : content)
        keepsBlock |= pt_.objects()[pt_.locations()[t].object].kind ==
                      PointsTo::Object::Heap;
      if (!keepsBlock)
        continue;
      const auto &write = s_.proof(l);
      add_({record, pt_.locations()[l].object, write.function, write.loc,
            "keeps a block in " + f_.nodes[variable].name + ", a " +
                f_.records[record].spelling,
            pt_.holdsFileBytes(content), /*strain=*/8});
    }
  }

  // One record of static memory is read raw and then kept elsewhere, a copy of
  // each, by whom it was read for: node->data = data.
  void addCopied() {
    IdMap<Id> objects; // by variable
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
      auto object =
          objects.find(AccessPath(c_.program, c.src, Copies).variable());
      if (object == objects.end())
        continue;
      const std::vector<Id> to =
          AccessPath(c_.program, c.dst, AccessPath::Members).members();
      for (Id member : llvm::reverse(to)) {
        const Field &field = f_.fields[member];
        Id r = c_.program.recordOf(field.type);
        if (r == None ||
            !c_.program.contains(r, pt_.objects()[object->second].record))
          break;
        add_({field.record, object->second, c.function, c.loc,
              "copies " + f_.nodes[object->first].name + " to " +
                  f_.records[field.record].name + "." + field.name,
              true, /*strain=*/8, PersistentType::Bytes::None,
              /*isCopy=*/true});
      }
    }
  }

  // push(list, &spot, sizeof spot): a record that lies in bytes, also one that
  // holds nothing but another record, which is all that its stores name.
  void addPushed() {
    IdMap<std::pair<Id, const Constraint *>> found; // by record
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow != Flow::CopyMemory || c.extra != None || c.dst == None ||
            c.src == None)
          continue;
        Id block = bytesBehind(c.dst);
        if (block == None)
          continue;
        for (Id l : pt_.pointsTo(c.src)) {
          const auto &at = pt_.locations()[l];
          const auto &object = pt_.objects()[at.object];
          if (object.kind == PointsTo::Object::Variable && at.field == None &&
              object.record != None && carriesLoaded(at.object))
            found.try_emplace(object.record, block, &c);
        }
      }
    for (auto &[record, at] : found)
      add_({record, at.first, at.second->function, at.second->loc,
            "copies " + f_.records[record].spelling + " into bytes", true,
            /*strain=*/16});
  }

  /// A block without a record of its own that the pointer leads to; None.
  Id bytesBehind(Id pointer) const {
    for (Id l : pt_.pointsTo(pointer))
      if (pt_.isMemory(l) && pt_.locations()[l].field == None &&
          s_.isUntypedBlock(pt_.locations()[l].object))
        return pt_.locations()[l].object;
    return None;
  }

  bool carriesLoaded(Id object) const {
    return llvm::any_of(pt_.locationsOf(object), [&](Id l) {
      return pt_.locations()[l].field != None &&
             s_.isLoadedValue(pt_.content(l));
    });
  }

  // A record whose size is used during the load but whose members are named
  // nowhere is written through other pointers: it lays out bytes of some
  // reachable block that has no record of its own.
  void addLayouts() {
    Id bytes = None;
    for (Id o = 0; o < pt_.objects().size() && bytes == None; ++o)
      if (s_.isUntypedBlock(o))
        bytes = o;
    if (bytes == None)
      return;
    IdSet named;
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
        add_({u.record, bytes, u.function, u.loc,
              "lays out " + f_.records[u.record].spelling, false});
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
    for (Id r :
         c_.program.nested(c_.program.pointeeRecord(f_.nodes[cast.dst].type)))
      add_({r, object, cast.function, cast.loc,
            "is in " + f_.records[field.record].name + "." + field.name, true,
            /*strain=*/16, PersistentType::Bytes::Array});
  }

  // table = mmap(..): what pointers to the file's bytes are taken for.
  void addMapped() {
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || pt_.objects()[o].kind != PointsTo::Object::Heap)
        continue;
      const Call &c =
          f_.calls[c_.allocators.sites()[pt_.objects()[o].ref].call];
      if (c.callee == None ||
          !hasTrait(f_.functions[c.callee].name, LibraryFunction::MapsMemory))
        continue;
      const Id whole = pt_.locationIn(o, None);
      if (whole == None)
        continue;
      for (Id n = 0; n < f_.nodes.size(); ++n)
        if (Id r = f_.nodes[n].type == None
                       ? None
                       : c_.program.pointeeRecord(f_.nodes[n].type);
            r != None && pt_.pointsTo(n).test(whole))
          add_({r, o, c.function, c.loc, "maps " + f_.records[r].spelling, true,
                /*strain=*/8, PersistentType::Bytes::Mapped});
    }
  }

  /// The field, an array of numbers or bytes, that the address is of; or None.
  Id arrayBehind(Id address) const {
    const Id member = AccessPath(c_.program, address).member();
    if (member == None)
      return None;
    const Id type = f_.fields[member].type;
    const TypeKind kind = c_.program.kind(c_.program.element(type));
    return c_.program.kind(type) == TypeKind::Array &&
                   (kind == TypeKind::Byte || kind == TypeKind::Integer)
               ? member
               : None;
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  llvm::function_ref<void(RecordInBytes)> add_;
};

} // namespace

void nvmove::findRecordsInBytes(const SolveContext &context,
                                const LoadedState &state,
                                llvm::function_ref<void(RecordInBytes)> add) {
  RecordFinder(context, state, add).run();
}
