//===- TableInsertions.cpp - Where tables get loaded objects --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/roots/HandlerFilledTables-filled_tables.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/TableInsertions.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

TableInsertions::TableInsertions(const SolveContext &context,
                                 const PersistentParts &parts)
    : c_(context), p_(context.program), f_(p_.facts), pt_(context.pointsTo),
      parts_(parts) {
  for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
    for (const StaticWrite &w : *writes)
      writes_[w.function].push_back(&w);
  for (const Constraint &c : f_.constraints)
    if (c.flow == Flow::Store && c.function != None && c.src != None)
      see(c);
}

/// What lies at an address.
std::optional<TableInsertions::Place> TableInsertions::at(Id address) const {
  const AccessPath path(p_, address, AccessPath::Members);
  Place place{path.base, !path.isAddress, path.members()};
  NodeKind kind = f_.nodes[place.variable].kind;
  if (kind != NodeKind::Global && kind != NodeKind::Local)
    return std::nullopt;
  return place;
}

std::optional<TableInsertions::Place>
TableInsertions::readFrom(Id value) const {
  Program::Read read = p_.readFrom(value);
  if (read.variable != None)
    return Place{read.variable, false, {}};
  return read.address == None ? std::nullopt : at(read.address);
}

/// table[count] = value
void TableInsertions::see(const Constraint &c) {
  bool ofRecords = false;
  const Constraint *index = indexAt(c.dst, &ofRecords);
  if (!index || pt_.reached().contains(c.function) ||
      !p_.isPointer(f_.nodes[c.src].type))
    return;
  std::optional<Place> table = arrayAt(*index), count = readFrom(index->extra);
  if (!table || !count || *table == *count)
    return;
  Fill fill{*table, *count, c.src, c.function, c.loc};
  fill.holder = c.function;
  fill.ofRecords = ofRecords;
  if (steps(fill)) {
    findBeside(fill);
    seen_.clear();
    follow(fill);
  }
}

/// An element of an array, or a member of one.
const Constraint *TableInsertions::indexAt(Id address, bool *isMember) const {
  AccessPath path(p_, address);
  for (; path.ends(Flow::Member); path.steps.pop_back())
    *isMember = true;
  return path.ends(Flow::Index) && path.steps.back()->extra != None
             ? path.steps.back()
             : nullptr;
}

/// What is indexed: an array, or a pointer to one; not one handed over.
std::optional<TableInsertions::Place>
TableInsertions::arrayAt(const Constraint &index) const {
  std::optional<Place> table = readFrom(index.src);
  if (!table)
    table = at(index.src);
  if (table && table->isBehind && table->path.empty())
    return std::nullopt;
  return table;
}

/// owners[count] = owner; next to the table.
void TableInsertions::findBeside(Fill &fill) const {
  auto see = [&](Id address, std::optional<Place> written) {
    bool isMember = false;
    const Constraint *index = indexAt(address, &isMember);
    std::optional<Place> array = index ? arrayAt(*index) : std::nullopt;
    if (array && *array != fill.table && readFrom(index->extra) == fill.count &&
        (!written ||
         (written->variable == array->variable &&
          llvm::ArrayRef(written->path).take_front(array->path.size()) ==
              llvm::ArrayRef(array->path))) &&
        !llvm::is_contained(fill.beside, *array))
      fill.beside.push_back(*array);
  };
  for (Id i : p_.storesOf(fill.function))
    if (f_.stores[i].address != None)
      see(f_.stores[i].address, std::nullopt);
  for (const StaticWrite *w : writesOf(fill.function))
    for (Id k : p_.constraintsOf(fill.function))
      if (const Constraint &c = f_.constraints[k]; c.flow == Flow::Index)
        see(c.dst, Place{w->variable, false, w->path});
}

/// The function counts there.
bool TableInsertions::steps(Fill &fill) const {
  for (const StaticWrite *w : writesOf(fill.function))
    if (!fill.count.isBehind && w->variable == fill.count.variable &&
        w->path == fill.count.path && w->value != None &&
        (w->readModifyWrite || readFrom(w->value) == fill.count)) {
      fill.loop = w->loop;
      return true;
    }
  return llvm::any_of(p_.storesOf(fill.function), [&](Id i) {
    const StoreSite &s = f_.stores[i];
    return s.readModifyWrite && s.address != None &&
           at(s.address) == fill.count;
  });
}

llvm::ArrayRef<const StaticWrite *>
TableInsertions::writesOf(Id function) const {
  auto at = writes_.find(function);
  if (at == writes_.end())
    return {};
  return at->second;
}

/// For as long as the program runs; whether a local of main can be kept, the
/// caller decides.
bool TableInsertions::lasts(const Place &place) const {
  const Node &n = f_.nodes[place.variable];
  return n.kind == NodeKind::Global ||
         (!place.isBehind && llvm::is_contained(c_.loop.mains, n.function));
}

/// Up to the callers that hand a helper what it fills, or with what.
void TableInsertions::follow(const Fill &fill) {
  std::optional<unsigned> table = parameter(fill.table, fill.holder),
                          count = parameter(fill.count, fill.holder),
                          value = parameter({p_.origin(fill.value), true, {}},
                                            fill.holder);
  if (!table && !count) {
    if (lasts(fill.table) && lasts(fill.count) && isPersistent(fill.value))
      tables_[fill.table].push_back(fill);
    return;
  }
  bool isHandled = c_.phases.isHandled(fill.function, fill.loop);
  for (Id k : p_.callersOf(fill.holder)) {
    const Call &c = f_.calls[k];
    Fill up = fill;
    llvm::erase_if(up.beside, [&](Place &other) {
      return !handed(c, parameter(other, fill.holder), other);
    });
    if (c.function == None || !handed(c, table, up.table) ||
        !handed(c, count, up.count) || pt_.reached().contains(c.function) ||
        (value && (*value >= c.args.size() || c.args[*value] == None)))
      continue;
    if (value)
      up.value = c.args[*value];
    up.holder = c.function;
    if (!isHandled || !c_.phases.leadsToLoop(fill.holder)) {
      up.function = c.function;
      up.loc = c.loc;
      up.loop = c.loop;
      up.call = k;
    }
    if (seen_.insert({k, up.table, up.loc}).second)
      follow(up);
  }
}

std::optional<unsigned> TableInsertions::parameter(const Place &place,
                                                   Id function) const {
  const std::vector<Id> &all = f_.functions[function].params;
  auto found = llvm::find(all, place.variable);
  if (!place.isBehind || found == all.end())
    return std::nullopt;
  return found - all.begin();
}

bool TableInsertions::handed(const Call &c, std::optional<unsigned> parameter,
                             Place &place) const {
  if (!parameter)
    return true;
  if (*parameter >= c.args.size() || c.args[*parameter] == None)
    return false;
  std::optional<Place> outer = at(c.args[*parameter]);
  if (!outer)
    return false;
  llvm::append_range(outer->path, place.path);
  place = *outer;
  return true;
}

/// The load makes it, or a handler a block of a type that the load makes, too:
/// that lies in the pool as well.
bool TableInsertions::isPersistent(Id value) const {
  Id record = p_.pointeeRecord(f_.nodes[p_.origin(value)].type);
  if (record == None || !parts_.contains(record))
    return false;
  if (c_.mayBeOfLoad(value))
    return true;
  for (unsigned t : c_.flow.atNode(value))
    if (const FieldFlow::Token &token = c_.flow.tokens()[t];
        token.kind == FieldFlow::Token::Site &&
        llvm::any_of(c_.allocators.sites()[token.ref].records,
                     [&](Id r) { return parts_.contains(r); }))
      return true;
  return false;
}
