//===- IncompleteRecords.cpp - Which definition a file means --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct table;  void put(struct table *, int);        /* in a header */
//
// Where two files of a program each define a struct table of their own, the
// files that know it by this declaration alone mean the one that the functions
// take which they call, and the variables are which they use.
//
//   struct set { struct table *table; };                 /* in a header */
//
// What each of those that define one takes for its own may be any of them: it
// is left open, and leads to all of them (Program::casts_).
//
//===----------------------------------------------------------------------===//

#include "passes/facts/References.h"
#include "passes/facts/TypeKeys.h"
#include <algorithm>
#include <map>
#include <set>

using namespace nvmove;

namespace {

class IncompleteRecords {
public:
  explicit IncompleteRecords(std::vector<Facts> &parts) : parts_(parts) {}

  void run() {
    std::map<std::string, std::set<std::string>> defined; // keys, by name
    for (const Facts &part : parts_)
      for (const Record &r : part.records)
        if (r.complete && r.key.starts_with(r.name + "@"))
          defined[r.name].insert(r.key);
    for (auto &[name, keys] : defined)
      if (keys.size() > 1)
        names_.insert(name);
    if (names_.empty())
      return;
    // Of files that know it from others that know it by these.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Facts &part : parts_)
        eachTaken(part, [&](const Place &place, Id, Id record) {
          if (record != None && !isOpen(part.records[record]))
            taken_[place].insert(part.records[record].key);
        });
      for (Facts &part : parts_)
        changed |= name(part);
    }
    settleFields();
  }

private:
  static bool isOpen(const Record &r) {
    return !r.complete && r.key == r.name + "@";
  }

  /// Of those in question, what a pointer, or an array of pointers, leads to.
  Id recordOf(const Facts &part, Id type) const {
    while (type != None && (part.types[type].kind == TypeKind::Pointer ||
                            part.types[type].kind == TypeKind::Array))
      type = part.types[type].inner;
    return type != None && part.types[type].kind == TypeKind::Record &&
                   names_.count(part.records[part.types[type].inner].name)
               ? part.types[type].inner
               : None;
  }
  Id recordAt(const Facts &part, Id node) const {
    return node == None ? None : recordOf(part, part.nodes[node].type);
  }

  using Place = std::pair<std::string, size_t>; ///< of a function; 0: variable
  static constexpr size_t Result = ~size_t(0);

  /// Calls `see(place, file, record)` with what the part declares itself.
  template <class See> void eachTaken(const Facts &part, See see) const {
    for (const Definition &d : part.definitions) {
      if (d.function == None)
        continue;
      const std::string &key = part.functions[d.function].key;
      for (size_t i = 0; i < d.params.size(); ++i)
        see({key, i + 1}, d.loc.file, recordAt(part, d.params[i]));
      see({key, Result}, d.loc.file, recordAt(part, d.result));
    }
    for (const Node &n : part.nodes)
      if (n.kind == NodeKind::Global)
        see({n.key, 0}, n.loc.file, recordOf(part, n.type));
  }

  /// A file of a part, and an open record as it knows it. A part may have been
  /// merged of several files, each with its own.
  using Use = std::pair<Id, Id>;

  bool name(Facts &part) const {
    std::map<Use, std::set<std::string>> meant; // keys
    auto see = [&](const Place &place, Id file, Id record) {
      if (record == None || !isOpen(part.records[record]))
        return;
      if (auto at = taken_.find(place); at != taken_.end())
        for (const std::string &key : at->second)
          if (key.starts_with(part.records[record].key))
            meant[{file, record}].insert(key);
    };
    eachTaken(part, see);
    for (const Definition &d : part.definitions) {
      for (Id i = d.calls.begin; i < d.calls.end; ++i) {
        const Call &c = part.calls[i];
        if (c.callee == None)
          continue;
        const std::string &key = part.functions[c.callee].key;
        for (size_t k = 0; k < c.args.size(); ++k)
          see({key, k + 1}, d.loc.file, recordAt(part, c.args[k]));
        see({key, Result}, d.loc.file, recordAt(part, c.result));
      }
      // A field, declared in a header: as those mean it who use it.
      for (Id i = d.constraints.begin; i < d.constraints.end; ++i) {
        const Constraint &c = part.constraints[i];
        if (c.flow != Flow::Member)
          continue;
        const Field &field = part.fields[c.extra];
        Id record = recordOf(part, field.type), as = recordAt(part, c.dst);
        if (record != None && as != None && isOpen(part.records[record]) &&
            !isOpen(part.records[as]))
          meant[{part.records[field.record].loc.file, record}].insert(
              part.records[as].key);
      }
    }
    bool any = false;
    for (auto &[use, keys] : meant)
      if (keys.size() == 1 && use.first != None) {
        retarget(part, use, *keys.begin());
        any = true;
      }
    return any;
  }

  /// The type with one record in place of another, of which it is left open how
  /// large it is: further files may say that another is meant.
  static Id replaced(Facts &part, Id type, Id from, Id to) {
    if (type == None)
      return None;
    Type t = part.types[type];
    if (t.kind != TypeKind::Record) {
      t.inner = replaced(part, t.inner, from, to);
    } else if (t.inner == from) {
      t.inner = to;
      t.size_bytes = 0;
    }
    if (t.inner == part.types[type].inner &&
        t.size_bytes == part.types[type].size_bytes)
      return type;
    part.types.push_back(t);
    return part.types.size() - 1;
  }

  /// The record of a part with the key, if need be as a copy of `like`.
  static Id recordWith(Facts &part, const std::string &key, Record like) {
    for (Id r = 0; r < part.records.size(); ++r)
      if (part.records[r].key == key)
        return r;
    like.key = key;
    part.records.push_back(std::move(like));
    return part.records.size() - 1;
  }

  /// The fields that lead to records in question mean what those take them for
  /// who use them; the files that include their header just to have it do not.
  void settleFields() {
    std::map<Place, std::set<std::string>> meant; // keys, by record and number
    for (const Facts &part : parts_)
      for (const Constraint &c : part.constraints) {
        if (c.flow != Flow::Member)
          continue;
        Id as = recordAt(part, c.dst);
        if (as != None && !isOpen(part.records[as]))
          meant[placeOf(part, c.extra)].insert(part.records[as].key);
      }
    for (Facts &part : parts_)
      for (Id f = 0; f < part.fields.size(); ++f) {
        Id record = recordOf(part, part.fields[f].type);
        if (record == None || !isPointer(part, part.fields[f].type))
          continue;
        const std::set<std::string> &keys = meant[placeOf(part, f)];
        Record declared;
        declared.name = part.records[record].name;
        declared.spelling = part.records[record].spelling;
        declared.isUnion = part.records[record].isUnion;
        std::string key =
            keys.size() == 1 ? *keys.begin() : declared.name + "@";
        part.fields[f].type =
            replaced(part, part.fields[f].type, record,
                     recordWith(part, key, std::move(declared)));
      }
  }

  static bool isPointer(const Facts &part, Id type) {
    while (part.types[type].kind == TypeKind::Array)
      type = part.types[type].inner;
    return part.types[type].kind == TypeKind::Pointer;
  }

  static Place placeOf(const Facts &part, Id field) {
    const Record &r = part.records[part.fields[field].record];
    auto at = std::find(r.fields.begin(), r.fields.end(), field);
    return {r.key, size_t(at - r.fields.begin())};
  }

  /// In what the file declares and defines, the record is the one with the key.
  static void retarget(Facts &part, Use use, const std::string &key) {
    auto [file, open] = use;
    Id record = recordWith(part, key, part.records[open]);
    std::map<Id, Id> types;
    auto typeOf = [&](Id type) {
      auto [at, fresh] = types.try_emplace(type, type);
      if (fresh)
        at->second = replaced(part, type, open, record);
      return at->second;
    };
    auto change = [&](Table table, Id &id) {
      if (table == Table::Type)
        id = typeOf(id);
      else if (table == Table::Record && id == open)
        id = record;
    };
    for (Definition &d : part.definitions) {
      if (d.loc.file != file)
        continue;
      forEachReference(d, change);
      for (Id i = d.nodes.begin; i < d.nodes.end; ++i)
        forEachReference(part.nodes[i], change);
      forEachDefinitionList([&](auto list, auto range) {
        for (Id i = (d.*range).begin; i < (d.*range).end; ++i)
          forEachReference((part.*list)[i], change);
      });
    }
    for (Node &n : part.nodes)
      if (n.kind == NodeKind::Global && n.loc.file == file)
        forEachReference(n, change);
    for (size_t r = 0; r < part.records.size(); ++r)
      if (part.records[r].loc.file == file)
        for (Id field : part.records[r].fields)
          part.fields[field].type = typeOf(part.fields[field].type);
  }

  std::vector<Facts> &parts_;
  std::set<std::string> names_; ///< of records that several files define
  std::map<Place, std::set<std::string>> taken_; ///< keys of their definitions
};

} // namespace

void nvmove::nameIncompleteRecords(std::vector<Facts> &parts) {
  IncompleteRecords(parts).run();
}
