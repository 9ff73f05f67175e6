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
//===----------------------------------------------------------------------===//

#include "passes/facts/TypeKeys.h"
#include <map>
#include <set>

using namespace nvmove;

namespace {

class IncompleteRecords {
public:
  explicit IncompleteRecords(std::vector<Facts> &parts) : parts_(parts) {}

  void run() {
    std::map<std::string, std::set<std::string>> defined; // keys, by name
    std::set<std::string> declared;                       // names
    for (const Facts &part : parts_)
      for (const Record &r : part.records)
        if (r.complete && r.key.starts_with(r.name + "@"))
          defined[r.name].insert(r.key);
        else if (!r.complete && r.key == r.name + "@")
          declared.insert(r.name);
    for (auto &[name, keys] : defined)
      if (keys.size() > 1 && declared.count(name))
        names_.insert(name);
    // Of files that know it from others that know it by these.
    for (bool changed = !names_.empty(); changed;) {
      changed = false;
      findTaken();
      for (Facts &part : parts_)
        changed |= name(part);
    }
  }

private:
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

  static bool isOpen(const Record &r) {
    return !r.complete && r.key == r.name + "@";
  }

  using Place = std::pair<std::string, size_t>; ///< of a function; 0: variable
  static constexpr size_t Result = ~size_t(0);

  /// Calls `see` with what the part says of places by itself.
  template <class See> void eachTaken(const Facts &part, See see) const {
    for (const Definition &d : part.definitions) {
      if (d.function == None)
        continue;
      const std::string &key = part.functions[d.function].key;
      for (size_t i = 0; i < d.params.size(); ++i)
        see(Place{key, i + 1}, recordAt(part, d.params[i]));
      see(Place{key, Result}, recordAt(part, d.result));
    }
    for (const Node &n : part.nodes)
      if (n.kind == NodeKind::Global)
        see(Place{n.key, 0}, recordOf(part, n.type));
  }

  void findTaken() {
    for (const Facts &part : parts_)
      eachTaken(part, [&](Place place, Id record) {
        if (record != None && !isOpen(part.records[record]))
          taken_[place].insert(part.records[record].key);
      });
  }

  bool name(Facts &part) const {
    std::map<Id, std::set<std::string>> meant; // keys, by open record
    auto see = [&](Place place, Id record) {
      if (record == None || !isOpen(part.records[record]))
        return;
      if (auto at = taken_.find(place); at != taken_.end())
        for (const std::string &key : at->second)
          if (key.starts_with(part.records[record].key))
            meant[record].insert(key);
    };
    eachTaken(part, see);
    for (const Call &c : part.calls) {
      if (c.callee == None)
        continue;
      const std::string &key = part.functions[c.callee].key;
      for (size_t i = 0; i < c.args.size(); ++i)
        see(Place{key, i + 1}, recordAt(part, c.args[i]));
      see(Place{key, Result}, recordAt(part, c.result));
    }
    bool any = false;
    for (auto &[record, keys] : meant)
      if (keys.size() == 1) {
        part.records[record].key = *keys.begin();
        any = true;
      }
    return any;
  }

  std::vector<Facts> &parts_;
  std::set<std::string> names_; ///< of records that several files define
  std::map<Place, std::set<std::string>> taken_; ///< keys of their definitions
};

} // namespace

void nvmove::nameIncompleteRecords(std::vector<Facts> &parts) {
  IncompleteRecords(parts).run();
}
