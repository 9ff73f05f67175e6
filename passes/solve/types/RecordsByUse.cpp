//===- RecordsByUse.cpp - Records that only their users know --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/LoadedState.h"
#include "passes/solve/types/Records.h"
#include <set>

using namespace nvmove;

namespace {

class UseFinder {
public:
  UseFinder(const SolveContext &c, const LoadedState &s,
            llvm::function_ref<void(RecordInBytes)> add)
      : c_(c), s_(s), f_(c.program.facts), pt_(c.pointsTo), add_(add) {}

  void run() {
    addDescribed();
    addCasts();
  }

private:
  // for (d = fields; d->name; d++) *(int *)((char *)obj + d->offset) = ..: a
  // table says where the load puts numbers and pointers. A record from before
  // it is restored so; blocks that are made for what a table says are kept in
  // mind. Records within one are filled by a table that names them:
  // offsetof(struct net, eap.cert.ca).
  void addDescribed() {
    IdSet inTables;
    for (const SizeofUse &u : f_.sizeofUses)
      if (u.function == None)
        inTables.insert(u.record);
    for (const StoreSite &store : f_.stores) {
      if (store.field != None || store.address == None ||
          store.valueType == None || !pt_.reached().contains(store.function))
        continue;
      TypeKind kind = c_.program.kind(store.valueType);
      if (kind != TypeKind::Integer && kind != TypeKind::Floating &&
          kind != TypeKind::Pointer)
        continue; // text
      for (Id l : pt_.pointsTo(store.address)) {
        const auto &[o, field] = pt_.locations()[l];
        if (!pt_.isMemory(l) || field != None || !s_.reachable(o) ||
            !s_.isNew(l))
          continue;
        const auto &object = pt_.objects()[o];
        for (Id whole : pt_.recordsOf(o))
          for (Id r : c_.program.nested(whole))
            if (r != whole && inTables.contains(r) &&
                llvm::any_of(f_.records[r].fields, [&](Id member) {
                  return f_.fields[member].type == store.valueType;
                }))
              addAtOffset(r, l, store);
        if (object.kind == PointsTo::Object::Heap)
          described_.set(l);
        else if (object.kind == PointsTo::Object::Preexisting &&
                 object.record != None)
          addAtOffset(object.record, l, store);
      }
    }
  }

  void addAtOffset(Id record, Id l, const StoreSite &store) {
    add_({record, pt_.locations()[l].object, store.function, store.loc,
          "writes to " + f_.records[record].spelling + " at an offset",
          pt_.holdsFileBytes(pt_.content(l)), /*strain=*/8});
  }

  // char *cache: bytes that the load reads raw and knows nothing of, while the
  // program casts them to the records that they are:
  //   void *at(int i) { return cache + i * size; }  struct ship *s = at(3);
  // A void * counts when it leads to nothing else; to what was read, which may
  // be text, when it is used as an array.
  void addCasts() {
    PointsTo::Set blocks; // locations
    auto take = [&](Id l) {
      const auto &[o, field] = pt_.locations()[l];
      if (field == None && s_.isUntypedBlock(o))
        blocks.set(l);
    };
    for (Id l : described_)
      take(l);
    for (auto [l, call] : pt_.fills())
      take(l);
    IdMap<Block> fields, variables; // what they lead to
    IdSet others;                   // fields with other contents
    for (Id l = 0; l < pt_.locations().size() && !blocks.empty(); ++l) {
      const auto &[o, cell] = pt_.locations()[l];
      bool isVariable = pt_.objects()[o].kind == PointsTo::Object::Variable;
      if (!s_.reachable(o) || (cell == None && !isVariable))
        continue;
      Id slot = cell != None ? cell : Id(pt_.objects()[o].ref);
      Id type = cell != None ? f_.fields[cell].type : f_.nodes[slot].type;
      bool isAnything = pointsTo(type, TypeKind::Void);
      bool other = !isAnything && !pointsTo(type, TypeKind::Byte);
      Block block;
      for (Id t : pt_.content(l))
        if (Id object = pt_.locations()[t].object; blocks.test(t))
          block = {object, isAnything && !described_.test(t), isCut(object)};
        else if (isAnything && pt_.isMemory(t) && !pt_.objects()[object].any)
          other = true;
      if (other && cell != None)
        others.insert(cell);
      if (block.object != None && !other)
        (cell != None ? fields : variables).try_emplace(slot, block);
    }
    for (Id cell : others)
      fields.erase(cell);
    if (!fields.empty() || !variables.empty())
      followCasts(fields, variables);
  }

  bool pointsTo(Id type, TypeKind kind) const {
    Id pointee = type == None ? None : c_.program.pointee(type);
    return pointee != None && c_.program.kind(pointee) == kind;
  }

  struct Block {
    Id object = None;
    bool toIndex = false; ///< a record only when it is used as an array
    bool isCut = false;   ///< from a larger one, by the program's allocator
  };

  bool isCut(Id object) const {
    const auto &site = c_.allocators.sites()[pt_.objects()[object].ref];
    Id maker = f_.calls[site.call].callee;
    return maker != None && c_.allocators.isCarving(maker);
  }

  void followCasts(const IdMap<Block> &fields, const IdMap<Block> &variables) {
    struct Step {
      Id to, function;
      Loc loc;
      bool isIndex = false;
      bool isMade = false; ///< the result of an allocator
    };
    std::vector<llvm::SmallVector<Step, 2>> steps(f_.nodes.size());
    auto step = [&](Id from, Id to, Id function, Loc loc, bool isIndex,
                    bool isMade = false) {
      if (from != None && to != None)
        steps[from].push_back({to, function, loc, isIndex, isMade});
    };
    std::vector<std::pair<Id, Block>> work; // node, what it leads to
    std::set<std::tuple<Id, bool, bool>> seen;
    auto push = [&](Id node, Block block) {
      if (seen.insert({node, block.toIndex, block.isCut}).second)
        work.push_back({node, block});
    };
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Copy || c.flow == Flow::Cast ||
          c.flow == Flow::Index) {
        step(c.src, c.dst, c.function, c.loc, c.flow == Flow::Index);
      } else if (c.flow == Flow::Load && c.src != None && c.dst != None) {
        if (Id member = memberAt(c_.program, c.src); member != None)
          if (auto at = fields.find(f_.fields[member].cell); at != fields.end())
            push(c.dst, at->second);
      }
    for (const Call &c : f_.calls)
      if (c.callee != None) {
        const Function &callee = f_.functions[c.callee];
        step(callee.result, c.result, c.function, c.loc, false,
             c_.allocators.allocates(c));
        for (size_t k = 0; k < c.args.size() && k < callee.params.size(); ++k)
          step(c.args[k], callee.params[k], c.function, c.loc, false);
      }
    for (auto [variable, block] : variables)
      push(variable, block);
    while (!work.empty()) {
      auto [n, block] = work.back();
      work.pop_back();
      for (const Step &s : steps[n]) {
        if (s.isMade && block.isCut)
          continue; // the next piece of the same arena
        Id type = f_.nodes[s.to].type;
        Id record = type == None ? None : c_.program.pointeeRecord(type);
        bool toIndex = block.toIndex && !s.isIndex;
        if (record == None)
          push(s.to, {block.object, toIndex, block.isCut});
        else if (!toIndex)
          addCast(record, block.object, s.function, s.loc);
      }
    }
  }

  void addCast(Id record, Id block, Id function, Loc loc) {
    for (Id r : c_.program.nested(record))
      add_({r, block, function, loc,
            "uses bytes that are read as " + f_.records[record].spelling, true,
            /*strain=*/16, PersistentType::Bytes::Array});
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  llvm::function_ref<void(RecordInBytes)> add_;
  PointsTo::Set described_; ///< locations: blocks filled by what a table says
};

} // namespace

void nvmove::findRecordsByUse(const SolveContext &context,
                              const LoadedState &state,
                              llvm::function_ref<void(RecordInBytes)> add) {
  UseFinder(context, state, add).run();
}
