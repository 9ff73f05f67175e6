//===- LibraryHandles.cpp - What a library holds for the program ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/pointsto/LibraryModel-containers.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/LibraryModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// What a library was given lies in its records: behind those of which only it
/// knows the fields, else in fields of type void *, or behind one of void **.
void LibraryModel::fillContainer(Id l) {
  const MemoryLocation at = cells_.at(l);
  for (Id record : cells_.recordsOf(at.object)) {
    if (!nullness_.isContainer(record))
      continue;
    if (at.field == None && !p_.facts.records[record].complete)
      graph_.edge(givenNode(record), cells_.content(l));
    if (at.field == None) // only the library may ever go there
      for (Id field : p_.facts.records[record].fields)
        cells_.location(at.object, p_.facts.fields[field].cell);
    if (at.field != None && p_.facts.fields[at.field].record == record)
      fillContainerField(l, record);
  }
}

void LibraryModel::fillContainerField(Id l, Id record) {
  const Id content = cells_.content(l);
  Id to = p_.pointee(p_.facts.fields[cells_.at(l).field].type);
  if (to == None)
    return;
  if (p_.kind(to) == TypeKind::Void) {
    graph_.edge(givenNode(record), content);
  } else if (Id behind = p_.pointee(to);
             behind != None && p_.kind(behind) == TypeKind::Void) {
    Id table = cells_.preexisting(origin::deeper(origin::ofHandle(record)), to);
    graph_.add(content, table);
    graph_.edge(givenNode(record), cells_.content(table));
  } else if (Id other = p_.recordOf(to);
             other != None && nullness_.isContainer(other)) {
    graph_.add(content, cells_.preexisting(origin::ofHandle(other), to));
    if (other != record) {
      graph_.edge(givenNode(record), givenNode(other));
      graph_.edge(givenNode(other), givenNode(record));
    }
  }
}

/// The node of what a library was given with a handle, before the load or by
/// it.
Id LibraryModel::givenNode(Id handle) {
  auto [at, fresh] = given_.try_emplace(handle, None);
  if (!fresh)
    return at->second;
  Id given = at->second = graph_.newNode(None);
  for (Id r : nullness_.heldBy(handle))
    if (r == None) {
      graph_.add(given, cells_.elsewhere());
      if (nullness_.isContainer(handle))
        graph_.add(given, cells_.preexisting(origin::ofHandle(handle), None));
    } else {
      graph_.add(given, cells_.preexistingRecord(origin::ofHandle(handle), r));
    }
  return given;
}

// What a library is given together with a handle that only it understands, it
// may give back, and hand to the functions that it was told to call.
void LibraryModel::throughHandle(Id call, Id handle) {
  const Call &c = contexts_.callAt(call);
  const Id given = givenNode(handle);
  handIn(call, handle);
  if (Id made = c.result == None
                    ? None
                    : p_.pointeeRecord(graph_.nodeAt(c.result).type);
      made != None && nullness_.isContainer(made))
    graph_.add(c.result,
               cells_.preexisting(origin::ofHandle(made),
                                  p_.pointee(graph_.nodeAt(c.result).type)));
  if (c.result != None && p_.isPointer(graph_.nodeAt(c.result).type)) {
    // Of all that the library holds it gives back what is asked for.
    Id asked = graph_.newNode(c.resultRecord);
    graph_.setStrict(asked);
    graph_.edge(given, asked);
    graph_.edge(asked, c.result);
  }
  runCallbacks(call, handle);
}

void LibraryModel::handIn(Id call, Id handle) {
  const Call &c = contexts_.callAt(call);
  const Id given = givenNode(handle);
  bool isOpen = p_.facts.records[handle].complete;
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id a = c.args[i];
    Id to = a == None ? None : p_.element(p_.pointee(graph_.nodeAt(a).type));
    if (to == None || p_.recordOf(to) == handle ||
        p_.kind(to) == TypeKind::Byte) // text is copied
      continue;
    if (Id other = p_.recordOf(to);
        other != None && nullness_.isContainer(other)) {
      graph_.edge(given, givenNode(other)); // an iterator, perhaps
      graph_.edge(givenNode(other), given);
    }
    if (!isOpen || !c.argIsReadOnly[i])
      graph_.edge(a, given);
    if (p_.isPointer(to) && !c.argIsReadOnly[i] &&
        nullness_.isContainer(handle))
      graph_.watch(a, {Watch::Use::Store, given, None});
  }
}

void LibraryModel::runCallbacks(Id call, Id handle) {
  const Facts &f = p_.facts;
  const Id given = givenNode(handle), text = contexts_.callInText(call);
  for (Id fn : nullness_.callbacksOf(handle, text)) {
    if (in_.options.cut.contains(fn) || p_.isNoReturn(fn))
      continue;
    if (nullness_.servesRequests(fn)) {
      requestCallbacks_.try_emplace(fn, text);
      continue;
    }
    callbacks_.reach(fn, call);
    callbacks_.parametersFrom(fn, nullptr);
    for (Id param : f.functions[fn].params) {
      if (p_.isPointer(f.nodes[param].type))
        graph_.edge(given, param);
      if (nullness_.isReader(handle))
        readInto(param, f.nodes[param].type);
    }
  }
}
