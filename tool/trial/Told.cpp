//===- Told.cpp - What the move has said of a static ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Told.h"
#include "tool/explain/Explain.h"
#include "tool/explain/JsonRead.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

/// As a word of its own, or with members.
bool names(StringRef text, StringRef name) {
  auto isOfName = [](char c) { return isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != StringRef::npos;
       at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isOfName(text[at - 1])) &&
        (end == text.size() || !isOfName(text[end])))
      return true;
  }
  return false;
}

/// "count" of "handle.count".
StringRef ownName(const StaticVariable &variable) {
  return StringRef(variable.name).rsplit('.').second.empty()
             ? StringRef(variable.name)
             : StringRef(variable.name).rsplit('.').second;
}

/// What --keep takes: numbers, text, pointers, and arrays of them.
bool canBeKept(const CType *type) {
  while (type && type->kind == CType::Kind::Array)
    type = type->target;
  return type && !is_contained({CType::Kind::Record, CType::Kind::Union,
                                CType::Kind::Function, CType::Kind::Other},
                               type->kind);
}

} // namespace

Told::Told(StringRef folder) {
  auto read = readReport(folder);
  if (read)
    report = std::move(*read);
  else
    consumeError(read.takeError());
}

bool Told::isKept(StringRef name) const {
  if (const json::Object *options = report->getObject("options"))
    if (is_contained(strings(*options, "keep"), name))
      return true;
  for (const char *list : {"roots", "restoredScalars", "keptScalars"})
    for (const json::Object *item : objects(*report, list))
      if (names(text(*item, "path"), name) &&
          item->getBoolean("kept").value_or(true))
        return true;
  return false;
}

bool Told::isAfresh(const StaticDifference &difference,
                    const StaticVariable &variable) const {
  const json::Object *options = report ? report->getObject("options") : nullptr;
  std::string path =
      ownName(variable).str() + difference.path.substr(variable.name.size());
  return options && any_of(strings(*options, "afresh"), [&](StringRef name) {
           StringRef rest = path;
           return rest.consume_front(name) &&
                  (rest.empty() || !(isAlnum(rest[0]) || rest[0] == '_'));
         });
}

std::vector<std::string>
Told::findings(function_ref<bool(const json::Object &)> which) const {
  std::vector<std::string> result;
  if (report)
    for (const json::Object *f : objects(*report, "findings"))
      if (which(*f))
        result.push_back(text(*f, "what") + " [" + text(*f, "id") + "]");
  return result;
}

std::vector<std::string> Told::acts() const {
  return findings(
      [](const json::Object &f) { return text(f, "severity") == "act"; });
}

std::vector<std::string> Told::checksOfSections() const {
  return findings([](const json::Object &f) {
    return text(f, "severity") == "check" &&
           any_of(findingKinds(), [&](const FindingKind *kind) {
             return kind->room == "sections" && kind->id == text(f, "id");
           });
  });
}

TrialDifference Told::describe(const StaticDifference &difference,
                               const StaticVariable &variable) const {
  TrialDifference result;
  static_cast<StaticDifference &>(result) = difference;
  StringRef name = ownName(variable);
  if (report)
    for (const json::Object *f : objects(*report, "findings"))
      if (names(text(*f, "what"), name))
        result.told.push_back({text(*f, "id"), text(*f, "severity"),
                               text(*f, "advice"), text(*f, "what")});
  result.kept = report && isKept(name);
  // What handlers change is kept when it is named, and so is what the load set.
  result.asBeforeLoad = !difference.asAtStart && !result.kept &&
                        difference.path == variable.name &&
                        is_contained({"0", "NULL", "\"\""}, difference.killed);
  // Of the latter a finding may know more: a flag of what the load has created
  // must not be kept alone.
  bool isAsked =
      any_of(result.told, [](auto &f) { return f.severity != "note"; });
  if (canBeKept(variable.type) && !result.kept &&
      (difference.asAtStart || (result.asBeforeLoad && !isAsked)))
    result.command = "nvmove --keep " + name.str();
  return result;
}

} // namespace nvmove
