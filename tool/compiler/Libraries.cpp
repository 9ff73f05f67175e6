//===- Libraries.cpp - Archives that are no part of the program -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/Libraries.h"
#include "passes/facts/Library.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/Archive.h"

REPORTS(NoBody, UnannouncedCall)

using namespace llvm;

namespace nvmove {

static Expected<std::set<std::string>> definedBy(const std::string &file) {
  auto binary = object::createBinary(file);
  if (!binary)
    return binary.takeError();
  std::set<std::string> names;
  const auto &archive = cast<object::Archive>(*binary->getBinary());
  for (const object::Archive::Symbol &symbol : archive.symbols())
    names.insert(symbol.getName().str());
  return names;
}

static bool isNamed(StringRef archive, ArrayRef<std::string> names) {
  std::string canonical = canonicalPath(archive);
  return any_of(names, [&](StringRef name) {
    return isWithin(canonical, canonicalPath(name));
  });
}

Expected<Libraries> Libraries::find(ArrayRef<LinkedUnit> units,
                                    ArrayRef<std::string> load,
                                    ArrayRef<std::string> others) {
  Libraries result;
  if (others == ArrayRef<std::string>{"none"})
    return result;
  std::set<std::string> own; // archives that are a part of the program
  for (const LinkedUnit &u : units) {
    const Symbols &symbols = u.unit.file.unit.symbols;
    if (u.from.member.empty())
      continue;
    // A function that the analysis would take for one of the C library.
    const bool hidesOne = any_of(symbols.defined, [](const std::string &name) {
      return libraryEntry(name) != nullptr;
    });
    if (hidesOne || symbols.hasMain || any_of(load, [&](const std::string &f) {
          return is_contained(symbols.functions, f);
        }))
      own.insert(u.from.file);
    if (result.archives.count(u.from.file))
      continue;
    auto defined = definedBy(u.from.file);
    if (!defined)
      return defined.takeError();
    result.archives[u.from.file] = std::move(*defined);
    if (isNamed(u.from.file, others))
      result.named.insert(u.from.file);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string &archive : own)
      result.archives.erase(archive);
    std::set<std::string> ofProgram;
    for (const LinkedUnit &u : units)
      if (!result.has(u.from))
        for (const std::string &name : u.unit.file.unit.symbols.defined)
          ofProgram.insert(name);
    for (const LinkedUnit &u : units) {
      auto found = result.archives.find(u.from.file);
      if (found == result.archives.end() || !result.has(u.from) ||
          result.named.count(u.from.file))
        continue;
      // A member of its own would have been taken for the name.
      if (any_of(u.unit.file.unit.symbols.needed, [&](const std::string &name) {
            return ofProgram.count(name) && !found->second.count(name);
          }))
        changed |= own.insert(u.from.file).second;
    }
  }
  return result;
}

std::vector<std::string> Libraries::names() const {
  std::vector<std::string> result;
  for (const auto &[name, symbols] : archives)
    result.push_back(name);
  return result;
}

bool Libraries::takeIn(const Report &report) {
  const Facts &facts = report.input.facts;
  std::set<std::string> asked;
  for (const auto *list : {&report.solution.findings, &report.edits.findings})
    for (const Finding &n : *list)
      if (n.id == FindingId::NoBody || n.id == FindingId::UnannouncedCall)
        for (const Call &call : facts.calls)
          if (call.callee != None && call.function == n.function &&
              call.loc == n.loc)
            asked.insert(facts.functions[call.callee].name);
  return erase_if(archives, [&](const auto &archive) {
           return !named.count(archive.first) &&
                  any_of(asked, [&](const std::string &name) {
                    return archive.second.count(name);
                  });
         }) != 0;
}

} // namespace nvmove
