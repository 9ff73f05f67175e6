//===- Context.cpp - What the parts of the rewriter share -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Context.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include <algorithm>

REPORTS(DirectiveInExpression, UneditableSite)

using namespace llvm;

namespace nvmove {

Context::Context(const Facts &facts, const Solution &solution,
                 const std::vector<std::string> &contents)
    : facts(facts), solution(solution), contents(contents),
      includes(facts, contents), names(facts) {
  nameTypes();
  for (const Definition &d : facts.definitions)
    if (d.mixesCode)
      mixing.insert(d.loc.file);
}

const Definition::Head *Context::headAround(Id file, uint32_t offset) const {
  const Definition::Head *result = nullptr;
  if (mixing.count(file))
    return nullptr;
  for (const Definition &d : facts.definitions)
    for (const Definition::Head &head : d.heads)
      if (head.block.file == file && head.block.begin < offset &&
          offset < head.block.end &&
          (!result || result->block.begin < head.block.begin))
        result = &head;
  return result;
}

bool Context::isBeforeDeclaration(Id file, uint32_t offset) const {
  const Definition::Head *head = headAround(file, offset);
  return head && offset <= head->last;
}

bool Context::isBehindStatement(Id file, uint32_t offset) const {
  const Definition::Head *head = headAround(file, offset);
  return head && head->statement < offset;
}

StringRef Context::text(Span span) const {
  return StringRef(contents[span.file]).slice(span.begin, span.end);
}

StringRef Context::compiled(Id file) const {
  auto [all, isNew] = compiledOfFile.try_emplace(file);
  if (isNew) {
    std::set<uint32_t> parsed, skipped;
    for (const Gap &gap : facts.gaps)
      if (gap.loc.file == file && gap.kind == Gap::Kind::ParsedBranch)
        parsed.insert(gap.loc.line);
      else if (gap.loc.file == file && gap.kind == Gap::Kind::SkippedBranch)
        skipped.insert(gap.loc.line);
    all->second = asCompiled(content(file), parsed, skipped);
  }
  return all->second;
}

const Regions &Context::regions(Id file) const {
  auto at = regionsOfFile.find(file);
  if (at == regionsOfFile.end())
    at = regionsOfFile.emplace(file, Regions(content(file))).first;
  return at->second;
}

uint32_t Context::offsetOf(Loc loc) const {
  return std::min<size_t>(lines(loc.file).startOfLine(loc.line) + loc.column -
                              1,
                          contents[loc.file].size());
}

Loc Context::locOf(Id file, uint32_t offset) const {
  StringRef before = content(file).take_front(offset);
  size_t line = before.rfind('\n') + 1; // npos + 1 is 0
  return {file, uint32_t(before.count('\n') + 1), uint32_t(offset - line + 1)};
}

std::optional<uint32_t> Context::find(Id file, StringRef code) const {
  StringRef all = content(file);
  for (size_t at = all.find(code); at != StringRef::npos;
       at = all.find(code, at + 1)) {
    auto [begins, isNew] = tokensOfFile.try_emplace(file);
    if (isNew)
      for (const Token &token : tokens(all))
        begins->second.push_back(token.offset);
    if (std::binary_search(begins->second.begin(), begins->second.end(), at))
      return at;
  }
  return std::nullopt;
}

bool Context::anyHolds(StringRef code) const {
  for (Id file = 0; file < contents.size(); ++file)
    if (holds(file, code))
      return true;
  return false;
}

void Context::nameTypes() {
  std::set<Id> records;
  for (const PersistentType &type : solution.records.types)
    records.insert(type.record);
  for (const AllocationSite &site : solution.sites.allocations)
    if (site.record != None)
      records.insert(site.record);

  std::map<std::string, std::vector<Id>> byName;
  for (Id record : records)
    byName[asIdentifier(facts.records[record].name)].push_back(record);
  std::set<std::string> taken{"bytes", "pointers", ""};
  for (auto &[name, sharing] : byName) {
    std::sort(sharing.begin(), sharing.end(), [&](Id a, Id b) {
      return facts.records[a].key < facts.records[b].key;
    });
    for (Id record : sharing) {
      const Record &r = facts.records[record];
      std::string unique = name.empty() ? "unnamed" : name;
      // Two files may each have their own `struct node`: the file tells them
      // apart.
      if (sharing.size() > 1 || taken.count(unique))
        if (r.loc.file != None)
          unique +=
              "_" + asIdentifier(sys::path::stem(facts.files[r.loc.file].path));
      std::string candidate = unique;
      for (unsigned n = 2; !taken.insert(candidate).second; ++n)
        candidate = unique + "_" + std::to_string(n);
      typeNames.emplace(record, candidate);
    }
  }
  typeNames.emplace(None, "bytes");
}

const std::string &Context::typeName(Id record) const {
  return typeNames.at(record);
}

void Context::needType(Id file, const std::string &name, Layer layer) {
  if (name == "bytes" || name == "pointers") // the runtime's own
    return;
  auto [it, isNew] = typesOfFile[file].try_emplace(name, layer);
  it->second = std::min(it->second, layer);
}

bool Context::isSpellable(Id record) const {
  const Record &r = facts.records[record];
  if (!r.complete || r.loc.file == None)
    return false;
  for (const Token &token : tokens(r.spelling))
    if (!token.isIdentifier())
      return false;
  if (r.spelling.empty())
    return false;
  return none_of(facts.functions, [&](const Function &f) {
    return f.hasBody && f.loc.file == r.loc.file && f.loc.line < r.loc.line &&
           r.loc.line < f.loc.line + f.lines;
  });
}

bool Context::seesRecord(Id file, Id record) const {
  if (!isSpellable(record))
    return false;
  if (includes.sees(file, facts.records[record].loc.file))
    return true;
  // Through a computed #include, or a header found by an unusual search path.
  return any_of(facts.stores, [&](const StoreSite &s) {
    return s.record == record && s.loc.file == file;
  });
}

std::vector<std::string> Context::elements(std::vector<std::string> lvalues,
                                           Id &type) const {
  while (facts.types[type].kind == TypeKind::Array) {
    const Type &array = facts.types[type];
    uint64_t size_bytes = facts.types[array.inner].size_bytes;
    uint64_t count = size_bytes ? array.size_bytes / size_bytes : 0;
    if (count * lvalues.size() > MaximumElements)
      lvalues.clear();
    std::vector<std::string> all;
    for (const std::string &lvalue : lvalues)
      for (uint64_t i = 0; i < count; ++i)
        all.push_back(lvalue + "[" + std::to_string(i) + "]");
    lvalues = std::move(all);
    type = array.inner;
  }
  return lvalues;
}

std::vector<std::string> Context::spellField(Id record, Id field) const {
  for (Id own : facts.records[record].fields) {
    const Field &f = facts.fields[own];
    if (own == field)
      return {f.name};
    Id type = f.type;
    std::vector<std::string> prefixes = elements({f.name}, type);
    if (facts.types[type].kind != TypeKind::Record)
      continue;
    std::vector<std::string> paths;
    for (const std::string &inner : spellField(facts.types[type].inner, field))
      for (const std::string &prefix : prefixes)
        paths.push_back(prefix.empty() ? inner : prefix + "." + inner);
    if (!paths.empty())
      return paths;
  }
  return {};
}

namespace {

/// A member that has a name, and its bits in the record that is looked at.
struct Leaf {
  Id field;
  uint64_t begin, end;
};

void listLeaves(const Facts &facts, Id record, uint64_t base,
                std::vector<Leaf> &leaves) {
  for (Id id : facts.records[record].fields) {
    const Field &f = facts.fields[id];
    const Type &type = facts.types[f.type];
    uint64_t begin = base + f.offset_bits;
    if (f.name.empty() && type.kind == TypeKind::Record)
      listLeaves(facts, type.inner, begin, leaves);
    else
      leaves.push_back(
          {id, begin,
           begin + (f.width_bits ? f.width_bits : type.size_bytes * 8)});
  }
}

} // namespace

std::vector<Id> Context::namedFields(Id field) const {
  const Field &f = facts.fields[field];
  const Type &type = facts.types[f.type];
  bool isAnonymous = f.name.empty() && type.kind == TypeKind::Record;
  bool isUnion = facts.records[f.record].isUnion;
  if (!isUnion && !isAnonymous)
    return {field};
  std::vector<Leaf> leaves;
  listLeaves(facts, isUnion ? f.record : type.inner, 0, leaves);
  std::vector<Id> result;
  for (const Leaf &leaf : leaves) {
    bool isCovered = any_of(leaves, [&](const Leaf &other) {
      bool isSame = other.begin == leaf.begin && other.end == leaf.end;
      return other.begin <= leaf.begin && leaf.end <= other.end &&
             !facts.fields[other.field].width_bits &&
             (!isSame || &other < &leaf);
    });
    if (!isCovered)
      result.push_back(leaf.field);
  }
  return result;
}

void Context::refuse(FindingRef id, Loc loc, Id function, const Twine &what,
                     std::string advice, std::optional<Severity> severity,
                     std::string subject) {
  Finding finding{id, loc, function, what.str(), std::move(advice)};
  finding.ownSeverity = severity;
  finding.subject = std::move(subject);
  findings.report(std::move(finding));
}

bool Context::isEditable(Span span, Loc loc, Id function, StringRef what) {
  bool inside = span.file != None && span.begin <= span.end &&
                span.end <= contents[span.file].size();
  if (inside && !facts.files[span.file].editable) {
    inside = loc.file != None && facts.files[loc.file].editable;
    if (inside)
      systemUses.push_back({span, loc, function});
  }
  if (!inside || span.begin == span.end) {
    refuse(FindingId::UneditableSite, loc, function,
           "the text here cannot be edited in place (it comes from a system "
           "header, or a macro applies ## or # to it), so " +
               what,
           "write it out by hand");
    return false;
  }
  return true;
}

bool Context::isMacroArgument(Span span, Loc loc, Id function, StringRef what) {
  if (!isEditable(span, loc, function, what))
    return false;
  if (!containsDirective(text(span)))
    return true;
  refuse(FindingId::DirectiveInExpression, loc, function,
         "a preprocessing directive is inside this expression, so " + what,
         "move the directive out of it");
  return false;
}

} // namespace nvmove
