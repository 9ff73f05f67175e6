//===- Merge.cpp - From translation units to a program --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Facts.h"
#include "passes/facts/MergeTables.h"
#include "passes/facts/References.h"
#include "passes/facts/TypeKeys.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace nvmove;

namespace {

class Merger {
public:
  explicit Merger(std::vector<Facts> parts) : parts_(std::move(parts)) {}
  Facts run();

private:
  struct Source {
    size_t part;
    const Definition *definition;
    std::tuple<bool, Id, Loc> place; ///< function before variable, owner, where
    std::vector<uint64_t> content;   ///< only where several have the same place
    std::vector<uint64_t> likeness;
  };

  Id renumbered(size_t part, Table table, Id id) const;
  template <class F>
  void renumber(F &fact, const Source &s, Id firstNode, Id firstLoop) const;
  std::vector<uint64_t> serialise(const Source &s, bool byLikeness) const;
  std::vector<Source> distinctDefinitions() const;
  void append(const Source &s);
  void describeFunctions();
  void join(const Definition &a, const Definition &b);
  void joinNodes(Id a, Id b, Id function, Loc loc);
  void appendGapsAndUnits();

  std::vector<Facts> parts_;
  std::vector<Renumbering> maps_;
  std::vector<Id> typeClass_, recordClass_;
  Facts out_;
};

Id Merger::renumbered(size_t part, Table table, Id id) const {
  if (id == None)
    return None;
  const Renumbering &m = maps_[part];
  switch (table) {
  case Table::File:
    return m.files[id];
  case Table::Type:
    return m.types[id];
  case Table::Record:
    return m.records[id];
  case Table::Field:
    return m.fields[id];
  case Table::Function:
    return m.functions[id];
  case Table::Node:
    return m.nodes[id];
  case Table::Loop:
    return None;
  }
  return None;
}

/// Nodes and loops of a definition are numbered from `firstNode` and
/// `firstLoop`.
template <class F>
void Merger::renumber(F &fact, const Source &s, Id firstNode,
                      Id firstLoop) const {
  forEachReference(fact, [&](Table table, Id &id) {
    if (id == None)
      return;
    if (table == Table::Loop)
      id = id - s.definition->loops.begin + firstLoop;
    else if (table == Table::Node && maps_[s.part].nodes[id] == None)
      id = id - s.definition->nodes.begin + firstNode;
    else
      id = renumbered(s.part, table, id);
  });
}

/// What a fact holds besides references; positions in the tables of one part
/// (Range) say nothing.
void putPlain(std::vector<uint64_t> &to, const std::string &text) {
  to.push_back(text.size());
  for (size_t i = 0; i < text.size(); i += 8) {
    uint64_t word = 0;
    for (size_t k = i; k < std::min(i + 8, text.size()); ++k)
      word = word << 8 | uint8_t(text[k]);
    to.push_back(word);
  }
}
void putPlain(std::vector<uint64_t> &, const Range &) {}
template <class T> void putPlain(std::vector<uint64_t> &to, const T &value) {
  if constexpr (Described<T>) {
    forEachMember(value, [&](auto &member) { putPlain(to, member); });
  } else if constexpr (isVector<T>) {
    to.push_back(value.size());
    for (const typename T::value_type &element : value)
      putPlain(to, element);
  } else if constexpr (isReferenceList<T>) {
    to.push_back(value.ids.size());
  } else if constexpr (!isReference<T>) {
    to.push_back(uint64_t(value));
  }
}

/// All that a definition says, in the numbering of the result. `byLikeness`
/// makes no difference between a record and its incomplete declaration.
std::vector<uint64_t> Merger::serialise(const Source &s,
                                        bool byLikeness) const {
  const Facts &part = parts_[s.part];
  std::vector<uint64_t> words;
  auto add = [&](const auto &fact) {
    // Numbers above 2^32 cannot be mistaken for entities of the program.
    forEachReference(fact, [&](Table table, Id id) {
      if (id == None) {
        words.push_back(None);
        return;
      }
      if (table == Table::Loop)
        words.push_back((uint64_t(1) << 32) + id - s.definition->loops.begin);
      else if (table == Table::Node && maps_[s.part].nodes[id] == None)
        words.push_back((uint64_t(1) << 32) + id - s.definition->nodes.begin);
      else {
        Id to = renumbered(s.part, table, id);
        if (byLikeness && table == Table::Type)
          to = typeClass_[to];
        if (byLikeness && table == Table::Record)
          to = recordClass_[to];
        words.push_back(to);
      }
    });
    putPlain(words, fact);
  };
  const Definition &d = *s.definition;
  add(d);
  for (Id i = d.nodes.begin; i < d.nodes.end; ++i)
    add(part.nodes[i]);
  forEachDefinitionList([&](auto list, auto range) {
    words.push_back((d.*range).end - (d.*range).begin);
    for (Id i = (d.*range).begin; i < (d.*range).end; ++i)
      add((part.*list)[i]);
  });
  return words;
}

std::vector<Merger::Source> Merger::distinctDefinitions() const {
  std::vector<Source> all;
  for (size_t p = 0; p < parts_.size(); ++p)
    for (const Definition &d : parts_[p].definitions) {
      bool variable = d.function == None;
      Id owner = variable ? renumbered(p, Table::Node, d.variable)
                          : renumbered(p, Table::Function, d.function);
      Loc loc{renumbered(p, Table::File, d.loc.file), d.loc.line, d.loc.column};
      all.push_back({p, &d, {variable, owner, loc}, {}, {}});
    }
  auto byPlace = [](const Source &a, const Source &b) {
    return a.place < b.place;
  };
  std::sort(all.begin(), all.end(), byPlace);
  std::vector<Source> kept;
  for (auto i = all.begin(); i != all.end();) {
    auto end = std::upper_bound(i, all.end(), *i, byPlace);
    if (end - i > 1) {
      for (auto k = i; k != end; ++k) {
        k->content = serialise(*k, false);
        k->likeness = serialise(*k, true);
      }
      std::sort(i, end, [](const Source &a, const Source &b) {
        return std::tie(a.likeness, a.content) <
               std::tie(b.likeness, b.content);
      });
      auto last = std::unique(i, end, [](const Source &a, const Source &b) {
        return a.likeness == b.likeness;
      });
      std::sort(i, last, [](const Source &a, const Source &b) {
        return a.content < b.content;
      });
      kept.insert(kept.end(), i, last);
    } else {
      kept.push_back(*i);
    }
    i = end;
  }
  return kept;
}

void Merger::append(const Source &s) {
  const Facts &part = parts_[s.part];
  Definition d = *s.definition;
  Id firstNode = out_.nodes.size(), firstLoop = out_.loops.size();
  renumber(d, s, firstNode, firstLoop);
  auto copy = [&](const auto &from, auto &to, Range &range) {
    Range r{Id(to.size()), Id(to.size() + (range.end - range.begin))};
    for (Id i = range.begin; i < range.end; ++i) {
      to.push_back(from[i]);
      renumber(to.back(), s, firstNode, firstLoop);
    }
    range = r;
  };
  copy(part.nodes, out_.nodes, d.nodes);
  forEachDefinitionList(
      [&](auto list, auto range) { copy(part.*list, out_.*list, d.*range); });
  out_.definitions.push_back(std::move(d));
}

void Merger::joinNodes(Id a, Id b, Id function, Loc loc) {
  if (a == None || b == None)
    return;
  auto constrain = [&](Flow flow, Id dst, Id src, Id extra = None) {
    out_.constraints.push_back({flow, dst, src, extra, function, loc});
  };
  Id type = out_.nodes[a].type;
  if (out_.types[type].kind != TypeKind::Record) {
    constrain(Flow::Copy, a, b);
    constrain(Flow::Copy, b, a);
    return;
  }
  Id address[2];
  for (int i = 0; i < 2; ++i) {
    Node n;
    n.function = function;
    n.loc = loc;
    auto pointer =
        std::find_if(out_.types.begin(), out_.types.end(), [&](const Type &t) {
          return t.kind == TypeKind::Pointer && t.inner == type;
        });
    n.type =
        pointer == out_.types.end() ? None : Id(pointer - out_.types.begin());
    address[i] = out_.nodes.size();
    out_.nodes.push_back(n);
    constrain(Flow::AddressOf, address[i], i ? b : a);
  }
  constrain(Flow::CopyMemory, address[0], address[1], type);
  constrain(Flow::CopyMemory, address[1], address[0], type);
}

void Merger::join(const Definition &a, const Definition &b) {
  for (size_t i = 0; i < std::min(a.params.size(), b.params.size()); ++i)
    joinNodes(a.params[i], b.params[i], a.function, b.loc);
  joinNodes(a.variadic, b.variadic, a.function, b.loc);
  joinNodes(a.result, b.result, a.function, b.loc);
}

void Merger::describeFunctions() {
  std::vector<const Definition *> first(out_.functions.size());
  for (const Definition &d : out_.definitions) {
    if (d.function == None)
      continue;
    Function &f = out_.functions[d.function];
    if (first[d.function]) {
      join(*first[d.function], d);
      f.isNoReturn &= d.isNoReturn | f.declaredNoReturn;
      continue;
    }
    first[d.function] = &d;
    f.params = d.params;
    f.variadic = d.variadic;
    f.result = d.result;
    f.loc = d.loc;
    f.bodyStart = d.bodyStart;
    f.lines = d.lines;
    f.isNoReturn |= d.isNoReturn;
  }
  for (const Function &f : out_.functions)
    out_.nodes[f.node].loc = f.loc;
}

void Merger::appendGapsAndUnits() {
  auto rank = [](const Gap &g) {
    return std::tie(g.kind, g.loc, g.function, g.what);
  };
  auto less = [&](const Gap &a, const Gap &b) { return rank(a) < rank(b); };
  std::set<Gap, decltype(less)> gaps(less);
  std::set<Id> units;
  for (size_t p = 0; p < parts_.size(); ++p) {
    const Facts &part = parts_[p];
    Id first = part.definitions.empty() ? 0 : part.definitions.back().gaps.end;
    for (Id i = first; i < part.gaps.size(); ++i) {
      Gap g = part.gaps[i];
      forEachReference(
          g, [&](Table table, Id &id) { id = renumbered(p, table, id); });
      gaps.insert(std::move(g));
    }
    for (Id u : part.units)
      units.insert(renumbered(p, Table::File, u));
  }
  out_.gaps.insert(out_.gaps.end(), gaps.begin(), gaps.end());
  out_.units.assign(units.begin(), units.end());
}

Facts Merger::run() {
  for (Facts &part : parts_)
    separateIncompleteRecords(part);
  joinCopiedRecords(parts_);
  nameIncompleteRecords(parts_);
  maps_ = mergeTables(parts_, out_);
  typeClass_ = typeClasses(out_);
  std::map<std::string, Id> tags;
  for (const Record &r : out_.records)
    recordClass_.push_back(tags.try_emplace(r.name, tags.size()).first->second);
  for (const Source &s : distinctDefinitions())
    append(s);
  describeFunctions();
  appendGapsAndUnits();
  return std::move(out_);
}

} // namespace

Facts nvmove::merge(std::vector<Facts> parts) {
  return Merger(std::move(parts)).run();
}
