//===- FactsBuilder.h - Facts and solutions made by hand --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests of the passes behind collect(): each fact refers to a marked range
// of a snippet, so that the test shows the text that it is about.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_SUPPORT_FACTSBUILDER_H
#define NVMOVE_TEST_SUPPORT_FACTSBUILDER_H

#include "passes/facts/Facts.h"
#include "passes/rewrite/Rewrite.h"
#include "passes/solve/Solution.h"
#include "test/support/MarkedText.h"
#include "llvm/Support/xxhash.h"
#include <string>
#include <string_view>
#include <vector>

namespace nvmove::test {

class FactsBuilder {
public:
  Facts facts;
  Solution solution;
  std::vector<std::string> contents;

  /// A file at `path`; one that ends in ".c" is a translation unit too.
  Id file(const std::string &path, std::string_view marked);
  /// The n-th range of that name in any file, in order of the files.
  Span at(const std::string &mark, size_t n = 0) const;
  Loc locAt(const std::string &mark, size_t n = 0) const;

  Id type(TypeKind kind, Id inner = None, uint64_t size_bytes = 0);
  Id pointerTo(Id inner) { return type(TypeKind::Pointer, inner, 8); }
  Id integer() { return type(TypeKind::Integer, None, 4); }
  Id recordType(Id record) {
    return type(TypeKind::Record, record, facts.records[record].size_bytes);
  }
  Id array(Id element, uint64_t count) {
    return type(TypeKind::Array, element,
                count * facts.types[element].size_bytes);
  }
  /// A complete record that is defined at the mark.
  Id record(const std::string &name, const std::string &spelling,
            const std::string &mark, uint64_t size_bytes = 16);
  Id field(Id record, const std::string &name, Id type);

  Id function(const std::string &name);
  /// A call of `callee` whose expression, callee and statement are the marks
  /// "<mark>", "<mark>.callee", "<mark>.stmt" as far as they exist; arguments
  /// are "<mark>.arg".
  Id call(const std::string &mark, const std::string &callee, Id caller = None);
  /// A static variable whose definition is at the mark.
  Id global(const std::string &name, const std::string &mark, Id type);
  Id store(StoreForm form, const std::string &mark, Id record = None);
  Id addressUse(const std::string &mark, Id variable);

  void persistent(Id record) {
    PersistentType result;
    result.record = record;
    solution.records.types.push_back(result);
  }
  StatementSpan statement(const std::string &mark,
                          bool inCompound = true) const;

private:
  std::vector<MarkedText> marked;
  const std::pair<uint32_t, uint32_t> *find(const std::string &mark, size_t n,
                                            Id &file) const;
};

inline Id FactsBuilder::file(const std::string &path, std::string_view text) {
  marked.emplace_back(text);
  contents.push_back(marked.back().text);
  File entry;
  entry.path = path;
  entry.hash = llvm::xxh3_64bits(llvm::StringRef(contents.back()));
  entry.size_bytes = contents.back().size();
  entry.editable = true;
  facts.files.push_back(entry);
  Id id = facts.files.size() - 1;
  if (llvm::StringRef(path).ends_with(".c"))
    facts.units.push_back(id);
  return id;
}

inline const std::pair<uint32_t, uint32_t> *
FactsBuilder::find(const std::string &mark, size_t n, Id &file) const {
  for (file = 0; file < marked.size(); ++file)
    if (auto it = marked[file].ranges.find(mark);
        it != marked[file].ranges.end()) {
      if (n < it->second.size())
        return &it->second[n];
      n -= it->second.size();
    }
  return nullptr;
}

inline Span FactsBuilder::at(const std::string &mark, size_t n) const {
  Id file;
  const auto *range = find(mark, n, file);
  return range ? Span{file, range->first, range->second} : Span{};
}

inline Loc FactsBuilder::locAt(const std::string &mark, size_t n) const {
  Span span = at(mark, n);
  if (span.file == None)
    return {};
  llvm::StringRef before =
      llvm::StringRef(contents[span.file]).take_front(span.begin);
  return {span.file, uint32_t(before.count('\n') + 1),
          uint32_t(before.size() - before.rfind('\n'))};
}

inline Id FactsBuilder::type(TypeKind kind, Id inner, uint64_t size_bytes) {
  Type wanted{kind, inner, size_bytes};
  for (Id id = 0; id < facts.types.size(); ++id)
    if (facts.types[id] == wanted)
      return id;
  facts.types.push_back(wanted);
  return facts.types.size() - 1;
}

inline Id FactsBuilder::record(const std::string &name,
                               const std::string &spelling,
                               const std::string &mark, uint64_t size_bytes) {
  Record entry;
  entry.loc = locAt(mark);
  entry.key = name + "@" +
              (entry.loc.file == None ? "" : facts.files[entry.loc.file].path);
  entry.name = name;
  entry.spelling = spelling;
  entry.complete = true;
  entry.size_bytes = size_bytes;
  facts.records.push_back(entry);
  return facts.records.size() - 1;
}

inline Id FactsBuilder::field(Id record, const std::string &name, Id type) {
  Field entry;
  entry.name = name;
  entry.record = record;
  entry.type = type;
  entry.cell = facts.fields.size();
  facts.fields.push_back(entry);
  facts.records[record].fields.push_back(facts.fields.size() - 1);
  return facts.fields.size() - 1;
}

inline Id FactsBuilder::function(const std::string &name) {
  for (Id id = 0; id < facts.functions.size(); ++id)
    if (facts.functions[id].name == name)
      return id;
  Function entry;
  entry.key = entry.name = name;
  facts.functions.push_back(entry);
  return facts.functions.size() - 1;
}

inline StatementSpan FactsBuilder::statement(const std::string &mark,
                                             bool inCompound) const {
  StatementSpan result;
  result.span = at(mark);
  result.inCompound = inCompound;
  return result;
}

inline Id FactsBuilder::call(const std::string &mark, const std::string &callee,
                             Id caller) {
  Call entry;
  entry.function = caller == None ? function("caller") : caller;
  entry.callee = function(callee);
  entry.span = at(mark);
  entry.loc = locAt(mark);
  entry.calleeSpan = at(mark + ".callee");
  entry.statement = statement(mark + ".stmt");
  for (size_t i = 0; at(mark + ".arg", i).file != None; ++i)
    entry.argSpans.push_back(at(mark + ".arg", i));
  facts.calls.push_back(entry);
  return facts.calls.size() - 1;
}

inline Id FactsBuilder::global(const std::string &name, const std::string &mark,
                               Id type) {
  Node entry;
  entry.kind = NodeKind::Global;
  entry.key = entry.name = name;
  entry.type = type;
  entry.loc = locAt(mark);
  entry.isDefined = true;
  facts.nodes.push_back(entry);
  return facts.nodes.size() - 1;
}

inline Id FactsBuilder::store(StoreForm form, const std::string &mark,
                              Id record) {
  StoreSite entry;
  entry.form = form;
  entry.span = at(mark);
  entry.loc = locAt(mark);
  entry.record = record;
  facts.stores.push_back(entry);
  solution.sites.stores.push_back({Id(facts.stores.size() - 1), ""});
  return facts.stores.size() - 1;
}

inline Id FactsBuilder::addressUse(const std::string &mark, Id variable) {
  AddressUse entry;
  entry.variable = variable;
  entry.span = at(mark);
  entry.loc = locAt(mark);
  facts.addressUses.push_back(entry);
  return facts.addressUses.size() - 1;
}

} // namespace nvmove::test

#endif // NVMOVE_TEST_SUPPORT_FACTSBUILDER_H
