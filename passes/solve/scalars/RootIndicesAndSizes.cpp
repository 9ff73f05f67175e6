//===- RootIndicesAndSizes.cpp - Numbers that go with what roots lead to --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct item **table; static unsigned mask;
//   void grow(void) { mask = mask * 4 + 3; table = calloc(mask + 1, ..); .. }
//
// The load need not write the number: start-up makes the table, and a command
// makes another. The root brings that one back, so its number comes with it.
//
//   static struct event ring[8]; static unsigned head, tail;
//   struct event take(void) { return ring[head++ % 8]; }
//
// The load only puts things into the ring, so it does not write the head. That
// only ever moves on from what it was, so it comes back with the ring.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

using RootIndicesAndSizesParts = View<ServedStatics>;

class RootIndicesAndSizes {
public:
  explicit RootIndicesAndSizes(const RootIndicesAndSizesParts &a)
      : context_(a.context), p_(context_.program), f_(p_.facts),
        a_(context_.allocators), flow_(context_.flow), pt_(context_.pointsTo),
        loop_(context_.loop), origins_(a.measures.origins()),
        kept_(a.statics.restored()), statics_(a.statics) {
    for (const Root &r : kept_.roots()) {
      if (!r.kept() || r.container != None)
        continue;
      if (p_.kind(r.slotType) == TypeKind::Array)
        addTable(r.variable, r.fields, true);
      else if (p_.isPointer(r.slotType) &&
               addTable(r.variable, r.fields, false))
        findBlocks(r, tables_.back());
    }
    for (const RestoredScalar &s : kept_.scalars())
      if (p_.kind(s.fields.empty()
                      ? f_.nodes[s.variable].type
                      : f_.fields[s.fields.back()].type) == TypeKind::Array)
        addTable(s.variable, s.fields, true);
  }

  void run() {
    if (tables_.empty())
      return;
    findIndices();
    for (const StaticWrite &w : f_.staticWrites)
      if (w.isScalar)
        written({w.variable, p_.cellOf(w.path)}, w.path,
                {w.function, w.value, w.loc, w.loop});
    throughPointers();
    for (auto &[at, writes] : numbers_)
      consider(at, writes);
  }

private:
  using Place = ScalarOrigins::Place;
  using Places = ScalarOrigins::Places;
  struct Write {
    Id function = None, value = None;
    Loc loc;
    Id loop = None;
  };
  using Writes = std::vector<std::pair<std::vector<Id>, Write>>;
  /// What a root leads to.
  struct Table {
    Places indices, sizes; ///< places in it, and its size, come from them
    std::map<Id, Places> sizesIn; ///< by function that makes it
    IdSet makers; ///< functions that set the root, or make what it leads to
    bool isArray = false; ///< in static memory itself: nothing makes it
  };

  bool addTable(Id variable, const std::vector<Id> &fields, bool isArray) {
    if (f_.nodes[variable].kind != NodeKind::Global ||
        !slots_.try_emplace({variable, p_.cellOf(fields)}, tables_.size())
             .second)
      return false;
    tables_.emplace_back();
    tables_.back().isArray = isArray;
    return true;
  }

  bool isNumber(Place at, const std::vector<Id> &path) const {
    const Node &n = f_.nodes[at.first];
    Id type = p_.typeOf(at.first, path);
    if (!n.isDefined || type == None ||
        (!path.empty() && p_.kind(n.type) == TypeKind::Array))
      return false;
    bool isText =
        p_.kind(path.empty() ? n.type : f_.fields[path.back()].type) ==
        TypeKind::Array;
    return p_.kind(type) == TypeKind::Integer ||
           (p_.kind(type) == TypeKind::Byte && !isText);
  }

  /// The slot in static memory that a pointer is read from, as the text says
  /// it; None for others.
  Place slotOf(Id pointer) const {
    AccessPath path(p_, pointer, AccessPath::Members | Flow::Load);
    if (path.steps.empty() && !path.isAddress)
      return {path.base, None};
    const bool isRead = path.ends(Flow::Load);
    if (isRead)
      path.steps.pop_back();
    return isRead && path.ends(Flow::Member) ? placeAt(path)
                                             : Place{None, None};
  }

  /// The same of an array in static memory.
  Place arrayOf(Id address) const { return placeAt(AccessPath(p_, address)); }

  /// A static, or a member of one that is a record.
  Place placeAt(const AccessPath &path) const {
    const std::vector<Id> members = path.members();
    const bool isOfRecord =
        members.size() == 1 && path.steps.front()->flow == Flow::Member;
    return path.isAddress && (members.empty() || isOfRecord)
               ? Place{path.base, p_.cellOf(members)}
               : Place{None, None};
  }

  // table[hash & mask]: also behind what the load knows the table by.
  void findIndices() {
    std::vector<std::pair<PointsTo::Set, std::vector<Id>>> found(
        tables_.size()); // blocks, indices
    PointsTo::Set blocks;
    for (auto &[slot, table] : slots_)
      if (Id at = location(slot); at != None && !tables_[table].isArray)
        for (Id l : pt_.content(at))
          if (pt_.isMemory(l)) {
            found[table].first.set(l);
            blocks.set(l);
          }
    for (const Constraint &c : f_.constraints) {
      if (c.flow != Flow::Index || c.extra == None || c.src == None)
        continue;
      auto named = slots_.find(slotOf(c.src));
      if (named == slots_.end())
        named = slots_.find(arrayOf(c.src));
      if (named != slots_.end())
        found[named->second].second.push_back(c.extra);
      else if (c.function != None && pt_.reached().contains(c.function) &&
               pt_.pointsTo(c.src).intersects(blocks))
        for (auto &[of, indices] : found)
          if (pt_.pointsTo(c.src).intersects(of))
            indices.push_back(c.extra);
    }
    for (size_t i = 0; i < found.size(); ++i)
      origins_.add(found[i].second, tables_[i].indices);
  }

  Id location(Place at) const {
    Id whole = pt_.find(at.first, None);
    return at.second == None || whole == None
               ? whole
               : pt_.locationIn(pt_.locations()[whole].object, at.second);
  }

  // Where blocks of the root are made, and what their sizes are computed from.
  void findBlocks(const Root &root, Table &table) {
    for (unsigned t : flow_.inSlot(root.variable, root.fields)) {
      const FieldFlow::Token &token = flow_.tokens()[t];
      if (token.kind != FieldFlow::Token::Site)
        continue;
      const Call &c = f_.calls[a_.sites()[token.ref].call];
      if (c.function == None)
        continue;
      table.makers.insert(c.function);
      const Places &from = sizesOf(a_.sites()[token.ref].call);
      table.sizesIn[c.function].insert(from.begin(), from.end());
    }
    for (auto &[fn, places] : table.sizesIn)
      table.sizes.insert(places.begin(), places.end());
  }

  void written(Place at, const std::vector<Id> &path, const Write &w) {
    if (w.function == None)
      return;
    if (auto slot = slots_.find(at); slot != slots_.end()) {
      if (!tables_[slot->second].isArray)
        tables_[slot->second].makers.insert(w.function);
    } else if (isNumber(at, path)) {
      numbers_[at].push_back({path, w});
    }
  }

  /// Into records that roots lie in: table->slots = calloc(n, ..);
  /// table->mask = n - 1.
  void throughPointers() {
    IdSet headers;
    for (auto &[slot, table] : slots_)
      if (slot.second != None)
        headers.insert(slot.first);
    IdMap<Id> values, before; // by address
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store)
        values.try_emplace(c.dst, c.src);
      else if (c.flow == Flow::Load)
        before.try_emplace(c.src, c.dst);
    for (const StoreSite &s : f_.stores) {
      Id d = s.address == None ? None : p_.definition(s.address);
      if (d == None || f_.constraints[d].flow != Flow::Member)
        continue;
      Id member = f_.constraints[d].extra;
      for (unsigned t : flow_.atNode(f_.constraints[d].src)) {
        const FieldFlow::Token &token = flow_.tokens()[t];
        if (token.kind != FieldFlow::Token::Static ||
            !headers.contains(token.ref))
          continue;
        Id record = p_.recordOf(f_.nodes[token.ref].type);
        if (record == None || !p_.contains(record, f_.fields[member].record))
          continue;
        auto value = values.find(s.address);
        bool isKnown = value != values.end();
        if (!isKnown && s.readModifyWrite) // n += 8
          value = before.find(s.address), isKnown = value != before.end();
        for (const std::vector<Id> &path : besideRoots(token.ref, member))
          written({token.ref, f_.fields[member].cell}, path,
                  {s.function, isKnown ? value->second : None, s.loc});
      }
    }
  }

  /// The ways to a member of a record that a root is in, too: of two of one
  /// type in a static the one that has it.
  std::vector<std::vector<Id>> besideRoots(Id variable, Id member) const {
    std::vector<std::vector<Id>> paths =
        p_.memberPaths(p_.recordOf(f_.nodes[variable].type), member);
    auto hasRoot = [&](const std::vector<Id> &path) {
      return llvm::any_of(kept_.roots(), [&](const Root &r) {
        return r.kept() && r.variable == variable &&
               r.fields.size() >= path.size() &&
               std::equal(path.begin(), path.end() - 1, r.fields.begin());
      });
    };
    auto others = std::stable_partition(paths.begin(), paths.end(), hasRoot);
    paths.erase(others == paths.begin() ? paths.begin() + 1 : others,
                paths.end());
    return paths;
  }

  /// Set to what the size of a block that is made there comes from.
  bool isSize(const Table &table, const Write &w) {
    auto at = table.sizesIn.find(w.function);
    if (w.value == None || at == table.sizesIn.end())
      return false;
    auto [from, fresh] = ofValues_.try_emplace(w.value);
    if (fresh)
      origins_.add(w.value, from->second);
    return llvm::any_of(from->second,
                        [&](Place v) { return at->second.contains(v); });
  }

  /// Roots of one kind share the calls that make what they lead to.
  const Places &sizesOf(Id call) {
    auto [from, fresh] = ofCalls_.try_emplace(call);
    if (fresh)
      origins_.add(IndicesAndSizes::sizesIn(f_, f_.calls[call]), from->second,
                   &flow_);
    return from->second;
  }

  void consider(Place at, Writes &writes) {
    llvm::erase_if(
        writes, [&](const auto &w) { return kept_.holds(at.first, w.first); });
    if (writes.empty())
      return;
    const Write first = writes.front().second;
    bool isConstant = llvm::all_of(writes, [&](const auto &w) {
      return w.second.value == None && w.second.loc == first.loc;
    });
    if (isConstant)
      return;
    for (const Table &table : tables_)
      for (const auto &[path, w] : writes)
        if (table.makers.contains(w.function)) {
          bool chooses = table.indices.contains(at);
          if (!chooses && !table.sizes.contains(at) && !isSize(table, w))
            continue;
          return restore(at.first, writes,
                         chooses ? Evidence::SaysWhere : Evidence::SaysHowLarge,
                         w.loc);
        }
    if (llvm::none_of(tables_,
                      [&](const Table &t) { return t.indices.contains(at); }))
      return;
    if (onlyMoves(at, writes))
      restore(at.first, writes, Evidence::MovesOnInRoot, first.loc);
    else
      report(at, writes);
  }

  void restore(Id variable, const Writes &writes, Evidence why, Loc loc) {
    for (const auto &[path, w] : writes)
      statics_.note({variable, path}, {why, loc});
  }

  /// head = (head + 1) % size, in handlers.
  bool onlyMoves(Place at, const Writes &writes) {
    bool isMoved = false;
    for (const auto &[path, w] : writes) {
      if (w.value == None && context_.phases.atStart.contains(w.function) &&
          !isLater(w))
        continue; // it begins anew before the load
      if (w.value == None || !origins_.isFrom(w.value, at))
        return false;
      isMoved |= isLater(w);
    }
    return isMoved;
  }

  void report(Place at, const Writes &writes) {
    for (const auto &[path, w] : writes)
      if (isLater(w)) {
        statics_.note({at.first, path},
                      {Evidence::IndexOfRoot, w.loc, w.function});
        return;
      }
  }

  /// In a handler, or in the main loop by itself.
  bool isLater(const Write &w) {
    return context_.phases.isHandled(w.function, w.loop);
  }

  const SolveContext &context_;
  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const PointsTo &pt_;
  const EventLoop &loop_;
  const ScalarOrigins &origins_;
  const RestoredSet &kept_;
  StaticEvidence &statics_;
  std::map<Place, size_t> slots_; ///< of roots, in tables_
  std::vector<Table> tables_;
  std::map<Place, Writes> numbers_;
  std::map<Id, Places> ofValues_, ofCalls_; ///< where these come from
};

} // namespace

namespace nvmove {

void findRootIndicesAndSizes(RootIndicesAndSizesParts a) {
  RootIndicesAndSizes(a).run();
}

} // namespace nvmove
