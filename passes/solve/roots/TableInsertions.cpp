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
  for (Id i = 0; i < f_.staticWrites.size(); ++i)
    writes_[f_.staticWrites[i].function].push_back(i);
  for (const Constraint &c : f_.constraints)
    if (c.flow == Flow::Store && c.function != None && c.src != None)
      see(c);
}

/// What lies at an address.
std::optional<TableInsertions::Place> TableInsertions::at(Id address) const {
  const AccessPath path(p_, address, AccessPath::Members);
  Place place{path.base, !path.isAddress, path.members()};
  if (f_.nodes[place.variable].kind != NodeKind::Global &&
      (!place.isBehind || f_.nodes[place.variable].kind != NodeKind::Local))
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
  fill.ofRecords = ofRecords;
  if (steps(fill)) {
    findBeside(fill);
    follow(fill, /*depth=*/0);
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
  for (Id i : writesOf(fill.function))
    for (Id k : p_.constraintsOf(fill.function))
      if (const Constraint &c = f_.constraints[k]; c.flow == Flow::Index)
        see(c.dst,
            Place{f_.staticWrites[i].variable, false, f_.staticWrites[i].path});
}

/// The function counts there.
bool TableInsertions::steps(Fill &fill) const {
  for (Id i : writesOf(fill.function)) {
    const StaticWrite &w = f_.staticWrites[i];
    if (!fill.count.isBehind && w.variable == fill.count.variable &&
        w.path == fill.count.path && w.value != None &&
        (w.readModifyWrite || readFrom(w.value) == fill.count)) {
      fill.loop = w.loop;
      return true;
    }
  }
  return llvm::any_of(p_.storesOf(fill.function), [&](Id i) {
    const StoreSite &s = f_.stores[i];
    return s.readModifyWrite && s.address != None &&
           at(s.address) == fill.count;
  });
}

const std::vector<Id> &TableInsertions::writesOf(Id function) const {
  static const std::vector<Id> nothing;
  auto at = writes_.find(function);
  return at == writes_.end() ? nothing : at->second;
}

/// Up to the callers that hand a helper what it fills, or with what.
void TableInsertions::follow(const Fill &fill, unsigned depth) {
  std::optional<unsigned> table = parameter(fill.table, fill.function),
                          count = parameter(fill.count, fill.function),
                          value = parameter({p_.origin(fill.value), true, {}},
                                            fill.function);
  if (!table && !count) {
    if (f_.nodes[fill.table.variable].kind == NodeKind::Global &&
        f_.nodes[fill.count.variable].kind == NodeKind::Global &&
        isOfLoad(fill.value))
      tables_[fill.table].push_back(fill);
    return;
  }
  for (Id k : p_.callersOf(fill.function)) {
    const Call &c = f_.calls[k];
    Fill up = fill;
    llvm::erase_if(up.beside, [&](Place &other) {
      return !handed(c, parameter(other, fill.function), other);
    });
    if (depth >= 3 || c.function == None || !handed(c, table, up.table) ||
        !handed(c, count, up.count) || pt_.reached().contains(c.function) ||
        (value && (*value >= c.args.size() || c.args[*value] == None)))
      continue;
    if (value)
      up.value = c.args[*value];
    up.function = c.function;
    up.loc = c.loc;
    up.loop = c.loop;
    up.call = k;
    follow(up, depth + 1);
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

bool TableInsertions::isOfLoad(Id value) const {
  Id record = p_.pointeeRecord(f_.nodes[p_.origin(value)].type);
  return record != None && parts_.contains(record) && c_.mayBeOfLoad(value);
}
