//===- NullHandles.cpp - What a library was given before the load ends ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

static bool isLibraryCall(const Program &p, const Call &call) {
  return call.callee != None && !p.facts.functions[call.callee].hasBody;
}

Id PreLoadNullness::handleOf(const Call &call) const {
  if (!isLibraryCall(p_, call))
    return None;
  for (Id a : call.args)
    if (Id r = a == None ? None : p_.pointeeRecord(p_.facts.nodes[a].type);
        r != None && (!p_.facts.records[r].complete || isContainer(r)))
      return r;
  Id made = call.result == None
                ? None
                : p_.pointeeRecord(p_.facts.nodes[call.result].type);
  return made != None && isContainer(made) ? made : None;
}

void PreLoadNullness::findStreams() {
  const Facts &f = p_.facts;
  for (const Call &c : f.calls)
    if (p_.isLibrary(c, LibraryFunction::Input))
      for (Id a : c.args)
        if (Id r = a == None ? None : p_.pointeeRecord(f.nodes[a].type);
            r != None)
          streams_.insert(r); // FILE
}

/// A record of a library, of which more is to be said.
bool PreLoadNullness::isForeign(Id r) const {
  return r != None &&
         (!p_.facts.records[r].complete || !p_.isProgramRecord(r)) &&
         !loopHandles_.contains(r) && !streams_.contains(r);
}

bool PreLoadNullness::isReading(const Call &call) const {
  if (!isLibraryCall(p_, call) || p_.library(call))
    return false;
  llvm::StringRef name = p_.facts.functions[call.callee].name;
  if (readsFiles(name) || readers_.contains(handleOf(call)) ||
      asksForFile(call))
    return true;
  return mayReadFiles(name) && loading_.contains(call.function) &&
         llvm::any_of(call.args, [&](Id a) {
           Id to = a == None ? None : p_.pointee(p_.facts.nodes[a].type);
           return to != None && p_.kind(p_.element(to)) == TypeKind::Byte;
         });
}

/// It is handed, or gives, a record that a file was handed with.
bool PreLoadNullness::asksForFile(const Call &call) const {
  auto isOne = [&](Id value) {
    Id r = value == None ? None : p_.pointeeRecord(p_.facts.nodes[value].type);
    return r != None && withFiles_.contains(r);
  };
  return !withFiles_.empty() &&
         (isOne(call.result) || llvm::any_of(call.args, isOne));
}

/// A descriptor of a file, or a stream: what open() or fopen() gives.
bool PreLoadNullness::isOpenFile(Id value) const {
  struct Search : BackwardSlice {
    Search(const Program &program, const DefinitionIndex &values)
        : BackwardSlice(program, values,
                        {.flows = Copies, .parameters = true}) {}
    Step call(Id call) override {
      const Call &c = f_.calls[call];
      if (c.callee == None)
        return Skip;
      const llvm::StringRef name = f_.functions[c.callee].name;
      if (hasTrait(name, LibraryFunction::OpensForReading))
        return Stop;
      if (const int same = libraryFact(name, &LibraryFunction::sameFileAs);
          same >= 0 && size_t(same) < c.args.size())
        follow(c.args[same]);
      return Skip;
    }
  };
  return Search(p_, values_).run(value) == BackwardSlice::Stopped;
}

/// Records of a library that the load hands a file with, or text by a function
/// that says so, and the library is then asked by:
/// g_scanner_input_file(scanner, fd); .. g_scanner_get_next_token(scanner).
/// Not a struct stat, which is only filled.
void PreLoadNullness::findHandedFiles() {
  const Facts &f = p_.facts;
  std::map<Id, std::vector<llvm::StringRef>> handed, asked; // by record
  for (const Call &c : f.calls) {
    if (!isLibraryCall(p_, c) || p_.library(c) ||
        !loading_.contains(c.function))
      continue;
    llvm::StringRef name = f.functions[c.callee].name;
    bool isGiven = llvm::any_of(c.args, [&](Id a) {
      Id to = a == None ? None : p_.pointee(f.nodes[a].type);
      if (to != None && p_.kind(p_.element(to)) == TypeKind::Byte)
        return takesInput(name);
      return a != None && isOpenFile(a);
    });
    auto add = [&](Id value) {
      Id r = value == None ? None : p_.pointeeRecord(f.nodes[value].type);
      if (isForeign(r) && f.records[r].name != "_IO_FILE")
        (isGiven ? handed : asked)[r].push_back(name);
    };
    for (size_t i = 0; i < c.args.size(); ++i)
      if (!isGiven || !c.argIsReadOnly[i])
        add(c.args[i]);
    if (isGiven)
      add(c.result);
  }
  // tcgetattr() and cfmakeraw() are of no library that reads files.
  auto isAlike = [](llvm::StringRef a, llvm::StringRef b) {
    return a.take_front(3) == b.take_front(3);
  };
  for (const auto &[record, givers] : handed)
    for (llvm::StringRef giver : givers)
      if (llvm::any_of(asked[record],
                       [&](auto asker) { return isAlike(giver, asker); }))
        withFiles_.insert(record);
}

/// What such a library makes of what it read: parsers, documents, nodes.
void PreLoadNullness::findReaders() {
  const Facts &f = p_.facts;
  findHandedFiles();
  readers_ = withFiles_;
  for (bool changed = true; changed;) {
    changed = false;
    auto add = [&](Id type) {
      Id record = type == None ? None : p_.pointeeRecord(type);
      if (isForeign(record))
        changed |= readers_.insert(record).second;
    };
    for (const Call &c : f.calls) {
      if (!isReading(c))
        continue;
      if (c.result != None)
        add(f.nodes[c.result].type);
      if (Id handle = handleOf(c); isForeign(handle))
        changed |= readers_.insert(handle).second;
      for (Id a : c.args)
        if (Id to = a == None ? None : p_.pointee(f.nodes[a].type); to != None)
          add(to);
    }
  }
}

/// A container gives things back as void *: from a function, through the
/// address of a pointer, or in a field that the program reads.
void PreLoadNullness::findContainers() {
  const Facts &f = p_.facts;
  auto isVoid = [&](Id type) {
    return type != None && p_.kind(type) == TypeKind::Void;
  };
  std::set<std::pair<Id, Id>> leads; // from record to record, read
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Member && isForeign(f.fields[c.extra].record))
      if (Id to = p_.pointee(f.fields[c.extra].type); to != None) {
        if (isVoid(to) || isVoid(p_.pointee(to)))
          containers_.insert(f.fields[c.extra].record);
        else if (Id other = p_.recordOf(to); other != None)
          leads.insert({f.fields[c.extra].record, other});
      }
  for (const Call &c : f.calls) {
    if (!isLibraryCall(p_, c) || p_.library(c))
      continue;
    bool gives = c.result != None && isVoid(p_.pointee(f.nodes[c.result].type));
    for (size_t i = 0; i < c.args.size() && !gives; ++i)
      if (c.args[i] != None && !c.argIsReadOnly[i]) {
        Id to = p_.pointee(p_.pointee(f.nodes[c.args[i]].type));
        Id record = to == None ? None : p_.recordOf(to);
        gives = isVoid(to) || (record != None && !isForeign(record));
      }
    for (Id a : c.args)
      if (Id r = a == None || !gives ? None : p_.pointeeRecord(f.nodes[a].type);
          isForeign(r))
        containers_.insert(r);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [from, to] : leads)
      changed |= isContainer(to) && containers_.insert(from).second;
  }
}

/// The handles of libraries that wait for events, event_base_loop(base), and
/// what such a library makes from them, event_new(base, ..).
void PreLoadNullness::findLoopHandles() {
  const Facts &f = p_.facts;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Call &c : f.calls) {
      Id handle = handleOf(c);
      if (handle == None)
        continue;
      if (p_.isLibrary(c, LibraryFunction::Wait))
        changed |= loopHandles_.insert(handle).second;
      Id made =
          c.result == None ? None : p_.pointeeRecord(f.nodes[c.result].type);
      if (made != None && !f.records[made].complete &&
          loopHandles_.contains(handle))
        changed |= loopHandles_.insert(made).second;
    }
  }
}

void PreLoadNullness::findCallbacks() {
  const Facts &f = p_.facts;
  findLoopHandles();
  findStreams();
  findContainers();
  findReaders();
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    Id handle = handleOf(c);
    if (handle == None || f.records[handle].complete || c.function == None ||
        !early_.contains(c.function) || late_.contains(i))
      continue;
    auto &held = held_[handle];
    held.insert(c.sizeofRecords.begin(), c.sizeofRecords.end());
    for (Id a : c.args) {
      if (a == None || !p_.isPointer(f.nodes[a].type))
        continue;
      recordsBehind(a, held);
      std::vector<Id> functions = before_->functionsInTable(a);
      if (p_.isFunctionPointer(f.nodes[a].type))
        functions = before_->functionsIn(before_->atNode(a));
      for (Id fn : functions)
        if (f.functions[fn].hasBody && !isForLater(c))
          callbacks_[handle].push_back({fn, i});
    }
  }
  if (!callbacks_.empty())
    makers_ = std::make_unique<HandleOrigins>(p_, flow_, values_);
}

/// The records that a pointer which early code hands over may point to: those
/// that it was a pointer to before it became a void *.
void PreLoadNullness::recordsBehind(Id pointer, std::set<Id> &records) const {
  const Facts &f = p_.facts;
  llvm::SmallVector<Id, 16> work{pointer};
  IdSet seen;
  while (!work.empty()) {
    Id n = work.pop_back_val();
    if (n == None || !seen.insert(n).second)
      continue;
    const Node &node = f.nodes[n];
    if (!p_.isPointer(node.type) || p_.isFunctionPointer(node.type))
      continue;
    Id pointee = p_.element(p_.pointee(node.type));
    if (Id r = p_.pointeeRecord(node.type); r != None) {
      records.insert(r);
    } else if (pointee == None || p_.kind(pointee) == TypeKind::Void) {
      bool known = node.function != None && node.kind != NodeKind::Global;
      if (!known || !comesFrom(n, node.function, work))
        records.insert(None);
    }
  }
}

/// What a pointer of this function is copied from; false when it is read from
/// memory or given by a call.
bool PreLoadNullness::comesFrom(Id pointer, Id function,
                                llvm::SmallVectorImpl<Id> &from) const {
  const Facts &f = p_.facts;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    if (c.dst != pointer || c.flow == Flow::Store)
      continue;
    if (c.flow != Flow::Copy && c.flow != Flow::Cast)
      return false;
    from.push_back(c.src);
  }
  for (Id i : p_.callsOf(function))
    if (f.calls[i].result == pointer)
      return false;
  const auto &params = f.functions[function].params;
  auto at = llvm::find(params, pointer);
  return at == params.end() || argumentsOf(function, at - params.begin(), from);
}

/// What early code calls `function` with; false when it is also called
/// otherwise.
bool PreLoadNullness::argumentsOf(Id function, size_t index,
                                  llvm::SmallVectorImpl<Id> &arguments) const {
  const Facts &f = p_.facts;
  for (Id k : p_.callersOf(function)) {
    const Call &c = f.calls[k];
    if (c.function == None || !early_.contains(c.function) || late_.contains(k))
      continue;
    if (c.callee != function || index >= c.args.size())
      return false;
    arguments.push_back(c.args[index]);
  }
  return !p_.isAddressTaken(f.functions[function].node);
}

const std::set<Id> &PreLoadNullness::heldBy(Id handle) const {
  static const std::set<Id> nothing;
  auto at = held_.find(handle);
  return at == held_.end() ? nothing : at->second;
}

std::vector<Id> PreLoadNullness::callbacksOf(Id handle, Id call) const {
  std::vector<Id> result;
  if (auto at = callbacks_.find(handle); at != callbacks_.end())
    for (auto [fn, by] : at->second)
      if (!llvm::is_contained(result, fn) &&
          makers_->mayShare(handle, call, by))
        result.push_back(fn);
  return result;
}
