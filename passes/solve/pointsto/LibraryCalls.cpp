//===- LibraryCalls.cpp - Calls of functions without a body ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is assumed of each is in Library.cpp, which records are containers or
// read files in NullHandles.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// What a library has read, records that it makes of that, and fields of its
/// own records.
void PointsTo::fillReader(Id l) {
  const Location at = locations_[l];
  const Object o = objects_[at.object];
  if (o.kind == Object::Preexisting && o.ref == ReadOrigin)
    add(contents_[l], fileBytes_);
  if (o.kind == Object::Preexisting && o.ref == MadeOrigin) {
    if (at.field == None)
      fills_.push_back({l, firstReading_});
    else
      makeInto(contents_[l], p_.facts.fields[at.field].type);
  }
  for (Id record : recordsOf(at.object)) {
    if (!unfilled_.isReader(record))
      continue;
    for (Id part : p_.nested(record)) // scanner->value.v_int
      for (Id field : p_.facts.records[part].fields)
        if (at.field == p_.facts.fields[field].cell)
          readInto(contents_[l], p_.facts.fields[field].type);
  }
}

/// What the library gives as a value of this type.
void PointsTo::readInto(Id node, Id type) {
  if (!p_.isPointer(type))
    return add(node, fileBytes_);
  Id to = p_.pointee(type), behind = p_.pointee(to);
  auto isBytes = [&](Id t) {
    return t != None &&
           (p_.kind(t) == TypeKind::Byte || p_.kind(t) == TypeKind::Void);
  };
  if (isBytes(to)) {
    add(node, preexisting(ReadOrigin, None));
  } else if (isBytes(behind)) {
    Id table = preexisting(deeper(ReadOrigin), to);
    add(node, table);
    add(contents_[table], preexisting(ReadOrigin, None));
  }
}

/// Where the value is in such a record: others that it leads to, too.
void PointsTo::makeInto(Id node, Id type) {
  Id to = p_.pointee(type), behind = p_.pointee(to);
  if (Id record = to == None ? None : p_.recordOf(to); record != None) {
    add(node, preexistingRecord(MadeOrigin, record));
  } else if (Id item = behind == None ? None : p_.recordOf(behind);
             item != None) {
    Id table = preexisting(deeper(MadeOrigin), to);
    add(node, table);
    add(contents_[table], preexistingRecord(MadeOrigin, item));
  } else {
    readInto(node, type);
  }
}

/// What a library was given lies in its records: behind those of which only it
/// knows the fields, else in fields of type void *, or behind one of void **.
void PointsTo::fillContainer(Id l) {
  const Location at = locations_[l];
  for (Id record : recordsOf(at.object)) {
    if (!unfilled_.isContainer(record))
      continue;
    if (at.field == None && !p_.facts.records[record].complete)
      edge(bagOf(record), contents_[l]);
    if (at.field == None) // only the library may ever go there
      for (Id field : p_.facts.records[record].fields)
        location(at.object, p_.facts.fields[field].cell);
    if (at.field == None || p_.facts.fields[at.field].record != record)
      continue;
    Id to = p_.pointee(p_.facts.fields[at.field].type);
    if (to == None)
      continue;
    if (p_.kind(to) == TypeKind::Void) {
      edge(bagOf(record), contents_[l]);
    } else if (Id behind = p_.pointee(to);
               behind != None && p_.kind(behind) == TypeKind::Void) {
      Id table = preexisting(deeper(handleOrigin(record)), to);
      add(contents_[l], table);
      edge(bagOf(record), contents_[table]);
    } else if (Id other = p_.recordOf(to);
               other != None && unfilled_.isContainer(other)) {
      add(contents_[l], preexisting(handleOrigin(other), to));
      if (other != record) {
        edge(bagOf(record), bagOf(other));
        edge(bagOf(other), bagOf(record));
      }
    }
  }
}

/// The node of what a library was given with a handle, before the load or by
/// it.
Id PointsTo::bagOf(Id handle) {
  auto [at, fresh] = bags_.try_emplace(handle, None);
  if (!fresh)
    return at->second;
  Id bag = at->second = newNode(None);
  for (Id r : unfilled_.heldBy(handle))
    if (r == None) {
      add(bag, elsewhere_);
      if (unfilled_.isContainer(handle))
        add(bag, preexisting(handleOrigin(handle), None));
    } else {
      add(bag, preexistingRecord(handleOrigin(handle), r));
    }
  return bag;
}

// What a library is given together with a handle that only it understands, it
// may give back, and hand to the functions that it was told to call.
void PointsTo::throughHandle(Id call, Id handle) {
  const Facts &f = p_.facts;
  const Call &c = callAt(call);
  Id bag = bagOf(handle);
  bool isOpen = f.records[handle].complete;
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id a = c.args[i];
    Id to = a == None ? None : p_.element(p_.pointee(nodeAt(a).type));
    if (to == None || p_.recordOf(to) == handle ||
        p_.kind(to) == TypeKind::Byte) // text is copied
      continue;
    if (Id other = p_.recordOf(to);
        other != None && unfilled_.isContainer(other)) {
      edge(bag, bagOf(other)); // an iterator, perhaps
      edge(bagOf(other), bag);
    }
    if (!isOpen || !c.argIsReadOnly[i])
      edge(a, bag);
    if (p_.isPointer(to) && !c.argIsReadOnly[i] &&
        unfilled_.isContainer(handle))
      watch(a, {Use::Store, bag, None});
  }
  if (Id made =
          c.result == None ? None : p_.pointeeRecord(nodeAt(c.result).type);
      made != None && unfilled_.isContainer(made))
    add(c.result,
        preexisting(handleOrigin(made), p_.pointee(nodeAt(c.result).type)));
  if (c.result != None && p_.isPointer(nodeAt(c.result).type)) {
    // Of all that the library holds it gives back what is asked for.
    Id asked = newNode(c.resultRecord);
    strict_.insert(asked);
    edge(bag, asked);
    edge(asked, c.result);
  }
  for (Id fn : unfilled_.callbacksOf(handle, callInText(call))) {
    if (options_.cut.contains(fn) || p_.isNoReturn(fn))
      continue;
    if (unfilled_.servesRequests(fn)) {
      requestCallbacks_.try_emplace(fn, callInText(call));
      continue;
    }
    reach(fn, call);
    parametersFrom(fn, nullptr);
    for (Id param : f.functions[fn].params) {
      if (p_.isPointer(f.nodes[param].type))
        edge(bag, param);
      if (unfilled_.isReader(handle))
        readInto(param, f.nodes[param].type);
    }
  }
}

/// &record, taken for void *; what was a void * before may be a handle.
bool PointsTo::isBuffer(Id argument) const {
  Id to = p_.pointee(nodeAt(argument).type),
     d = p_.definition(textOf(argument));
  if (p_.kind(to) != TypeKind::Void || d == None ||
      p_.facts.constraints[d].flow != Flow::Cast)
    return false;
  Id from = p_.facts.constraints[d].src;
  Id type = from == None ? None : p_.pointee(p_.facts.nodes[from].type);
  return type != None && p_.kind(type) != TypeKind::Void;
}

// A library that reads files for the program gives what it has read: as a
// result, through the address of a variable, or to a function that it calls.
void PointsTo::readThrough(Id call) {
  const Facts &f = p_.facts;
  const Call &c = callAt(call);
  llvm::StringRef name = f.functions[c.callee].name;
  Id handle = unfilled_.handleOf(textOfCall(call));
  bool isAsked = readsFiles(name) || unfilled_.isReader(handle) ||
                 unfilled_.asksForFile(textOfCall(call));
  if (firstReading_ == None)
    firstReading_ = callInText(call);
  if (c.result != None) {
    Id type = nodeAt(c.result).type, to = p_.pointee(type);
    bool isText = to != None && p_.kind(to) == TypeKind::Byte;
    // An interpreter reads programs, but the pointers that it gives are those
    // that it was handed: lua_touserdata().
    if (!readsFiles(name) && to != None && p_.kind(to) == TypeKind::Void &&
        handle != None &&
        !unfilled_.callbacksOf(handle, callInText(call)).empty())
      isAsked = false;
    if (isText || (isAsked && (to != None || !givesStatus(name))))
      readInto(c.result, type);
    if (c.resultRecord != None && p_.isProgramRecord(c.resultRecord) &&
        mayReadFiles(name)) { // (Book *)unpack(..)
      add(c.result, preexistingRecord(MadeOrigin, c.resultRecord));
    } else if (Id record = p_.pointeeRecord(type);
               record != None && unfilled_.isReader(record)) {
      add(c.result, preexisting(handleOrigin(record), to));
    }
  }
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id a = c.args[i], to = a == None ? None : p_.pointee(nodeAt(a).type);
    if (to == None || c.argIsReadOnly[i] || isFunctionPointer(a))
      continue;
    if (p_.isPointer(to)) {
      Id given = newNode(None);
      readInto(given, to);
      watch(a, {Use::Store, given, None});
    } else if (p_.kind(to) == TypeKind::Byte ||
               p_.kind(to) == TypeKind::Integer ||
               p_.kind(to) == TypeKind::Floating ||
               (mayReadFiles(name) && isBuffer(a))) {
      watch(a, {Use::Fill, call, None});
    }
  }
}

/// Memory of the program's that a library function may write numbers or text
/// to, by the type of the argument.
bool PointsTo::isConverted(Id call, Id callee, size_t argument) const {
  const Facts &f = p_.facts;
  const Call &c = callAt(call);
  const LibraryFunction *l = p_.libraryOf(callee);
  Id a = c.args[argument], to = a == None ? None : p_.pointee(nodeAt(a).type);
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
void PointsTo::convert(Id call, Id callee) {
  const Call &c = callAt(call);
  const LibraryFunction *l = p_.libraryOf(callee);
  // Not stat(name, ..).
  bool ofNumbers = l && l->kind == LibraryFunction::Assign;
  auto isText = [&](Id type) {
    return p_.kind(p_.element(p_.pointee(type))) == TypeKind::Byte;
  };
  Id marks = None;
  bool makesBlock = p_.makesBlock(textOfCall(call));
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (!isConverted(call, callee, i) &&
        !(makesBlock && int(i) == l->destination))
      continue;
    for (size_t k = 0; k < c.args.size(); ++k) {
      Id a = c.args[k];
      if (k == i || a == None)
        continue;
      Id type = nodeAt(a).type;
      bool isRead = !p_.isPointer(type) ||
                    (c.argIsReadOnly[k] && !(ofNumbers && isText(type)));
      if (!isRead)
        continue;
      if (marks == None)
        marks = newMarks();
      edge(marksOf(a, /*behind=*/p_.isPointer(type)), marks);
    }
  }
  if (marks != None)
    watch(marks, {Use::Convert, call, callee});
}

void PointsTo::fillConverted(Id call, Id callee) {
  if (!converted_.insert(call).second)
    return;
  const Call &c = callAt(call);
  if (p_.makesBlock(textOfCall(call)))
    watch(c.result, {Use::Fill, call, None});
  for (size_t i = 0; i < c.args.size(); ++i)
    if (isConverted(call, callee, i))
      watch(c.args[i], {Use::Fill, call, None});
}

bool PointsTo::isFunctionPointer(Id node) const {
  node = textOf(node);
  while (node != None && !p_.isFunctionPointer(p_.facts.nodes[node].type))
    node = p_.copied(node);
  return node != None;
}

/// What the list at `l` names is filled.
void PointsTo::scatter(Id l, Id call) {
  Id object = locations_[l].object;
  for (Id record : recordsOf(object))
    for (Id field : p_.facts.records[record].fields)
      if (p_.isPointer(p_.facts.fields[field].type)) {
        Id place = location(object, p_.facts.fields[field].cell);
        materialise(place);
        watch(contents_[place], {Use::Fill, call, None});
      }
}

/// What a thread runs is called with what was handed over for it, with nothing
/// else, and by nobody but the C library: what the thread waits for in there,
/// a queue that is empty, is not there for its sake.
void PointsTo::startThread(const Call &c, const ThreadStart &thread, Id fn) {
  Call start;
  start.args = {c.args[size_t(thread.handed)]};
  start.argIsZeroOrNull = {c.argIsZeroOrNull[thread.handed]};
  parametersFrom(fn, &start);
  if (const auto &params = p_.facts.functions[fn].params; !params.empty())
    edge(start.args[0], params[0]);
}

void PointsTo::bindLibrary(Id call, Id callee) {
  const Facts &f = p_.facts;
  const Call &c = callAt(call);
  const Call &text = textOfCall(call);
  libraryCalls_.push_back({callInText(call), callee});
  const LibraryFunction *l =
      callee == c.callee ? p_.library(text) : p_.libraryOf(callee);
  Id gives = c.result == None ? None : p_.pointee(nodeAt(c.result).type),
     handle = l ? None : unfilled_.handleOf(text);
  bool givesBack =
      handle != None && gives != None && p_.kind(gives) == TypeKind::Void;
  bool isContainer = handle != None && unfilled_.isContainer(handle);
  if (!givesBack &&
      !(a_.allocates(text) && c.function != None && !a_.isWrapper(c.function)))
    maybeElsewhere(c.result);
  ThreadStart thread =
      libraryFact(f.functions[callee].name, &LibraryFunction::thread);
  if (std::max(thread.function, thread.handed) >= int(c.args.size()))
    thread = {}; // not that of the C library
  for (size_t i = 0; i < c.args.size(); ++i)
    if (Id a = c.args[i]; a != None && p_.isPointer(nodeAt(a).type) &&
                          (!l || p_.isPointer(p_.pointee(nodeAt(a).type))) &&
                          int(i) != thread.handed)
      watch(a, {Use::Spoil, call, None});
  if (f.functions[callee].allocates && l == &otherAllocator)
    for (size_t i = 0; i < c.args.size(); ++i) // g_memdup()
      if (Id a = c.args[i]; a != None && c.result != None &&
                            p_.isPointer(nodeAt(a).type) && c.argIsReadOnly[i])
        copy(c.result, a, None);
  if ((l && l->content == LibraryFunction::File) || p_.mapsFile(text, callee))
    watch(c.result, {Use::Fill, call, None});
  if (l && l->content == LibraryFunction::Arguments)
    convert(call, callee);
  bool scans = l && l->kind == LibraryFunction::Input;
  if (l && (l->kind == LibraryFunction::Exit ||
            l->kind == LibraryFunction::Free || (a_.allocates(text) && !scans)))
    return;
  if (handle != None)
    throughHandle(call, handle);
  bool isReading = unfilled_.isReading(text);
  if (isReading)
    readThrough(call);
  // A file of the program that was not given: what its functions make for the
  // load may be anything of the type.
  Id made = c.result == None ? None : p_.pointeeRecord(nodeAt(c.result).type);
  if (!l && made != None && handle == None && p_.isOwnWithoutBody(callee) &&
      f.records[made].complete && p_.isProgramRecord(made) &&
      !options_.onTheWay.contains(c.function)) {
    if (firstReading_ == None)
      firstReading_ = callInText(call);
    add(c.result, preexistingRecord(MadeOrigin, made));
  }
  if (l && l->kind == LibraryFunction::Input) {
    bool variadic = f.functions[callee].isVariadic;
    for (size_t i = 0; l->destination >= 0 && i < c.args.size(); ++i)
      if (i == size_t(l->destination) ||
          (variadic && i > size_t(l->destination)))
        watch(c.args[i], {l->scatters ? Use::Scatter : Use::Fill, call, None});
    if (c.result != None && !a_.allocates(text))
      add(c.result, fileBytes_);
  }
  if (scans && a_.allocates(text)) // %ms
    watch(c.result, {Use::Fill, call, None});
  if (handle == None && !isReading &&
      (!l || l->kind == LibraryFunction::Print ||
       l->kind == LibraryFunction::Unbounded ||
       l->kind == LibraryFunction::Assign))
    convert(call, callee);
  bool isForLater = unfilled_.isForLater(text);
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id a = c.args[i];
    if (a == None)
      continue;
    // A function handed to a library may be called with anything it was given.
    // What is not handed over as a function is data to it, whatever else
    // flowed into its like.
    std::vector<Id> functions = flow_.functionsInTable(textOf(a));
    if (isFunctionPointer(a))
      functions = flow_.functionsIn(flow_.atNode(textOf(a)));
    for (Id fn : functions)
      if (!isForLater && f.functions[fn].hasBody && !p_.isNoReturn(fn) &&
          !options_.cut.contains(fn)) {
        reach(fn, call);
        if (int(i) == thread.function) {
          startThread(c, thread, fn);
          continue;
        }
        parametersFrom(fn, nullptr);
        for (Id param : f.functions[fn].params) {
          for (Id other : c.args)
            if (other != a)
              edge(other, param);
          if (isContainer)
            edge(bagOf(handle), param);
          if (isReading)
            readInto(param, f.nodes[param].type);
        }
      }
    if (c.result != None && !givesBack && !a_.allocates(text) &&
        !(l && l->kind == LibraryFunction::Write)) {
      // strtol(buf, ..) is a value from the file when buf is; a count of bytes
      // written is not a pointer to them.
      if (p_.isPointer(nodeAt(c.result).type)) {
        if (!isContainer || p_.pointeeRecord(nodeAt(a).type) ==
                                p_.pointeeRecord(nodeAt(c.result).type))
          edge(a, c.result);
      } else {
        edge(marksOf(a), c.result);
        edge(marksOf(a, /*behind=*/true), c.result);
        if (l && l->kind == LibraryFunction::Assign)
          numbersBehind(a, c.result);
      }
    }
  }
}

/// mktime(&time): what it makes of the members is data of the file, too.
void PointsTo::numbersBehind(Id pointer, Id result) {
  Id record = p_.pointeeRecord(nodeAt(pointer).type);
  if (record == None)
    return;
  for (Id field : p_.facts.records[record].fields)
    if (p_.kind(p_.facts.fields[field].type) == TypeKind::Integer) {
      Id member = newNode(None), marks = newMarks();
      watch(pointer, {Use::Member, member, field});
      watch(member, {Use::Load, marks, None});
      edge(marks, result);
    }
}
