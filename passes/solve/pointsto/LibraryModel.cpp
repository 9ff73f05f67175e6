//===- LibraryModel.cpp - Calls of functions without a body ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/LibraryModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

LibraryModel::LibraryModel(const PointsToInput &input, ValueGraph &graph,
                           Cells &cells, const CallContexts &contexts,
                           PriorContents &prior, Marks &marks,
                           MemoryCopies &copies, Callbacks &callbacks)
    : in_(input), p_(input.program), a_(input.allocators),
      nullness_(input.nullness), graph_(graph), cells_(cells),
      contexts_(contexts), prior_(prior), marks_(marks), copies_(copies),
      callbacks_(callbacks) {}

LibraryModel::Bound LibraryModel::boundTo(Id call, Id callee) const {
  const Call &c = contexts_.callAt(call), &inText = contexts_.textOfCall(call);
  const LibraryFunction *l =
      callee == c.callee ? p_.library(inText) : p_.libraryOf(callee);
  Id gives = c.result == None ? None : p_.pointee(graph_.nodeAt(c.result).type),
     handle = l ? None : nullness_.handleOf(inText);
  ThreadStart thread =
      libraryFact(p_.facts.functions[callee].name, &LibraryFunction::thread);
  if (std::max(thread.function, thread.handed) >= int(c.args.size()))
    thread = {}; // not that of the C library
  return {call,
          callee,
          c,
          inText,
          l,
          handle,
          thread,
          handle != None && gives != None && p_.kind(gives) == TypeKind::Void,
          handle != None && nullness_.isContainer(handle),
          a_.allocates(inText)};
}

void LibraryModel::bind(Id call, Id callee) {
  calls_.push_back({contexts_.callInText(call), callee});
  const Bound b = boundTo(call, callee);
  const Call &c = b.c;
  const LibraryFunction *l = b.library;
  if (!b.givesBack &&
      !(b.allocates && c.function != None && !a_.isWrapper(c.function)))
    marks_.maybeElsewhere(c.result);
  takeIn(b);
  const bool finds =
      hasTrait(p_.facts.functions[callee].name, LibraryFunction::FindsFiles);
  if (finds)
    findFiles(b);
  const bool scans = b.is(LibraryFunction::Input);
  if (b.is(LibraryFunction::Exit) || b.is(LibraryFunction::Free) ||
      (l && b.allocates && !scans))
    return;
  if (b.handle != None)
    throughHandle(call, b.handle);
  const bool isReading = nullness_.isReading(b.inText);
  if (isReading)
    readThrough(call);
  makeUnknown(b);
  if (scans)
    input(b);
  if (b.handle == None && !isReading &&
      (!l || l->kind == LibraryFunction::Print ||
       l->kind == LibraryFunction::Unbounded ||
       l->kind == LibraryFunction::Assign))
    convert(call, callee);
  for (size_t i = 0; i < c.args.size(); ++i)
    if (c.args[i] != None) {
      runHanded(b, i,
                finds       ? Handed::Made
                : isReading ? Handed::Read
                            : Handed::Nothing);
      giveBack(b, c.args[i]);
    }
}

/// Whatever becomes of the call then: pointers may be put behind arguments, and
/// blocks be made of bytes.
void LibraryModel::takeIn(const Bound &b) {
  const Call &c = b.c;
  const LibraryFunction *l = b.library;
  for (size_t i = 0; i < c.args.size(); ++i)
    if (Id a = c.args[i];
        a != None && p_.isPointer(graph_.nodeAt(a).type) &&
        (!l || p_.isPointer(p_.pointee(graph_.nodeAt(a).type))) &&
        int(i) != b.thread.handed)
      graph_.watch(a, {Watch::Use::Spoil, b.call, None});
  if (p_.facts.functions[b.callee].allocates && l == &otherAllocator)
    for (size_t i = 0; i < c.args.size(); ++i) // g_memdup()
      if (Id a = c.args[i]; a != None && c.result != None &&
                            p_.isPointer(graph_.nodeAt(a).type) &&
                            c.argIsReadOnly[i])
        copies_.copy(c.result, a, None);
  if ((l && l->content == LibraryFunction::File) ||
      p_.mapsFile(b.inText, b.callee))
    graph_.watch(c.result, {Watch::Use::Fill, b.call, None});
  if (l && l->content == LibraryFunction::Arguments)
    convert(b.call, b.callee);
}

/// A file of the program that was not given: what its functions make for the
/// load may be anything of the type.
void LibraryModel::makeUnknown(const Bound &b) {
  const Call &c = b.c;
  Id made =
      c.result == None ? None : p_.pointeeRecord(graph_.nodeAt(c.result).type);
  if (b.library || made == None || b.handle != None ||
      !p_.isOwnWithoutBody(b.callee) || !p_.facts.records[made].complete ||
      !p_.isProgramRecord(made) || in_.options.onTheWay.contains(c.function))
    return;
  if (firstReading_ == None)
    firstReading_ = contexts_.callInText(b.call);
  graph_.add(c.result, cells_.preexistingRecord(origin::Made, made));
}

void LibraryModel::input(const Bound &b) {
  const Call &c = b.c;
  const LibraryFunction &l = *b.library;
  const auto use = l.scatters ? Watch::Use::Scatter : Watch::Use::Fill;
  bool isVariadic = p_.facts.functions[b.callee].isVariadic;
  for (size_t i = 0; l.destination >= 0 && i < c.args.size(); ++i)
    if (i == size_t(l.destination) || (isVariadic && i > size_t(l.destination)))
      graph_.watch(c.args[i], {use, b.call, None});
  if (c.result != None && !b.allocates)
    graph_.add(c.result, cells_.fileBytes());
  if (b.allocates) // %ms
    graph_.watch(c.result, {Watch::Use::Fill, b.call, None});
}

/// A function handed to a library may be called with anything it was given.
/// What is not handed over as a function is data to it, whatever else flowed
/// into its like.
void LibraryModel::runHanded(const Bound &b, size_t argument, Handed what) {
  const Facts &f = p_.facts;
  const Id a = b.c.args[argument], inText = graph_.textOf(a);
  const FieldFlow &flow = in_.flow;
  const std::vector<Id> functions = isFunctionPointer(a)
                                        ? flow.functionsIn(flow.atNode(inText))
                                        : flow.functionsInTable(inText);
  for (Id fn : functions) {
    if (nullness_.isForLater(b.inText) || !f.functions[fn].hasBody ||
        p_.isNoReturn(fn) || in_.options.cut.contains(fn))
      continue;
    callbacks_.reach(fn, b.call);
    if (int(argument) == b.thread.function) {
      startThread(b, fn);
      continue;
    }
    callbacks_.parametersFrom(fn, nullptr);
    for (Id param : f.functions[fn].params) {
      for (Id other : b.c.args)
        if (other != a)
          graph_.edge(other, param);
      if (b.isContainer)
        graph_.edge(givenNode(b.handle), param);
      if (what == Handed::Made)
        makeInto(param, f.nodes[param].type);
      else if (what == Handed::Read)
        readInto(param, f.nodes[param].type);
    }
  }
}

/// What a thread runs is called with what was handed over for it, with nothing
/// else, and by nobody but the C library: what the thread waits for in there,
/// a queue that is empty, is not there for its sake.
void LibraryModel::startThread(const Bound &b, Id function) {
  const size_t handed = size_t(b.thread.handed);
  Call start;
  start.args = {b.c.args[handed]};
  start.argIsZeroOrNull = {b.c.argIsZeroOrNull[handed]};
  callbacks_.parametersFrom(function, &start);
  const auto &params = p_.facts.functions[function].params;
  if (!params.empty())
    graph_.edge(start.args[0], params[0]);
}

/// strtol(buf, ..) is a value from the file when buf is; a count of bytes
/// written is not a pointer to them.
void LibraryModel::giveBack(const Bound &b, Id argument) {
  const Id result = b.c.result;
  if (result == None || b.givesBack || b.allocates ||
      b.is(LibraryFunction::Write))
    return;
  const Id type = graph_.nodeAt(result).type;
  if (p_.isPointer(type)) {
    if (!b.isContainer || p_.pointeeRecord(graph_.nodeAt(argument).type) ==
                              p_.pointeeRecord(type))
      graph_.edge(argument, result);
    return;
  }
  graph_.edge(marks_.of(argument), result);
  graph_.edge(marks_.of(argument, /*behind=*/true), result);
  if (b.is(LibraryFunction::Assign))
    numbersBehind(argument, result);
}

/// What the list at `l` names is filled.
void LibraryModel::scatter(Id l, Id call) {
  Id object = cells_.at(l).object;
  for (Id record : cells_.recordsOf(object))
    for (Id field : p_.facts.records[record].fields)
      if (p_.isPointer(p_.facts.fields[field].type)) {
        Id place = cells_.location(object, p_.facts.fields[field].cell);
        prior_.materialise(place);
        graph_.watch(cells_.content(place), {Watch::Use::Fill, call, None});
      }
}

void LibraryModel::made(Id location) {
  fillContainer(location);
  fillReader(location);
}

bool LibraryModel::isFunctionPointer(Id node) const {
  node = graph_.textOf(node);
  while (node != None && !p_.isFunctionPointer(p_.facts.nodes[node].type))
    node = p_.copied(node);
  return node != None;
}
