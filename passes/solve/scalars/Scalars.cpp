//===- Scalars.cpp - Static numbers and text that the load fills ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/LinkedStatics.h"
#include "passes/solve/scalars/ScalarFinder.h"
#include <map>

using namespace nvmove;

void ScalarFinder::run() {
  byName();
  fromFile();
  inLists();
  measures();
  counted();
  filled();
  steps();
  localCounts();
  assigned();
  while (computed())
    ;
  placed();
  flags();
}

/// False when it is known already.
bool ScalarFinder::add(Id variable, const std::vector<Id> &path, Evidence why,
                       Loc loc) {
  bool isNew = statics_.note({variable, path}, {why, loc});
  if (statics_.isRestored({variable, path}))
    restored_.insert(
        {variable, path.empty() ? None : f_.fields[path.back()].cell});
  return isNew;
}

void ScalarFinder::addWritten(Id variable, const std::vector<Id> &path,
                              bool fromFile, Loc loc) {
  add(variable, path,
      fromFile ? Evidence::GetsFileData : Evidence::CountsLoaded, loc);
}

void ScalarFinder::byName() {
  for (const StaticWrite *w : writes_) {
    bool file = w->value == None ? isJudged(w->judged)
                                 : pt_.holdsFileBytes(pt_.pointsTo(w->value)) ||
                                       isLookedUp(w->value);
    if (file && isDescriptor(*w))
      continue;
    if (w->readModifyWrite || file)
      addWritten(w->variable, w->path, file, w->loc);
  }
}

/// The function that gives a descriptor of an open file, or None.
Id ScalarFinder::opens(Id value) {
  Id call = value == None ? None : values_.call(origin(value));
  Id callee = call == None ? None : f_.calls[call].callee;
  return callee != None && hasTrait(f_.functions[callee].name,
                                    LibraryFunction::GivesDescriptor)
             ? callee
             : None;
}

/// device = open(name, ..), of a name in the file; or open_it(name, &fd);
/// device = fd; where that does *result = open(name, ..).
bool ScalarFinder::isDescriptor(const StaticWrite &w) {
  Id by = opens(w.value), local = w.value == None ? None : origin(w.value);
  if (by == None && local != None && f_.nodes[local].kind == NodeKind::Local)
    lookUps_.eachPutInto(
        local, [&](Id value) { by = by == None ? opens(value) : by; });
  if (by != None)
    statics_.note({w.variable, w.path}, {Evidence::HoldsOpenFile, w.loc,
                                         w.function, f_.functions[by].name});
  return by != None;
}

/// on = atoi(text) > 0, on = !strcmp(text, "yes"): it says what the file
/// does.
bool ScalarFinder::isJudged(const std::vector<Id> &nodes) {
  return llvm::any_of(nodes, [&](Id n) {
    return (!c_.program.isPointer(f_.nodes[n].type) &&
            pt_.holdsFileBytes(pt_.pointsTo(n))) ||
           isLookedUp(n) || lookUps_.compares(values_.call(origin(n)));
  });
}

/// Where a value begins that is copied and cast, also from a local that has
/// but one.
Id ScalarFinder::origin(Id value) {
  for (unsigned steps = 0; steps < 16 && values_.call(value) == None; ++steps) {
    llvm::ArrayRef<Id> from = values_.definitions(value);
    if (from.size() != 1 || f_.nodes[value].kind == NodeKind::Global ||
        (f_.constraints[from[0]].flow != Flow::Copy &&
         f_.constraints[from[0]].flow != Flow::Cast))
      break;
    value = f_.constraints[from[0]].src;
  }
  return value;
}

/// mode = find(word): what a function of the program makes of data of the
/// file that it is handed, or chooses by what it finds; if (find(word, &n))
/// mode = n.
bool ScalarFinder::isLookedUp(Id value) {
  value = origin(value);
  Id call = values_.call(value);
  if (call == None)
    return lookUps_.onlyReadFor(value);
  const Call &c = f_.calls[call];
  return c.callee != None && f_.functions[c.callee].hasBody &&
         !llvm::is_contained(load_, c.callee) &&
         (llvm::any_of(c.args,
                       [&](Id a) { return a != None && lookUps_.isText(a); }) ||
          lookUps_.onlyChooses(call));
}

/// The static numbers that a pointer leads to, by location and path.
void ScalarFinder::eachNumberBehind(
    Id address, llvm::function_ref<void(Id, const std::vector<Id> &)> see) {
  if (address == None)
    return;
  for (Id l : pt_.pointsTo(address))
    for (const std::vector<Id> &path : numbersAt(l))
      see(l, path);
}

void ScalarFinder::eachNumberWritten(
    const StoreSite &store,
    llvm::function_ref<void(Id, const std::vector<Id> &)> see) {
  std::optional<bool> never;
  eachNumberBehind(store.address, [&](Id l, const std::vector<Id> &path) {
    if (!never)
      never = pt_.neverDone(store.nonNull, store.function);
    if (!*never)
      see(l, path);
  });
}

/// Where in static memory the location is, if it is a number there with a
/// name; several where the variable has members of one type.
MemberDisambiguation::Paths ScalarFinder::numbersAt(Id l) {
  const auto &at = pt_.locations()[l];
  const Object &o = pt_.objects()[at.object];
  if (!stays(o) || f_.nodes[o.ref].isConst)
    return {};
  MemberDisambiguation::Paths paths{{}};
  if (at.field != None) {
    if (o.record == None ||
        c_.program.kind(f_.nodes[o.ref].type) == TypeKind::Array)
      return {};
    paths = members_.waysTo(o.record, at.field).filled;
    for (std::vector<Id> &path : paths)
      path = wholeUnion(path);
  }
  llvm::erase_if(paths, [&](const std::vector<Id> &path) {
    Id type = c_.program.typeOf(o.ref, path);
    return type == None || c_.program.isPointer(type) ||
           (path.empty() && c_.program.recordOf(type) != None);
  });
  return paths;
}

// Arrays, too: load(&settings). Not open_it(name, &device).
void ScalarFinder::fromFile() {
  for (Id l = 0; l < pt_.locations().size(); ++l)
    if (!s_.writesTo(l).empty() && pt_.holdsFileBytes(pt_.content(l)))
      for (const std::vector<Id> &path : numbersAt(l)) {
        Id variable = placeAt(l).first;
        s_.writesTo(l).each([&](const LoadedState::Write &w) {
          if (Id by = w.direct ? opens(w.value) : None; by != None)
            statics_.note({variable, path},
                          {Evidence::HoldsOpenFile, w.loc, w.function,
                           f_.functions[by].name});
        });
        addWritten(variable, path, true, s_.proof(l).loc);
      }
}

/// find(name)->value = n; also where that is a static.
void ScalarFinder::inLists() {
  forEachStaticInList(a_, [&](Id variable, const std::vector<Id> &path, Id l) {
    if (c_.program.kind(f_.nodes[variable].type) == TypeKind::Array)
      return;
    std::vector<Id> whole = wholeUnion(path);
    Id type = c_.program.typeOf(variable, whole);
    if (pt_.holdsFileBytes(pt_.content(l)) && type != None &&
        !c_.program.isPointer(type) && c_.program.recordOf(type) == None)
      addWritten(variable, whole, true, s_.proof(l).loc);
  });
}

void ScalarFinder::counted() {
  for (auto &[fn, call] : pt_.reached())
    for (Id i : c_.program.storesOf(fn)) {
      const StoreSite &store = f_.stores[i];
      bool judged = !store.judged.empty() && isJudged(store.judged);
      if (judged || store.readModifyWrite)
        eachNumberWritten(store, [&](Id l, const std::vector<Id> &path) {
          addWritten(placeAt(l).first, path, judged, store.loc);
        });
    }
  for (auto [i, callee] : pt_.libraryCallsReached()) { // lsearch(.., &n, ..)
    const Call &c = f_.calls[i];
    int number =
        libraryFact(f_.functions[callee].name, &LibraryFunction::flow).counts;
    if (number >= 0 && size_t(number) < c.args.size())
      eachNumberBehind(c.args[number], [&](Id l, const std::vector<Id> &path) {
        addWritten(placeAt(l).first, path, false, c.loc);
      });
  }
}

void ScalarFinder::filled() {
  for (auto [l, call] : pt_.fills()) {
    const auto at = pt_.locations()[l];
    const Object &o = pt_.objects()[at.object];
    if (!stays(o))
      continue;
    Loc loc = f_.calls[call].loc;
    if (o.record == None && at.field == None)
      add(o.ref, {}, Evidence::ReadFromFile, loc);
    else if (c_.program.kind(f_.nodes[o.ref].type) == TypeKind::Record &&
             s_.readOutsideLoad(o.record))
      for (const std::vector<Id> &path :
           at.field == None ? MemberDisambiguation::Paths{{}}
                            : members_.waysTo(o.record, at.field).filled)
        filledFields(o.ref, path, loc);
  }
}

/// fread(&player, sizeof player, 1, file): all its numbers and text.
void ScalarFinder::filledFields(Id variable, const std::vector<Id> &path,
                                Loc loc) {
  if (!path.empty() && statics_.isRestored({variable, path}))
    return; // an array of records, as a whole
  Id type = c_.program.typeOf(variable, path),
     record = c_.program.recordOf(type);
  bool isUnion = record != None && f_.records[record].isUnion;
  if (record != None && !isUnion) {
    for (Id k : f_.records[record].fields) {
      std::vector<Id> inner = path;
      inner.push_back(k);
      filledFields(variable, inner, loc);
    }
  } else if (!path.empty() && !c_.program.isPointer(type)) {
    add(variable, wholeUnion(path), Evidence::ReadFromFile, loc);
  }
}

/// Of a union all members go together. One without a name goes by its
/// largest, if possible one with a name.
std::vector<Id> ScalarFinder::wholeUnion(std::vector<Id> path) const {
  while (path.size() > 1 && f_.records[f_.fields[path.back()].record].isUnion)
    path.pop_back();
  for (Id last = path.back(); f_.fields[last].name.empty();) {
    Id record = c_.program.recordOf(f_.fields[last].type);
    if (record == None || !f_.records[record].isUnion ||
        f_.records[record].fields.empty())
      break;
    last = *llvm::max_element(f_.records[record].fields, [&](Id a, Id b) {
      return std::pair(f_.types[f_.fields[a].type].size_bytes,
                       !f_.fields[a].name.empty()) <
             std::pair(f_.types[f_.fields[b].type].size_bytes,
                       !f_.fields[b].name.empty());
    });
    path.push_back(last);
  }
  return path;
}

/// head = take(), *link = take(): what is computed from them goes with them.
/// False: no more.
bool ScalarFinder::computed() {
  bool any = false;
  auto isComputed = [&](const PointsTo::Set &set) {
    return llvm::any_of(pt_.staticValuesIn(set),
                        [&](Id l) { return restored_.contains(placeAt(l)); });
  };
  for (const StaticWrite *w : writes_)
    if (w->value != None && isComputed(pt_.pointsTo(w->value)))
      any |= add(w->variable, w->path, Evidence::ComputedFromRestored, w->loc);
  for (Id l : stored_)
    if (isComputed(pt_.content(l)))
      for (const std::vector<Id> &path : numbersAt(l))
        any |= add(placeAt(l).first, path, Evidence::ComputedFromRestored,
                   s_.proof(l).loc);
  return any;
}

// tail = (tail + 1) % size; or by way of a local, if nothing else goes there:
// else that is only put aside.
void ScalarFinder::steps() {
  std::map<StaticPlace, bool> fromItself;
  for (const StaticWrite *w : writes_)
    fromItself.try_emplace({w->variable, w->path}, true).first->second &=
        origins_.isFrom(w->value, placeOf(*w));
  for (const StaticWrite *w : writes_)
    if (fromItself[{w->variable, w->path}] ||
        origins_.isComputedFrom(w->value, placeOf(*w)))
      add(w->variable, w->path, Evidence::MovesOnInLoad, w->loc);
}

// items = n, by what nothing but the load runs: it is not set again.
void ScalarFinder::localCounts() {
  for (const StaticWrite *w : writes_)
    if (w->value != None && isChosen(*w) && s_.seesFile(w->function) &&
        !c_.phases.handled.contains(w->function))
      add(w->variable, w->path, Evidence::CountedByLoad, w->loc);
}

// known[day] = 1: which element it is says the file.
void ScalarFinder::placed() {
  for (const StaticWrite *w : writes_)
    if (isPlaced(w->address))
      add(w->variable, w->path, Evidence::PlacedByFile, w->loc);
  for (auto &[fn, call] : pt_.reached())
    for (Id i : c_.program.storesOf(fn))
      if (const StoreSite &store = f_.stores[i]; isPlaced(store.address))
        eachNumberWritten(store, [&](Id l, const std::vector<Id> &path) {
          add(placeAt(l).first, path, Evidence::PlacedByFile, store.loc);
        });
}

bool ScalarFinder::isPlaced(Id address) {
  for (unsigned steps = 0; steps < 16 && address != None; ++steps) {
    llvm::ArrayRef<Id> from = values_.definitions(address);
    if (from.size() != 1)
      return false;
    const Constraint &c = f_.constraints[from[0]];
    if (c.flow == Flow::Index && c.extra != None && isJudged({c.extra}))
      return true;
    if (c.flow != Flow::Index && c.flow != Flow::Copy)
      return false;
    address = c.src;
  }
  return false;
}

namespace nvmove {

void findScalars(ScalarFinder::Parts a) { ScalarFinder(a).run(); }

} // namespace nvmove
