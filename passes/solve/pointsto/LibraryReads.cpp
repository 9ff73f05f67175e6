//===- LibraryReads.cpp - What a library makes of files -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/pointsto/LibraryModel-reader.c
// Tested by: test/lit/solve/pointsto/LibraryModel-names_of_files.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/LibraryModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// What a library has read, records that it makes of that, and fields of its
/// own records.
void LibraryModel::fillReader(Id l) {
  const MemoryLocation at = cells_.at(l);
  const MemoryObject o = cells_.object(at.object);
  if (o.kind == MemoryObject::Preexisting && o.ref == origin::Read)
    graph_.add(cells_.content(l), cells_.fileBytes());
  if (o.kind == MemoryObject::Preexisting && o.ref == origin::Made) {
    if (at.field == None)
      marks_.noteFill(l, firstReading_);
    else
      makeInto(cells_.content(l), p_.facts.fields[at.field].type);
  }
  for (Id record : cells_.recordsOf(at.object)) {
    if (!nullness_.isReader(record))
      continue;
    for (Id part : p_.nested(record)) // scanner->value.v_int
      for (Id field : p_.facts.records[part].fields)
        if (at.field == p_.facts.fields[field].cell)
          readInto(cells_.content(l), p_.facts.fields[field].type);
  }
}

/// What the library gives as a value of this type.
void LibraryModel::readInto(Id node, Id type) {
  if (!p_.isPointer(type))
    return graph_.add(node, cells_.fileBytes());
  Id to = p_.pointee(type), behind = p_.pointee(to);
  auto isBytes = [&](Id t) {
    return t != None &&
           (p_.kind(t) == TypeKind::Byte || p_.kind(t) == TypeKind::Void);
  };
  if (isBytes(to)) {
    graph_.add(node, cells_.preexisting(origin::Read, None));
  } else if (isBytes(behind)) {
    Id table = cells_.preexisting(origin::deeper(origin::Read), to);
    graph_.add(node, table);
    graph_.add(cells_.content(table), cells_.preexisting(origin::Read, None));
  }
}

/// Where the value is in such a record: others that it leads to, too.
void LibraryModel::makeInto(Id node, Id type) {
  Id to = p_.pointee(type), behind = p_.pointee(to);
  if (Id record = to == None ? None : p_.recordOf(to); record != None) {
    graph_.add(node, cells_.preexistingRecord(origin::Made, record));
  } else if (Id item = behind == None ? None : p_.recordOf(behind);
             item != None) {
    Id table = cells_.preexisting(origin::deeper(origin::Made), to);
    graph_.add(node, table);
    graph_.add(cells_.content(table),
               cells_.preexistingRecord(origin::Made, item));
  } else {
    readInto(node, type);
  }
}

// A library that reads files for the program gives what it has read: as a
// result, through the address of a variable, or to a function that it calls.
void LibraryModel::readThrough(Id call) {
  const Call &c = contexts_.callAt(call);
  if (firstReading_ == None)
    firstReading_ = contexts_.callInText(call);
  if (c.result != None)
    readResult(call);
  readArguments(call);
}

/// readdir(), glob(), scandir(): names of files are data of files, too.
void LibraryModel::findFiles(const Bound &b) {
  if (firstReading_ == None)
    firstReading_ = contexts_.callInText(b.call);
  const Id result = b.c.result;
  if (result != None && p_.isPointer(graph_.nodeAt(result).type))
    makeInto(result, graph_.nodeAt(result).type);
  const LibraryFunction *l = libraryEntry(p_.facts.functions[b.callee].name);
  llvm::SmallVector<int, 4> filled{l->destination};
  for (const WrittenArg &w : l->written)
    filled.push_back(w.argument);
  for (int i : filled)
    if (i >= 0 && size_t(i) < b.c.args.size() && b.c.args[i] != None)
      makeBehind(b.c.args[i]);
}

/// Where it points: a pointer, or the members of a record.
void LibraryModel::makeBehind(Id pointer) {
  auto make = [&](Id address, Id type) {
    const Id given = graph_.newNode(None);
    makeInto(given, type);
    graph_.watch(address, {Watch::Use::Store, given, None});
  };
  const Id to = p_.pointee(graph_.nodeAt(pointer).type);
  if (to != None && p_.isPointer(to))
    return make(pointer, to);
  const Id record = p_.pointeeRecord(graph_.nodeAt(pointer).type);
  for (Id field :
       record == None ? std::vector<Id>() : p_.facts.records[record].fields) {
    const Id member = graph_.newNode(None);
    graph_.watch(pointer, {Watch::Use::Member, member, field});
    make(member, p_.facts.fields[field].type);
  }
}

void LibraryModel::readResult(Id call) {
  const Call &c = contexts_.callAt(call), &inText = contexts_.textOfCall(call);
  llvm::StringRef name = p_.facts.functions[c.callee].name;
  Id handle = nullness_.handleOf(inText);
  bool isAsked = readsFiles(name) || nullness_.isReader(handle) ||
                 nullness_.asksForFile(inText);
  Id type = graph_.nodeAt(c.result).type, to = p_.pointee(type);
  bool isText = to != None && p_.kind(to) == TypeKind::Byte;
  // An interpreter reads programs, but the pointers that it gives are those
  // that it was handed: lua_touserdata().
  if (!readsFiles(name) && to != None && p_.kind(to) == TypeKind::Void &&
      handle != None &&
      !nullness_.callbacksOf(handle, contexts_.callInText(call)).empty())
    isAsked = false;
  if (isText || (isAsked && (to != None || !givesStatus(name))))
    readInto(c.result, type);
  if (c.resultRecord != None && p_.isProgramRecord(c.resultRecord) &&
      mayReadFiles(name)) // (Book *)unpack(..)
    graph_.add(c.result,
               cells_.preexistingRecord(origin::Made, c.resultRecord));
  else if (Id record = p_.pointeeRecord(type);
           record != None && nullness_.isReader(record))
    graph_.add(c.result, cells_.preexisting(origin::ofHandle(record), to));
}

void LibraryModel::readArguments(Id call) {
  const Call &c = contexts_.callAt(call);
  llvm::StringRef name = p_.facts.functions[c.callee].name;
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id a = c.args[i];
    Id to = a == None ? None : p_.pointee(graph_.nodeAt(a).type);
    if (to == None || c.argIsReadOnly[i] || isFunctionPointer(a))
      continue;
    if (p_.isPointer(to)) {
      Id given = graph_.newNode(None);
      readInto(given, to);
      graph_.watch(a, {Watch::Use::Store, given, None});
    } else if (p_.kind(to) == TypeKind::Byte ||
               p_.kind(to) == TypeKind::Integer ||
               p_.kind(to) == TypeKind::Floating ||
               (mayReadFiles(name) && isBuffer(a))) {
      graph_.watch(a, {Watch::Use::Fill, call, None});
    }
  }
}

/// &record, taken for void *; what was a void * before may be a handle.
bool LibraryModel::isBuffer(Id argument) const {
  Id to = p_.pointee(graph_.nodeAt(argument).type),
     d = p_.definition(graph_.textOf(argument));
  if (p_.kind(to) != TypeKind::Void || d == None ||
      p_.facts.constraints[d].flow != Flow::Cast)
    return false;
  Id from = p_.facts.constraints[d].src;
  Id type = from == None ? None : p_.pointee(p_.facts.nodes[from].type);
  return type != None && p_.kind(type) != TypeKind::Void;
}

/// Memory of the program's that a library function may write numbers or text
/// to, by the type of the argument.
bool LibraryModel::isConverted(Id call, Id callee, size_t argument) const {
  const Facts &f = p_.facts;
  const Call &c = contexts_.callAt(call);
  const LibraryFunction *l = p_.libraryOf(callee);
  Id a = c.args[argument],
     to = a == None ? None : p_.pointee(graph_.nodeAt(a).type);
  if (to == None || c.argIsReadOnly[argument] ||
      (l && int(argument) != l->destination))
    return false;
  to = p_.element(to);
  switch (p_.kind(to)) {
  case TypeKind::Byte:
  case TypeKind::Integer:
  case TypeKind::Floating:
    return true;
  case TypeKind::Record:
    return l || (f.records[f.types[to].inner].complete &&
                 !p_.holdsPointer(f.types[to].inner));
  default:
    return isBuffer(a);
  }
}

// What a library makes of text or numbers of the file is data of the file:
// inet_aton(text, &address), localtime_r(&seconds, &time).
void LibraryModel::convert(Id call, Id callee) {
  const Call &c = contexts_.callAt(call);
  const LibraryFunction *l = p_.libraryOf(callee);
  // Not stat(name, ..).
  bool ofNumbers = l && l->kind == LibraryFunction::Assign;
  auto isText = [&](Id type) {
    return p_.kind(p_.element(p_.pointee(type))) == TypeKind::Byte;
  };
  Id marks = None;
  bool makesBlock = p_.makesBlock(contexts_.textOfCall(call));
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (!isConverted(call, callee, i) &&
        !(makesBlock && int(i) == l->destination))
      continue;
    for (size_t k = 0; k < c.args.size(); ++k) {
      Id a = c.args[k];
      if (k == i || a == None)
        continue;
      Id type = graph_.nodeAt(a).type;
      bool isRead = !p_.isPointer(type) ||
                    (c.argIsReadOnly[k] && !(ofNumbers && isText(type)));
      if (!isRead)
        continue;
      if (marks == None)
        marks = graph_.newMarks();
      graph_.edge(marks_.of(a, /*behind=*/p_.isPointer(type)), marks);
    }
  }
  if (marks != None)
    graph_.watch(marks, {Watch::Use::Convert, call, callee});
}

void LibraryModel::fillConverted(Id call, Id callee) {
  if (!converted_.insert(call).second)
    return;
  const Call &c = contexts_.callAt(call);
  if (p_.makesBlock(contexts_.textOfCall(call)))
    graph_.watch(c.result, {Watch::Use::Fill, call, None});
  for (size_t i = 0; i < c.args.size(); ++i)
    if (isConverted(call, callee, i))
      graph_.watch(c.args[i], {Watch::Use::Fill, call, None});
}

/// mktime(&time): what it makes of the members is data of the file, too.
void LibraryModel::numbersBehind(Id pointer, Id result) {
  Id record = p_.pointeeRecord(graph_.nodeAt(pointer).type);
  if (record == None)
    return;
  for (Id field : p_.facts.records[record].fields)
    if (p_.kind(p_.facts.fields[field].type) == TypeKind::Integer) {
      Id member = graph_.newNode(None), marks = graph_.newMarks();
      graph_.watch(pointer, {Watch::Use::Member, member, field});
      graph_.watch(member, {Watch::Use::Load, marks, None});
      graph_.edge(marks, result);
    }
}
