//===- Program.cpp - Facts with their cross references followed -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/program/Program.h"
#include "passes/facts/Library.h"
#include "passes/facts/StaticPointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace nvmove;

Program::Program(const Facts &facts)
    : facts(facts), names_(facts), constraints_(facts.functions.size() + 1),
      calls_(facts.functions.size() + 1), loops_(facts.functions.size() + 1),
      stores_(facts.functions.size() + 1), callers_(facts.functions.size()),
      definition_(facts.nodes.size(), None), addressTaken_(facts.nodes.size()),
      takesValues_(facts.nodes.size()), definitionsOf_(facts.functions.size()),
      nested_(facts.records.size()) {
  for (const Definition &d : facts.definitions)
    if (d.function != None)
      definitionsOf_[d.function].push_back(&d);
  for (const Type &t : facts.types)
    if (t.kind == TypeKind::Pointer && t.size_bytes)
      pointerSize_ = t.size_bytes;
  std::vector<unsigned> definitions(facts.nodes.size(), 0);
  for (Id i = 0; i < facts.constraints.size(); ++i) {
    const Constraint &c = facts.constraints[i];
    constraints_[slot(c.function)].push_back(i);
    if (c.flow == Flow::AddressOf)
      addressTaken_[c.src] = true;
    if (c.flow == Flow::Store && c.src != None && c.dst != None)
      takesValues_[c.dst] = true;
    if (c.dst != None && c.flow != Flow::Store && c.flow != Flow::CopyMemory &&
        facts.nodes[c.dst].kind == NodeKind::Temp) {
      definition_[c.dst] = definitions[c.dst]++ == 0 ? i : None;
    }
    if (c.flow == Flow::Cast && c.src != None) {
      Id to = pointeeRecord(facts.nodes[c.dst].type),
         from = pointeeRecord(facts.nodes[c.src].type);
      if (to != None && from != None && to != from) {
        casts_.insert({to, from});
        casts_.insert({from, to});
      }
    }
  }
  for (Id i = 0; i < facts.calls.size(); ++i) {
    const Call &c = facts.calls[i];
    calls_[slot(c.function)].push_back(i);
    if (c.callee != None)
      callers_[c.callee].push_back(i);
  }
  for (Id i = 0; i < facts.loops.size(); ++i)
    loops_[slot(facts.loops[i].function)].push_back(i);
  for (Id i = 0; i < facts.stores.size(); ++i)
    stores_[slot(facts.stores[i].function)].push_back(i);
  for (Id i = 0; i < facts.functions.size(); ++i)
    if (facts.functions[i].node != None)
      functionOfNode_[facts.functions[i].node] = i;
  for (Id r = 0; r < facts.records.size(); ++r) {
    auto &all = nested_[r];
    all.push_back(r);
    // A record cannot hold itself by value, so this ends.
    for (size_t i = 0; i < all.size(); ++i)
      for (Id f : facts.records[all[i]].fields) {
        Id inner = recordOf(facts.fields[f].type);
        if (inner != None && !llvm::is_contained(all, inner))
          all.push_back(inner);
      }
  }
  for (auto [pointer, held] : staticPointers(facts)) {
    staticPointers_[pointer] = held;
    behindPointers_.insert(held);
  }
  findDeclared();
  findMacrosRecords();
  findDeadEnds();
  findChildren();
  findAllocators();
}

/// UT_hash_table, of <uthash.h>: a record that macros of a system header store
/// into, and that no function of a library is handed.
void Program::findMacrosRecords() {
  for (const StoreSite &s : facts.stores)
    if (s.record != None && facts.records[s.record].complete &&
        s.span.valid() && !facts.files[s.span.file].editable &&
        !isProgramRecord(s.record))
      macrosRecords_.insert(s.record);
  if (macrosRecords_.empty())
    return;
  auto isHanded = [&](Id type) {
    if (Id r = pointeeRecord(type); r != None)
      macrosRecords_.erase(r);
  };
  for (const Function &fn : facts.functions)
    if (!fn.hasBody)
      for (Id param : fn.params)
        isHanded(facts.nodes[param].type);
  for (const Call &c : facts.calls)
    if (c.callee == None || !facts.functions[c.callee].hasBody)
      for (Id a : c.args)
        if (a != None && !library(c))
          isHanded(facts.nodes[a].type);
}

bool Program::makesRecord(const Call &call) const {
  return call.resultRecord != None &&
         llvm::is_contained(call.sizeofRecords, call.resultRecord) &&
         llvm::none_of(call.args, [&](Id a) {
           // bsearch() is given how to compare.
           return a != None &&
                  (pointeeRecord(facts.nodes[a].type) == call.resultRecord ||
                   functionOf(a) != None ||
                   isFunctionPointer(facts.nodes[a].type));
         });
}

/// Libraries have allocators of their own. They say so by an attribute, or are
/// used like malloc.
void Program::findAllocators() {
  auto isUnknown = [&](Id i) {
    const Function &fn = facts.functions[i];
    return !fn.hasBody && !libraryFunction(fn.name) &&
           !isRuntimeCall(fn.name) &&
           !hasTrait(fn.name, LibraryFunction::GivesHandle);
  };
  for (Id i = 0; i < facts.functions.size(); ++i)
    if (const Function &fn = facts.functions[i]; fn.allocates && isUnknown(i))
      allocators_[i] = fn.reallocates ? &otherReallocator : &otherAllocator;
  for (const Call &c : facts.calls)
    if (c.callee != None && c.result != None && makesRecord(c) &&
        isUnknown(c.callee) &&
        pointeeRecord(facts.nodes[c.result].type) == None)
      allocators_.try_emplace(c.callee, &otherAllocator);
  for (const Call &c : facts.calls) // a handle with a name of its own
    if (c.callee != None && c.result != None &&
        pointeeRecord(facts.nodes[c.result].type) != None)
      allocators_.erase(c.callee);
}

Id Program::variableAt(Id address) const {
  Id d = address == None ? None : definition_[address];
  return d != None && facts.constraints[d].flow == Flow::AddressOf
             ? facts.constraints[d].src
             : None;
}

Id Program::slotAt(Id address) const {
  Id d = address == None ? None : definition_[address];
  return d != None && facts.constraints[d].flow == Flow::Member
             ? slotOf(facts.constraints[d].extra)
             : variableAt(address);
}

/// What no path of its own file returns from is known (collect/DeadEnds.h);
/// here calls of functions of other files count too, and loops that nothing
/// leaves. A function of several definitions never returns when none of them
/// does. Inside one that never returns, main perhaps, nothing is a dead end: it
/// is run all the same.
void Program::findDeadEnds() {
  deadEnds_.resize(facts.calls.size());
  for (Id i = 0; i < facts.calls.size(); ++i)
    deadEnds_[i] = facts.calls[i].deadEnd;
  noReturn_.resize(facts.functions.size());
  for (Id i = 0; i < facts.functions.size(); ++i)
    noReturn_[i] = facts.functions[i].isNoReturn;
  std::vector<unsigned> returning(facts.functions.size());
  std::vector<Id> open; ///< definitions that may turn out never to return
  for (Id i = 0; i < facts.definitions.size(); ++i) {
    const Definition &d = facts.definitions[i];
    if (d.function != None && !d.isNoReturn)
      ++returning[d.function];
    if (!d.blocks.empty() && !d.isNoReturn)
      open.push_back(i);
  }
  // A loop that nothing leaves may be left by longjmp() from below.
  std::vector<bool> jumps(facts.functions.size());
  std::vector<Id> work;
  auto jump = [&](Id fn) {
    if (!jumps[fn]) {
      jumps[fn] = true;
      work.push_back(fn);
    }
  };
  for (Id i = 0; i < facts.functions.size(); ++i)
    if (hasTrait(facts.functions[i].name, LibraryFunction::LongJump))
      jump(i);
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    for (Id c : callersOf(fn))
      if (facts.calls[c].function != None)
        jump(facts.calls[c].function);
  }
  // The first block is where the function returns. What a library's functions
  // do has been seen.
  auto mayReturn = [&](const Definition &d) {
    std::vector<bool> returns(d.blocks.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = 0; b < d.blocks.size(); ++b) {
        const Block &block = d.blocks[b];
        if (returns[b] || llvm::any_of(block.calls, [&](uint32_t c) {
              Id callee = facts.calls[d.calls.begin + c].callee;
              return callee != None && noReturn_[callee] &&
                     facts.functions[callee].hasBody;
            }))
          continue;
        returns[b] =
            b == 0 ||
            llvm::any_of(block.successors,
                         [&](uint32_t s) { return bool(returns[s]); }) ||
            llvm::any_of(block.calls, [&](uint32_t c) {
              Id callee = facts.calls[d.calls.begin + c].callee;
              return callee != None && jumps[callee];
            });
        changed |= returns[b];
      }
    }
    for (size_t b = 0; b < d.blocks.size(); ++b)
      if (!returns[b])
        for (uint32_t c : d.blocks[b].calls)
          deadEnds_[d.calls.begin + c] = true;
    return bool(returns.back());
  };
  for (bool changed = true; changed;) {
    changed = false;
    llvm::erase_if(open, [&](Id i) {
      const Definition &d = facts.definitions[i];
      if (mayReturn(d))
        return false;
      if (--returning[d.function] == 0)
        noReturn_[d.function] = changed = true;
      return true;
    });
  }
  for (const Definition &d : facts.definitions)
    if (d.function != None && noReturn_[d.function])
      for (Id i = d.calls.begin; i < d.calls.end; ++i)
        deadEnds_[i] = false;
}

bool Program::endsAfter(
    Id call, llvm::function_ref<bool(const Call &end)> counts) const {
  const Call &from = facts.calls[call];
  return llvm::any_of(calls_[slot(from.function)], [&](Id i) {
    const Call &end = facts.calls[i];
    return end.callee != None && noReturn_[end.callee] &&
           end.loc.file == from.loc.file && from.loc < end.loc &&
           isAlongside(end.arms, from.arms) && counts(end);
  });
}

/// Calls that the collector saw in a branch of a child, and all that is called
/// from nowhere else; and those in a branch of its parent.
void Program::findChildren() {
  inChild_.resize(facts.calls.size());
  inParent_.resize(facts.calls.size());
  if (llvm::all_of(facts.calls, [](const Call &c) {
        return c.inChildOf.empty() && c.inParentOf.empty();
      }))
    return;
  IdSet answers; ///< results of fork() and of functions that give it back
  std::vector<Id> work;
  for (Id i = 0; i < facts.functions.size(); ++i)
    if (hasTrait(facts.functions[i].name, LibraryFunction::Forks) &&
        !facts.functions[i].hasBody)
      work.push_back(i);
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    for (Id i : callersOf(fn)) {
      const Call &c = facts.calls[i];
      if (c.result == None || !answers.insert(c.result).second ||
          c.function == None)
        continue;
      // pid_t p = fork(); .. return p;
      IdSet copies{c.result};
      for (bool grown = true; grown;) {
        grown = false;
        for (Id k : constraintsOf(c.function))
          if (const Constraint &copy = facts.constraints[k];
              copy.flow == Flow::Copy && copies.contains(copy.src))
            grown |= copies.insert(copy.dst).second;
      }
      if (copies.contains(facts.functions[c.function].result))
        work.push_back(c.function);
    }
  }
  for (Id i = 0; i < facts.calls.size(); ++i) {
    auto haveForked = [&](const std::vector<Id> &calls) {
      return !calls.empty() && llvm::all_of(calls, [&](Id call) {
        return answers.contains(call);
      });
    };
    inChild_[i] = haveForked(facts.calls[i].inChildOf);
    inParent_[i] = haveForked(facts.calls[i].inParentOf);
    if (inChild_[i] && facts.calls[i].callee != None)
      work.push_back(facts.calls[i].callee);
  }
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    if (isAddressTaken(facts.functions[fn].node) ||
        !llvm::all_of(callersOf(fn), [&](Id i) { return inChild_[i]; }))
      continue;
    for (Id i : callsOf(fn))
      if (!inChild_[i]) {
        inChild_[i] = true;
        if (facts.calls[i].callee != None)
          work.push_back(facts.calls[i].callee);
      }
  }
}

Id Program::functionNamed(llvm::StringRef name) const {
  Id found = None;
  for (Id i = 0; i < facts.functions.size(); ++i) {
    const Function &f = facts.functions[i];
    if (f.name != name && f.key != name)
      continue;
    if (f.hasBody &&
        (found == None || !facts.functions[found].hasBody || !f.isStatic))
      found = i;
    else if (found == None)
      found = i;
  }
  return found;
}

const LibraryFunction *Program::libraryOf(Id function) const {
  const Function &f = facts.functions[function];
  if (f.hasBody)
    return nullptr;
  const LibraryFunction *known = libraryFunction(f.name);
  return known ? known : allocators_.lookup(function);
}

const LibraryFunction *Program::library(const Call &call) const {
  if (call.callee == None)
    return nullptr;
  const Function &f = facts.functions[call.callee];
  const LibraryFunction *l =
      f.hasBody ? nullptr : libraryFunction(f.name, call.argIsZeroOrNull);
  return l ? l : libraryOf(call.callee);
}

bool Program::mapsFile(const Call &call, Id callee) const {
  if (callee == None || facts.functions[callee].hasBody ||
      !hasTrait(facts.functions[callee].name, LibraryFunction::MapsMemory))
    return false;
  constexpr uint64_t anonymous = 0x20; // MAP_ANONYMOUS
  return !(call.constantAt(3).value_or(0) & anonymous) &&
         int32_t(call.constantAt(4).value_or(0)) >= 0;
}

bool Program::makesBlock(const Call &call) const {
  const LibraryFunction *l = library(call);
  return l && (l->kind == LibraryFunction::Allocate ||
               l->kind == LibraryFunction::Reallocate ||
               llvm::any_of(call.scanned, [](const ScannedArg &s) {
                 return s.extent == ScannedArg::Block;
               }));
}

Id Program::outermost(Id loop) const {
  while (facts.loops[loop].parent != None)
    loop = facts.loops[loop].parent;
  return loop;
}

Id Program::element(Id type) const {
  while (type != None && kind(type) == TypeKind::Array)
    type = facts.types[type].inner;
  return type;
}

bool Program::holdsPointer(Id record) const {
  return llvm::any_of(facts.records[record].fields, [&](Id field) {
    Id type = element(facts.fields[field].type), inner = recordOf(type);
    return isPointer(type) || (inner != None && holdsPointer(inner));
  });
}

bool Program::mayHoldPointer(Id type) const {
  type = element(type);
  if (type == None)
    return true;
  switch (kind(type)) {
  case TypeKind::Byte:
  case TypeKind::Floating:
    return false;
  case TypeKind::Integer:
    return facts.types[type].size_bytes >= pointerSize_;
  default:
    return true;
  }
}

bool Program::isTooSmallForPointer(Id type) const {
  const Type &t = facts.types[type];
  if (t.size_bytes == 0 || t.size_bytes >= pointerSize_)
    return false;
  if (t.kind == TypeKind::Array)
    return t.size_bytes > facts.types[t.inner].size_bytes;
  return t.kind == TypeKind::Record && t.inner != None &&
         llvm::all_of(facts.records[t.inner].fields, [&](Id field) {
           const Field &f = facts.fields[field];
           const TypeKind kind = facts.types[f.type].kind;
           return !f.flexible &&
                  (isTooSmallForPointer(f.type) ||
                   (kind != TypeKind::Array && kind != TypeKind::Record));
         });
}

Id Program::recordOf(Id type) const {
  type = element(type);
  return type != None && kind(type) == TypeKind::Record
             ? facts.types[type].inner
             : None;
}

Id Program::pointeeRecord(Id type) const {
  return isPointer(type) ? recordOf(pointee(type)) : None;
}

bool Program::contains(Id outer, Id inner) const {
  return llvm::is_contained(nested_[outer], inner);
}

/// A pointer to a record of which only the declaration is known may be one to
/// any that a file defines so: struct game_state of several games.
void Program::findDeclared() {
  std::map<llvm::StringRef, Id> declared;
  for (Id r = 0; r < facts.records.size(); ++r)
    if (!facts.records[r].complete && !facts.records[r].name.empty())
      declared.try_emplace(facts.records[r].name, r);
  for (Id r = 0; r < facts.records.size(); ++r)
    if (auto at = declared.find(facts.records[r].name);
        facts.records[r].complete && at != declared.end()) {
      casts_.insert({r, at->second});
      casts_.insert({at->second, r});
    }
}

bool Program::compatible(Id a, Id b) const {
  return mayOverlay(a, b) || mayOverlay(b, a);
}

bool Program::mayOverlay(Id record, Id other) const {
  return contains(record, other) || casts_.contains({record, other}) ||
         !partsCastTo(record, other).empty();
}

/// Not what the member is the first part of.
llvm::SmallVector<Id, 1> Program::partsCastTo(Id outer, Id record) const {
  llvm::SmallVector<Id, 1> parts;
  for (Id part : nested_[outer])
    if (casts_.contains({part, record}) && !contains(record, part) &&
        facts.records[record].size_bytes <= facts.records[part].size_bytes)
      parts.push_back(part);
  return parts;
}

std::vector<Id> Program::overlays(Id record) const {
  std::vector<Id> all;
  auto addNested = [&](Id r) {
    all.insert(all.end(), nested(r).begin(), nested(r).end());
  };
  for (Id part : nested(record)) {
    addNested(part);
    for (auto at = casts_.lower_bound({part, 0});
         at != casts_.end() && at->first == part; ++at)
      addNested(at->second);
  }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  return all;
}

std::vector<Id> Program::memberPath(Id record, Id field) const {
  if (record == None || facts.fields[field].record == record)
    return {field};
  for (Id k : facts.records[record].fields)
    if (Id inner = recordOf(facts.fields[k].type);
        inner != None && contains(inner, facts.fields[field].record)) {
      std::vector<Id> rest = memberPath(inner, field);
      rest.insert(rest.begin(), k);
      return rest;
    }
  return {field};
}

std::string Program::nameOf(Id variable, const std::vector<Id> &path) const {
  std::string name = nameOf(variable);
  for (Id k : path)
    if (!facts.fields[k].name.empty())
      name += "." + facts.fields[k].name;
  return name;
}

Id Program::copied(Id value) const {
  Id d = definition(value);
  return d != None && (facts.constraints[d].flow == Flow::Copy ||
                       facts.constraints[d].flow == Flow::Cast)
             ? facts.constraints[d].src
             : None;
}

Id Program::origin(Id value) const {
  for (Id from = value; from != None; from = copied(value))
    value = from;
  return value;
}

Program::Read Program::readFrom(Id value) const {
  for (unsigned steps = 0; value != None && steps < 8; ++steps) {
    value = origin(value);
    if (facts.nodes[value].kind == NodeKind::Global)
      return {value, None};
    Id d = definition(value);
    if (d == None)
      break;
    const Constraint &c = facts.constraints[d];
    if (c.flow == Flow::Load)
      return {None, c.src};
    value = c.flow == Flow::Arith ? c.src : None;
  }
  return {};
}

std::optional<std::vector<Id>> Program::handedFor(Id node) const {
  const Node &n = facts.nodes[node];
  if (n.kind != NodeKind::Local || n.function == None)
    return std::nullopt;
  const std::vector<Id> &params = facts.functions[n.function].params;
  size_t index = llvm::find(params, node) - params.begin();
  if (index == params.size())
    return std::nullopt;
  std::vector<Id> handed;
  for (Id k : callersOf(n.function))
    if (index < facts.calls[k].args.size())
      handed.push_back(facts.calls[k].args[index]);
  return handed;
}

bool Program::isCopyOf(Id value, Id original) const {
  while (value != None && value != original)
    value = copied(value);
  return value != None;
}

size_t Program::toTable(const std::vector<Id> &path) const {
  for (size_t i = 0; i < path.size(); ++i)
    if (Id type = facts.fields[path[i]].type;
        kind(type) == TypeKind::Array && recordOf(type) != None)
      return i + 1;
  return 0;
}

std::vector<std::vector<Id>> Program::memberPaths(Id record, Id field) const {
  if (record == None || facts.fields[field].record == record)
    return {{field}};
  std::vector<std::vector<Id>> paths;
  for (Id k : facts.records[record].fields)
    if (Id inner = recordOf(facts.fields[k].type);
        inner != None && contains(inner, facts.fields[field].record))
      for (std::vector<Id> &rest : memberPaths(inner, field)) {
        rest.insert(rest.begin(), k);
        paths.push_back(std::move(rest));
      }
  return paths;
}

bool Program::clears(const Call &call) const {
  if (call.callee == None || facts.functions[call.callee].hasBody)
    return false;
  const int fill =
      libraryFact(facts.functions[call.callee].name, &LibraryFunction::fill);
  return fill == LibraryFunction::Zeros ||
         (fill >= 0 && size_t(fill) < call.args.size() &&
          call.argIsZeroOrNull[fill]);
}

bool Program::isProgramRecord(Id record) const {
  Id file = facts.records[record].loc.file;
  return (file != None && facts.files[file].editable) ||
         macrosRecords_.contains(record);
}

bool Program::isOwnWithoutBody(Id function) const {
  const Function &fn = facts.functions[function];
  llvm::StringRef name = fn.name;
  return !fn.hasBody && fn.loc.file != None &&
         facts.files[fn.loc.file].editable && !isRuntimeCall(name) &&
         !name.starts_with("__builtin_");
}

std::string Program::path(Id file) const {
  return file == None ? "?"
                      : llvm::sys::path::filename(facts.files[file].path).str();
}

std::string Program::describe(Loc loc) const {
  return path(loc.file) + ":" + std::to_string(loc.line);
}
