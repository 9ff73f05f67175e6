//===- MergeTables.cpp - The entities of a program ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/MergeTables.h"
#include "passes/facts/References.h"
#include "passes/facts/TypeKeys.h"
#include <algorithm>
#include <functional>
#include <tuple>

using namespace nvmove;

namespace {

/// Position that sorts alike whatever the numbering of files.
using Place = std::tuple<std::string, uint32_t, uint32_t>;
Place placeOf(const Facts &facts, Loc loc) {
  return {loc.file == None ? std::string() : facts.files[loc.file].path,
          loc.line, loc.column};
}

struct MergedField {
  std::string name;
  std::string typeKey, cellRecord, cellField;
  uint64_t offset_bits;
  uint32_t width_bits;
  bool flexible;
  auto operator<=>(const MergedField &) const = default;
};

/// What knows the record behind a pointer comes first.
bool isBetter(const MergedField &a, const MergedField &b) {
  auto isIncomplete = [](const MergedField &f) {
    return f.typeKey.find("}:0") != std::string::npos;
  };
  return std::make_pair(isIncomplete(a), std::cref(a)) <
         std::make_pair(isIncomplete(b), std::cref(b));
}

struct MergedRecord {
  Record description; ///< without fields; loc not renumbered yet
  Place place;
  std::vector<std::pair<std::string, MergedField>> fields;
};

struct MergedNode {
  Node description;
  Place place;
  std::string typeKey;
  std::string
      functionKey; ///< of the enclosing function, for a static inside it
  std::string definedIn;
};

struct MergedFunction {
  Function description;
  Place place;
};

/// Fields without a name are told apart by their order.
std::vector<std::string> fieldKeys(const Facts &facts, const Record &r) {
  std::vector<std::string> keys;
  unsigned unnamed = 0;
  for (Id f : r.fields)
    keys.push_back(facts.fields[f].name.empty()
                       ? "#" + std::to_string(unnamed++)
                       : facts.fields[f].name);
  return keys;
}

class Tables {
public:
  Tables(const std::vector<Facts> &parts, Facts &out)
      : parts_(parts), out_(out) {}
  std::vector<Renumbering> run();

private:
  void collect(const Facts &part);
  void collectRecords(const Facts &part, const TypeKeys &types);
  void collectNodes(const Facts &part, const TypeKeys &types);
  void collectFunctions(const Facts &part);
  void joinIncomplete();
  void emitRecords();
  void emitTypes();
  void emitNodesAndFunctions();
  Renumbering renumber(const Facts &part) const;
  Loc locAt(const Place &p) const;

  static std::string nodeKey(const Node &n) {
    return (n.kind == NodeKind::Function ? "F" : "G") + n.key;
  }
  const std::string &joined(const std::string &recordKey) const {
    auto i = join_.find(recordKey);
    return i == join_.end() ? recordKey : i->second;
  }

  const std::vector<Facts> &parts_;
  Facts &out_;
  std::map<std::string, File> files_;
  struct TypeParts {
    Type type;
    std::string inner;
  };
  std::map<std::string, TypeParts> types_;
  std::map<std::string, MergedRecord> records_;
  std::map<std::string, MergedNode> nodes_;
  std::map<std::string, MergedFunction> functions_;
  std::map<std::string, std::string>
      join_; ///< incomplete record -> its only definition
  std::map<std::string, Id> fileIds_, typeIds_, recordIds_, nodeIds_,
      functionIds_;
  std::map<std::pair<std::string, std::string>, Id> fieldIds_;
  std::vector<TypeKeys> typeKeys_;
};

static void addAliases(std::vector<std::string> &aliases,
                       const std::vector<std::string> &more) {
  aliases.insert(aliases.end(), more.begin(), more.end());
  std::sort(aliases.begin(), aliases.end());
  aliases.erase(std::unique(aliases.begin(), aliases.end()), aliases.end());
}

void Tables::collectRecords(const Facts &part, const TypeKeys &types) {
  // Where a field's cell lies may be another record (anonymous inside a union).
  std::vector<std::string> nameOfField(part.fields.size());
  for (const Record &r : part.records) {
    std::vector<std::string> keys = fieldKeys(part, r);
    for (size_t i = 0; i < keys.size(); ++i)
      nameOfField[r.fields[i]] = keys[i];
  }
  for (const Record &r : part.records) {
    MergedRecord m{r, placeOf(part, r.loc), {}};
    for (Id f : r.fields) {
      const Field &d = part.fields[f];
      m.fields.push_back(
          {nameOfField[f],
           {d.name, types[d.type], part.records[part.fields[d.cell].record].key,
            nameOfField[d.cell], d.offset_bits, d.width_bits, d.flexible}});
    }
    auto [at, fresh] = records_.try_emplace(r.key, m);
    MergedRecord &have = at->second;
    if (fresh)
      continue;
    auto rank = [](const MergedRecord &x) {
      const Record &d = x.description;
      return std::make_tuple(!d.complete, x.place, d.size_bytes, d.isUnion,
                             d.packed, d.spelling);
    };
    bool sameFields = have.fields == m.fields;
    std::vector<std::string> aliases = have.description.aliases;
    addAliases(aliases, r.aliases);
    if (rank(m) < rank(have)) {
      have.description = m.description;
      have.place = m.place;
    }
    have.description.aliases = std::move(aliases);
    if (sameFields)
      continue;
    // The same header under different macros: the fields of both, by offset.
    for (auto &[name, field] : m.fields) {
      auto old = std::find_if(have.fields.begin(), have.fields.end(),
                              [&](auto &p) { return p.first == name; });
      if (old == have.fields.end())
        have.fields.push_back({name, field});
      else
        old->second = std::min(old->second, field, isBetter);
    }
    std::sort(have.fields.begin(), have.fields.end(), [](auto &a, auto &b) {
      return std::tie(a.second.offset_bits, a.first) <
             std::tie(b.second.offset_bits, b.first);
    });
  }
}

void Tables::collectNodes(const Facts &part, const TypeKeys &types) {
  for (const Node &n : part.nodes) {
    if (n.kind != NodeKind::Global && n.kind != NodeKind::Function)
      continue;
    MergedNode m{n, placeOf(part, n.loc), n.type == None ? "" : types[n.type],
                 n.function == None ? "" : part.functions[n.function].key,
                 n.definedIn == None ? "" : part.files[n.definedIn].path};
    auto [at, fresh] = nodes_.try_emplace(nodeKey(n), m);
    auto rank = [](const MergedNode &x) {
      return std::make_tuple(!x.description.isDefined, x.place, x.typeKey,
                             x.description.isStatic, x.description.isConst,
                             x.description.isFunctionScope, x.description.name);
    };
    if (fresh)
      continue;
    MergedNode &have = at->second;
    if (n.isDefined && have.description.isDefined &&
        m.definedIn != have.definedIn)
      m.definedIn = have.definedIn = "";
    if (rank(m) < rank(have))
      have = m;
  }
}

void Tables::collectFunctions(const Facts &part) {
  for (const Function &f : part.functions) {
    MergedFunction m{f, placeOf(part, f.loc)};
    m.description.params.clear();
    m.description.variadic = m.description.result = None;
    m.description.bodyStart = {};
    m.description.lines = 0;
    auto [at, fresh] = functions_.try_emplace(f.key, m);
    if (fresh)
      continue;
    Function &have = at->second.description;
    if (m.place < at->second.place)
      at->second.place = m.place;
    have.hasBody |= f.hasBody;
    have.isStatic |= f.isStatic;
    have.isVariadic |= f.isVariadic;
    have.hasPrototype |= f.hasPrototype;
    have.declaredNoReturn |= f.declaredNoReturn;
    have.hasInlineAsm |= f.hasInlineAsm;
    have.isInline |= f.isInline;
    have.isConstructor |= f.isConstructor;
    have.allocates |= f.allocates;
    have.reallocates |= f.reallocates;
  }
}

void Tables::collect(const Facts &part) {
  for (const File &f : part.files) {
    auto [at, fresh] = files_.try_emplace(f.path, f);
    if (fresh)
      continue;
    File &have = at->second;
    if (std::tie(f.hash, f.size_bytes) < std::tie(have.hash, have.size_bytes))
      have.hash = f.hash, have.size_bytes = f.size_bytes;
    have.editable |= f.editable;
  }
  const TypeKeys &types = typeKeys_.emplace_back(
      part, true, [&](const Type &t) { return part.records[t.inner].key; });
  for (Id i = 0; i < part.types.size(); ++i) {
    const Type &t = part.types[i];
    bool isRecord = t.kind == TypeKind::Record;
    types_.try_emplace(types[i],
                       TypeParts{t, isRecord ? part.records[t.inner].key
                                    : t.inner == None ? ""
                                                      : types[t.inner]});
  }
  collectRecords(part, types);
  collectNodes(part, types);
  collectFunctions(part);
}

void Tables::joinIncomplete() {
  std::map<std::string, std::vector<std::string>>
      complete; // "tag@" -> definitions
  for (auto &[key, r] : records_)
    if (r.description.complete && key.starts_with(r.description.name + "@"))
      complete[r.description.name + "@"].push_back(key);
  for (auto &[key, r] : records_)
    if (!r.description.complete)
      if (auto i = complete.find(key);
          i != complete.end() && i->second.size() == 1)
        join_[key] = i->second.front();
  for (auto &[key, definition] : join_)
    records_.erase(key);
}

Loc Tables::locAt(const Place &p) const {
  const auto &[path, line, column] = p;
  return path.empty() ? Loc{} : Loc{fileIds_.at(path), line, column};
}

void Tables::emitRecords() {
  for (auto &[key, m] : records_) {
    Id id = recordIds_[key] = out_.records.size();
    Record r = m.description;
    r.loc = locAt(m.place);
    r.fields.clear();
    for (auto &[name, f] : m.fields) {
      fieldIds_[{key, name}] = out_.fields.size();
      r.fields.push_back(out_.fields.size());
      Field d;
      d.name = f.name;
      d.record = id;
      d.offset_bits = f.offset_bits;
      d.width_bits = f.width_bits;
      d.flexible = f.flexible;
      out_.fields.push_back(d);
    }
    out_.records.push_back(std::move(r));
  }
}

void Tables::emitTypes() {
  for (auto &[key, t] : types_)
    typeIds_.try_emplace(key, typeIds_.size());
  for (auto &[key, t] : types_) {
    Type type = t.type;
    if (type.kind == TypeKind::Record)
      type.inner = recordIds_.at(joined(t.inner));
    else if (type.inner != None)
      type.inner = typeIds_.at(t.inner);
    out_.types.push_back(type);
  }
  for (auto &[key, m] : records_)
    for (auto &[name, f] : m.fields) {
      Field &d = out_.fields[fieldIds_.at({key, name})];
      d.type = typeIds_.at(f.typeKey);
      d.cell = fieldIds_.at({f.cellRecord, f.cellField});
    }
}

void Tables::emitNodesAndFunctions() {
  for (auto &[key, m] : functions_)
    functionIds_.try_emplace(key, functionIds_.size());
  for (auto &[key, m] : nodes_) {
    nodeIds_[key] = out_.nodes.size();
    Node n = m.description;
    n.loc = locAt(m.place);
    n.type = m.typeKey.empty() ? None : typeIds_.at(m.typeKey);
    n.function = m.functionKey.empty() ? None : functionIds_.at(m.functionKey);
    n.definedIn = m.definedIn.empty() ? None : fileIds_.at(m.definedIn);
    out_.nodes.push_back(std::move(n));
  }
  for (auto &[key, m] : functions_) {
    Function f = m.description;
    f.loc = locAt(m.place);
    f.node = nodeIds_.at("F" + key);
    f.isNoReturn = f.declaredNoReturn;
    out_.functions.push_back(std::move(f));
  }
}

Renumbering Tables::renumber(const Facts &part) const {
  const TypeKeys &types = typeKeys_[&part - parts_.data()];
  Renumbering r;
  for (const File &f : part.files)
    r.files.push_back(fileIds_.at(f.path));
  for (Id i = 0; i < part.types.size(); ++i)
    r.types.push_back(typeIds_.at(types[i]));
  r.fields.resize(part.fields.size(), None);
  for (const Record &d : part.records) {
    r.records.push_back(recordIds_.at(joined(d.key)));
    std::vector<std::string> keys = fieldKeys(part, d);
    for (size_t i = 0; i < keys.size(); ++i)
      r.fields[d.fields[i]] = fieldIds_.at({d.key, keys[i]});
  }
  for (const Function &f : part.functions)
    r.functions.push_back(functionIds_.at(f.key));
  for (const Node &n : part.nodes) {
    bool global = n.kind == NodeKind::Global || n.kind == NodeKind::Function;
    r.nodes.push_back(global ? nodeIds_.at(nodeKey(n)) : None);
  }
  return r;
}

std::vector<Renumbering> Tables::run() {
  typeKeys_.reserve(parts_.size());
  for (const Facts &part : parts_)
    collect(part);
  joinIncomplete();
  for (auto &[path, f] : files_) {
    fileIds_[path] = out_.files.size();
    out_.files.push_back(f);
  }
  emitRecords();
  emitTypes();
  emitNodesAndFunctions();
  std::vector<Renumbering> result;
  for (const Facts &part : parts_)
    result.push_back(renumber(part));
  return result;
}

} // namespace

std::vector<Renumbering> nvmove::mergeTables(const std::vector<Facts> &parts,
                                             Facts &out) {
  return Tables(parts, out).run();
}
