//===- Programs.cpp - Which files make up the program that loads ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>
#include <utility>

using namespace llvm;

namespace nvmove {

/// What an object file of the unit needs: not what inline functions of headers
/// mention that nothing in the unit calls.
static std::vector<bool> referredTo(const Facts &facts) {
  std::map<Id, Id> functionAt; // by node
  for (Id i = 0; i < facts.functions.size(); ++i)
    functionAt[facts.functions[i].node] = i;
  std::multimap<Id, Id> mentions; // function -> function
  std::vector<bool> found(facts.functions.size());
  std::vector<Id> open;
  auto refer = [&](Id function) {
    if (!found[function]) {
      found[function] = true;
      open.push_back(function);
    }
  };
  auto mention = [&](Id by, Id function) {
    if (by == None)
      refer(function); // an initialiser
    else
      mentions.insert({by, function});
  };
  for (const Call &c : facts.calls)
    if (c.callee != None)
      mention(c.function, c.callee);
  for (const Constraint &c : facts.constraints)
    for (Id node : {c.src, c.dst})
      if (auto at = functionAt.find(node); at != functionAt.end())
        mention(c.function, at->second);
  for (Id i = 0; i < facts.functions.size(); ++i)
    if (const Function &f = facts.functions[i];
        f.isConstructor || (f.hasBody && !f.isStatic))
      refer(i);
  while (!open.empty()) {
    auto [first, last] = mentions.equal_range(open.back());
    open.pop_back();
    for (auto at = first; at != last; ++at)
      refer(at->second);
  }
  return found;
}

/// "struct tag" of a variable that is one, or an array of them; else "".
static StringRef tagOf(const Facts &facts, Id type) {
  while (type != None && facts.types[type].kind == TypeKind::Array)
    type = facts.types[type].inner;
  if (type == None || facts.types[type].kind != TypeKind::Record)
    return "";
  StringRef spelling = facts.records[facts.types[type].inner].spelling;
  return spelling.contains(' ') ? spelling : ""; // a typedef has other names
}

Symbols symbolsOf(const Facts &facts) {
  Symbols result;
  const std::vector<bool> isNeeded = referredTo(facts);
  for (Id i = 0; i < facts.functions.size(); ++i) {
    const Function &f = facts.functions[i];
    if (f.hasBody)
      result.functions.push_back(f.name);
    if (f.isStatic || (!f.hasBody && !isNeeded[i]))
      continue;
    (f.hasBody ? result.defined : result.needed).push_back(f.key);
    if (f.hasBody && f.name == "main")
      result.hasMain = true;
  }
  // A variable that is known to be mentioned, and only in such functions.
  std::set<Id> mentioned, needed;
  auto mention = [&](Id by, Id node) {
    if (node == None || facts.nodes[node].kind != NodeKind::Global)
      return;
    mentioned.insert(node);
    if (by == None || isNeeded[by])
      needed.insert(node);
  };
  for (const Constraint &c : facts.constraints)
    for (Id node : {c.src, c.dst})
      mention(c.function, node);
  for (const StaticWrite &w : facts.staticWrites)
    mention(w.function, w.variable);
  for (Id i = 0; i < facts.nodes.size(); ++i)
    if (const Node &n = facts.nodes[i];
        n.kind == NodeKind::Global && !n.isStatic && !n.isFunctionScope &&
        (n.isDefined || !mentioned.count(i) || needed.count(i))) {
      (n.isDefined ? result.defined : result.needed).push_back(n.key);
      if (StringRef tag = tagOf(facts, n.type); !tag.empty())
        result.tagged.push_back(n.key + " " + tag.str());
    }
  return result;
}

namespace {

using UnitSet = std::vector<bool>;

class Linker {
public:
  explicit Linker(ArrayRef<Symbols> units) : units(units), tags(units.size()) {
    for (size_t i = 0; i < units.size(); ++i) {
      for (StringRef name : units[i].defined)
        definers[name].push_back(i);
      for (StringRef tagged : units[i].tagged)
        tags[i].insert(tagged.split(' '));
    }
  }

  /// Everything that `start` needs. A unit with a main() of its own is never
  /// drawn in, nor one that needs such a unit: neither could be linked. Of the
  /// units that define a name, one that is in anyhow is enough.
  UnitSet closure(size_t start) const {
    UnitSet barred = unlinkableWith(start);
    UnitSet in(units.size());
    std::vector<size_t> open{start};
    in[start] = true;
    auto add = [&](size_t unit) {
      if (!in[unit]) {
        in[unit] = true;
        open.push_back(unit);
      }
    };
    std::vector<StringRef> choices;
    while (!open.empty() || !choices.empty()) {
      if (open.empty()) {
        // What only a choice can fill: all that may be chosen.
        for (StringRef name : std::exchange(choices, {}))
          if (std::vector<size_t> d = definersOf(name, barred);
              none_of(d, [&](size_t unit) { return in[unit]; }))
            for_each(d, add);
        continue;
      }
      size_t unit = open.back();
      open.pop_back();
      for (StringRef name : units[unit].needed) {
        std::vector<size_t> d = definersOf(name, barred);
        if (d.size() > 1)
          keepThoseOfType(d, unit, name);
        if (d.size() == 1)
          add(d.front());
        else if (d.size() > 1)
          choices.push_back(name);
      }
    }
    return in;
  }

  /// Units that define a name which one of `users` lacks.
  UnitSet neededBy(const UnitSet &users) const {
    UnitSet result(units.size()), none(units.size());
    for (size_t i = 0; i < units.size(); ++i)
      if (users[i])
        for (StringRef name : units[i].needed)
          for (size_t unit : definersOf(name, none))
            result[unit] = true;
    return result;
  }

private:
  /// Of several units that define `name` those in which it is of the type that
  /// `user` declares, if there are such.
  void keepThoseOfType(std::vector<size_t> &candidates, size_t user,
                       StringRef name) const {
    StringRef wanted = tags[user].lookup(name);
    auto isOther = [&](size_t unit) {
      StringRef tag = tags[unit].lookup(name);
      return !wanted.empty() && !tag.empty() && tag != wanted;
    };
    if (!all_of(candidates, isOther))
      erase_if(candidates, isOther);
  }

  std::vector<size_t> definersOf(StringRef name, const UnitSet &barred) const {
    std::vector<size_t> result;
    if (auto found = definers.find(name); found != definers.end())
      copy_if(found->second, std::back_inserter(result),
              [&](size_t unit) { return !barred[unit]; });
    return result;
  }

  /// Units that no program with the main() of `start` can hold: other mains,
  /// and what needs a name that these alone define. If that is true of `start`
  /// too, some file is missing, and only the mains are known.
  UnitSet unlinkableWith(size_t start) const {
    UnitSet mains(units.size());
    for (size_t i = 0; i < units.size(); ++i)
      mains[i] = i != start && units[i].hasMain;
    if (!units[start].hasMain)
      return mains;
    UnitSet barred = mains;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < units.size(); ++i)
        if (!barred[i] && any_of(units[i].needed, [&](StringRef name) {
              return definers.contains(name) &&
                     definersOf(name, barred).empty();
            }))
          barred[i] = changed = true;
    }
    return barred[start] ? mains : barred;
  }

  ArrayRef<Symbols> units;
  std::vector<StringMap<StringRef>> tags; ///< by unit, of its variables
  StringMap<std::vector<size_t>> definers;
};

bool meet(const UnitSet &a, const UnitSet &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i])
      return true;
  return false;
}

void unite(UnitSet &into, const UnitSet &other) {
  for (size_t i = 0; i < into.size(); ++i)
    into[i] = into[i] || other[i];
}

} // namespace

ProgramChoice chooseProgram(ArrayRef<Symbols> units,
                            ArrayRef<std::string> load) {
  Linker linker(units);
  UnitSet loading(units.size());
  for (size_t i = 0; i < units.size(); ++i)
    loading[i] = any_of(units[i].functions, [&](const std::string &f) {
      return is_contained(load, f);
    });

  ProgramChoice result;
  UnitSet keep(units.size()), elsewhere(units.size());
  std::vector<std::pair<size_t, UnitSet>> rest;
  /// What the load itself draws in. A program that it is part of knows better
  /// which of several definitions it takes.
  auto addLoads = [&] {
    for (size_t i = 0; i < units.size(); ++i)
      if (loading[i] && !keep[i])
        unite(keep, linker.closure(i));
  };
  auto add = [&](const UnitSet &wanted) {
    UnitSet chosen(units.size());
    for (size_t i = 0; i < units.size(); ++i) {
      if (!units[i].hasMain)
        continue;
      UnitSet program = linker.closure(i);
      unite(elsewhere, program);
      if (!meet(program, wanted)) {
        rest.push_back({i, std::move(program)});
        continue;
      }
      unite(chosen, program);
      result.mains.push_back(i);
    }
    unite(keep, chosen);
  };
  add(loading);
  addLoads();
  if (result.mains.empty()) {
    rest.clear();
    // The load is in a plug-in: who has what it needs?
    add(linker.neededBy(keep));
    result.isPlugIn = !result.mains.empty();
  }
  bool anyLoad = is_contained(loading, true);
  for (size_t i = 0; i < units.size(); ++i)
    if (anyLoad && !result.mains.empty() && elsewhere[i] && !keep[i])
      result.others.push_back(i);
    else {
      result.units.push_back(i);
      if (!result.mains.empty() && !keep[i])
        result.unneeded.push_back(i);
    }
  for (const auto &[main, program] : rest) {
    std::vector<size_t> shared;
    for (size_t i = 0; i < units.size(); ++i)
      if (keep[i] && program[i])
        shared.push_back(i);
    if (!shared.empty())
      result.sharing.push_back({main, std::move(shared)});
  }
  return result;
}

} // namespace nvmove
