//===- Allocators.cpp - Which calls make new blocks, and of which types -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/Allocators.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Allocators::Allocators(const Program &program) : p_(program) {
  findPools();
  // A wrapper may be what a pointer holds, and may call through one.
  for (size_t known = ~size_t(0); known != wrappers_.size();) {
    known = wrappers_.size();
    findPointers();
    findWrappers();
  }
  findCarving();
  findSites();
}

bool Allocators::allocates(const Call &call) const {
  if (call.callee == None)
    return pointers_.contains(call.target);
  return p_.library(call) ? p_.makesBlock(call)
                          : wrappers_.contains(call.callee);
}

bool Allocators::reallocates(const Call &call) const {
  if (call.callee == None)
    return reallocPointers_.contains(call.target);
  return p_.isLibrary(call, LibraryFunction::Reallocate) ||
         reallocWrappers_.contains(call.callee);
}

void Allocators::findPointers() {
  const Facts &f = p_.facts;
  std::vector<std::pair<Id, bool>> start; // node, reallocates
  for (const Constraint &c : f.constraints) {
    Id fn = c.flow == Flow::AddressOf ? p_.functionOf(c.src) : None;
    if (fn == None)
      continue;
    const LibraryFunction *l = p_.libraryOf(fn);
    bool again = (l && l->kind == LibraryFunction::Reallocate) ||
                 reallocWrappers_.contains(fn);
    if (again || wrappers_.contains(fn) ||
        (l && l->kind == LibraryFunction::Allocate && l->destination < 0))
      start.push_back({c.dst, again});
  }
  if (start.empty())
    return;
  // Function pointers only: everything else cannot hold such an address.
  auto mayHold = [&](Id node) {
    Id type = p_.element(f.nodes[node].type);
    return p_.isFunctionPointer(type) ||
           (p_.isPointer(type) && p_.kind(p_.pointee(type)) == TypeKind::Void);
  };
  IdMap<llvm::SmallVector<Id, 2>> out;
  auto edge = [&](Id from, Id to) {
    if (from != None && to != None)
      out[from].push_back(to);
  };
  for (const Constraint &c : f.constraints) {
    if (c.src == None || c.dst == None)
      continue;
    if (c.flow == Flow::Copy || c.flow == Flow::Cast || c.flow == Flow::Index) {
      if (mayHold(c.src))
        edge(c.src, c.dst);
    } else if (c.flow == Flow::Store && mayHold(c.src)) {
      edge(c.src, p_.slotAt(c.dst));
    } else if (c.flow == Flow::Load && mayHold(c.dst)) {
      edge(p_.slotAt(c.src), c.dst);
    }
  }
  for (const Call &c : f.calls) {
    if (c.callee == None)
      continue;
    const Function &fn = f.functions[c.callee];
    for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i)
      if (c.args[i] != None && mayHold(c.args[i]))
        edge(c.args[i], fn.params[i]);
    if (c.result != None && fn.result != None && mayHold(fn.result))
      edge(fn.result, c.result);
  }
  for (auto &[node, again] : start) {
    llvm::SmallVector<Id, 16> work{node};
    auto &reached = again ? reallocPointers_ : pointers_;
    while (!work.empty()) {
      Id n = work.pop_back_val();
      if (!reached.insert(n).second)
        continue;
      pointers_.insert(n);
      if (auto next = out.find(n); next != out.end())
        work.append(next->second.begin(), next->second.end());
    }
  }
}

Allocators::Source Allocators::sourceOfResult(Id function) const {
  const Facts &f = p_.facts;
  IdMap<llvm::SmallVector<Id, 2>> sources; // dst -> srcs
  IdMap<Id> callOfResult;
  IdSet opaque;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Index:
    case Flow::Arith:
      sources[c.dst].push_back(c.src);
      break;
    case Flow::AddressOf:
    case Flow::Member:
    case Flow::Load:
      opaque.insert(c.dst);
      break;
    case Flow::Store:
    case Flow::CopyMemory:
      break;
    }
  }
  for (Id i : p_.callsOf(function))
    if (f.calls[i].result != None)
      callOfResult[f.calls[i].result] = i;

  bool allocator = false, parameter = false;
  llvm::SmallVector<Id, 8> work{f.functions[function].result};
  IdSet seen;
  while (!work.empty()) {
    Id n = work.pop_back_val();
    if (n == None || !seen.insert(n).second)
      continue;
    if (opaque.contains(n) || f.nodes[n].kind == NodeKind::Global)
      return Source::Other;
    if (llvm::is_contained(f.functions[function].params, n)) {
      // An integer that takes part in pointer arithmetic is not a source.
      parameter |= p_.isPointer(f.nodes[n].type);
      continue;
    }
    if (auto call = callOfResult.find(n); call != callOfResult.end()) {
      const Call &c = f.calls[call->second];
      if (allocates(c)) {
        allocator = true;
      } else if (c.callee != None && passThrough_.contains(c.callee)) {
        for (Id a : c.args)
          if (a != None && p_.isPointer(f.nodes[a].type))
            work.push_back(a);
      } else if (p_.isPointer(f.nodes[n].type)) {
        return Source::Other;
      }
      continue;
    }
    auto s = sources.find(n);
    if (s != sources.end())
      for (Id src : s->second)
        if (src != None && f.nodes[src].type != None &&
            (p_.isPointer(f.nodes[src].type) ||
             f.nodes[src].kind == NodeKind::Temp))
          work.push_back(src);
  }
  return allocator   ? Source::Allocator
         : parameter ? Source::Parameter
                     : Source::Nothing;
}

/// By its type: void *, or from before there was one, when callers cast char *
/// or long * to what they want.
bool Allocators::makesBlocks(Id function) const {
  const Facts &f = p_.facts;
  Id type = f.nodes[f.functions[function].result].type;
  if (!p_.isPointer(type))
    return false;
  TypeKind pointee = p_.kind(p_.pointee(type));
  if (pointee == TypeKind::Byte || pointee == TypeKind::Integer)
    return llvm::any_of(p_.callersOf(function),
                        [&](Id c) { return f.calls[c].resultRecord != None; });
  return pointee == TypeKind::Void;
}

// An allocator of the program's own, which cuts blocks from what it holds: its
// result comes from lists and offsets, but it is used like malloc, with a size
// and a cast, for several types, and gets its memory from an allocator.
void Allocators::findPools() {
  const Facts &f = p_.facts;
  std::vector<IdSet> made(f.functions.size());
  for (const Call &c : f.calls)
    if (c.callee != None && p_.makesRecord(c))
      made[c.callee].insert(c.resultRecord);
  for (Id i = 0; i < f.functions.size(); ++i) {
    const Function &fn = f.functions[i];
    if (made[i].size() >= 3 && fn.hasBody && fn.result != None &&
        p_.isPointer(f.nodes[fn.result].type) &&
        p_.pointeeRecord(f.nodes[fn.result].type) == None &&
        reachesAllocator(i))
      wrappers_.insert(i);
  }
}

bool Allocators::reachesAllocator(Id function) const {
  IdSet seen{function};
  std::vector<Id> work{function};
  while (!work.empty() && seen.size() < 200) {
    Id fn = work.back();
    work.pop_back();
    for (Id k : p_.callsOf(fn)) {
      const Call &c = p_.facts.calls[k];
      // What is called through a pointer here is the pool's kind.
      if (allocates(c) || c.callee == None)
        return true;
      if (seen.insert(c.callee).second)
        work.push_back(c.callee);
    }
  }
  return false;
}

bool Allocators::linksBlocks(Id function, bool ofOneType) const {
  const Facts &f = p_.facts;
  IdSet block;
  for (Id i : p_.callsOf(function)) {
    const Call &c = f.calls[i];
    bool isOneType = (c.resultRecord != None || !c.sizeofRecords.empty()) &&
                     llvm::all_of(c.args, [](Id a) { return a == None; });
    if (allocates(c) && c.result != None && (isOneType || !ofOneType))
      block.insert(c.result);
  }
  for (bool grown = !block.empty(); grown;) {
    grown = false;
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f.constraints[i];
      if (c.src == None || !block.contains(c.src))
        continue;
      bool flows = c.flow == Flow::Copy || c.flow == Flow::Cast;
      Id type = f.nodes[c.src].type;
      Id pointee = type == None ? None : p_.pointee(type);
      // A list of char * is for freeing all: nobody takes records from there.
      bool isBytes = pointee != None && p_.kind(pointee) == TypeKind::Byte;
      if (!isBytes && (c.flow == Flow::Store ||
                       (flows && f.nodes[c.dst].kind == NodeKind::Global)))
        return true;
      if (flows)
        grown |= block.insert(c.dst).second;
    }
  }
  return llvm::any_of(p_.callsOf(function), [&](Id i) {
    const Call &c = f.calls[i];
    return c.callee != None && f.functions[c.callee].hasBody &&
           llvm::any_of(c.args, [&](Id a) { return block.contains(a); });
  });
}

/// What it makes is a record of one type, of a size that no caller chooses: it
/// hides the type of a handle behind void *.
bool Allocators::isConstructor(Id function) const {
  const Facts &f = p_.facts;
  Id record = None;
  for (Id param : f.functions[function].params)
    if (Id type = f.nodes[param].type;
        type != None && p_.kind(type) == TypeKind::Integer)
      return false;
  for (Id i : p_.callsOf(function)) {
    const Call &c = f.calls[i];
    if (!allocates(c))
      continue;
    if (c.resultRecord == None || (record != None && record != c.resultRecord))
      return false;
    record = c.resultRecord;
  }
  return record != None && p_.isProgramRecord(record);
}

/// What it gives back is a block that it makes as a record itself, of a size
/// that no caller chooses: static void *leaf(int v) { struct leaf *l = ..
bool Allocators::givesRecords(Id function) const {
  const Facts &f = p_.facts;
  auto isRecord = [&](const Call &c) {
    return allocates(c) && c.resultRecord != None &&
           p_.isProgramRecord(c.resultRecord) &&
           llvm::is_contained(c.sizeofRecords, c.resultRecord) &&
           llvm::none_of(c.args, [&](Id a) {
             return a != None && !p_.isPointer(f.nodes[a].type);
           });
  };
  IdSet returned;
  std::vector<Id> work{f.functions[function].result};
  bool found = false;
  while (!work.empty()) {
    Id n = work.back();
    work.pop_back();
    if (!returned.insert(n).second)
      continue;
    for (Id i : p_.callsOf(function))
      if (f.calls[i].result == n) {
        if (!isRecord(f.calls[i]))
          return false;
        found = true;
      }
    for (Id i : p_.constraintsOf(function))
      if (const Constraint &c = f.constraints[i]; c.dst == n && c.src != None) {
        if (c.flow == Flow::Copy || c.flow == Flow::Cast)
          work.push_back(c.src);
        else if (c.flow != Flow::Store && c.flow != Flow::CopyMemory)
          return false;
      }
  }
  return found;
}

void Allocators::findWrappers() {
  const Facts &f = p_.facts;
  for (bool changed = true; changed;) {
    changed = false;
    for (Id i = 0; i < f.functions.size(); ++i) {
      const Function &fn = f.functions[i];
      if (!fn.hasBody || fn.result == None || wrappers_.contains(i) ||
          passThrough_.contains(i))
        continue;
      if (!makesBlocks(i) || linksBlocks(i, /*ofOneType=*/true) ||
          isConstructor(i) || givesRecords(i))
        continue;
      switch (sourceOfResult(i)) {
      case Source::Allocator:
        changed |= wrappers_.insert(i).second;
        break;
      case Source::Parameter:
        changed |= passThrough_.insert(i).second;
        break;
      case Source::Nothing:
      case Source::Other:
        break;
      }
    }
  }
  for (Id w : wrappers_) {
    if (linksBlocks(w, /*ofOneType=*/false))
      linking_.insert(w);
    for (Id c : p_.callsOf(w))
      if (reallocates(f.calls[c]))
        reallocWrappers_.insert(w);
  }
}

// char *p = arena->next; arena->next += n; return p; and what hands that on.
void Allocators::findCarving() {
  for (Id w : wrappers_)
    if (sourceOfResult(w) != Source::Allocator)
      carving_.insert(w);
  for (size_t known = 0; known != carving_.size();) {
    known = carving_.size();
    for (Id w : wrappers_)
      for (Id i : p_.callsOf(w))
        if (Id callee = p_.facts.calls[i].callee;
            callee != None && carving_.contains(callee))
          carving_.insert(w);
  }
}

void Allocators::findSites() {
  const Facts &f = p_.facts;
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (!allocates(c) || (c.function != None && wrappers_.contains(c.function)))
      continue;
    Site site;
    site.call = i;
    auto add = [&](Id r) {
      if (r != None && !llvm::is_contained(site.records, r))
        site.records.push_back(r);
    };
    add(c.resultRecord);
    for (Id r : c.sizeofRecords)
      add(r);
    site.hasOwnRecord = !site.records.empty();
    Id maker = c.function == None ? None : f.functions[c.function].result;
    site.hasRoom =
        (maker != None && p_.isPointer(f.nodes[maker].type) &&
         p_.kind(p_.pointee(f.nodes[maker].type)) == TypeKind::Void) ||
        llvm::any_of(c.args, [&](Id a) {
          return a != None && p_.kind(f.nodes[a].type) == TypeKind::Integer;
        });
    for (Id t : c.sizeofTypes)
      site.isPointerTable |= p_.isPointer(p_.element(t));
    Id resultPointee = p_.pointee(c.resultType);
    site.isPointerTable |=
        resultPointee != None && p_.isPointer(p_.element(resultPointee));
    if (site.records.empty() && !site.isPointerTable && c.result != None &&
        c.function != None) {
      // By use: what the same function casts the block to.
      IdSet from{c.result};
      for (bool grown = true; grown;) {
        grown = false;
        for (Id k : p_.constraintsOf(c.function)) {
          const Constraint &q = f.constraints[k];
          bool flows = q.flow == Flow::Copy || q.flow == Flow::Cast ||
                       q.flow == Flow::Index || q.flow == Flow::Arith;
          if (flows && q.src != None && from.contains(q.src) &&
              from.insert(q.dst).second) {
            grown = true;
            add(p_.pointeeRecord(f.nodes[q.dst].type));
          }
        }
      }
    }
    siteOfCall_[i] = sites_.size();
    sites_.push_back(std::move(site));
  }
}
