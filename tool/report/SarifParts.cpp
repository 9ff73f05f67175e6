//===- SarifParts.cpp - What every SARIF file shares ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/SarifParts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace nvmove {

/// As RFC 3986 wants the segments of a path.
static std::string uri(StringRef path) {
  std::string result;
  for (unsigned char c : path)
    if (isAlnum(c) || StringRef("-._~/+,=@!$()*").contains(c))
      result += c;
    else
      result += formatv("%{0:X-2}", unsigned(c)).str();
  return result;
}

json::Object SarifParts::message(std::string text) {
  return Object{{"text", std::move(text)}};
}

json::Object SarifParts::place(StringRef path, unsigned line, unsigned column) {
  Object physical{{"artifactLocation",
                   Object{{"uri", uri(path)}, {"uriBaseId", "SRCROOT"}}}};
  if (line) {
    Object region{{"startLine", int64_t(line)}};
    if (column)
      region["startColumn"] = int64_t(column);
    physical["region"] = std::move(region);
  }
  return Object{{"physicalLocation", std::move(physical)}};
}

json::Object SarifParts::place(const Loc &loc) {
  return place(names.file(loc.file), loc.line, lines.column(loc));
}

void SarifParts::add(StringRef rule, StringRef meaning, StringRef help,
                     StringRef level, std::string text, Value location,
                     std::string key, Array flows) {
  rules.try_emplace(rule.str(), meaning.str(), help.str());
  Object result{{"ruleId", rule.str()},
                {"level", level.str()},
                {"message", message(std::move(text))},
                {"partialFingerprints", Object{{"nvmove/v1", key}}}};
  if (location.kind() == Value::Object)
    result["locations"] = Array{std::move(location)};
  if (!flows.empty())
    result["codeFlows"] = std::move(flows);
  json.value(std::move(result));
}

// Keys in alphabetical order, as in every other file: what only the end knows,
// the rules, comes last.
void SarifParts::begin() {
  Object root{{"description", message("the folder that every file of the "
                                      "report is relative to")}};
  json.objectBegin();
  json.attributeBegin("runs");
  json.arrayBegin();
  json.objectBegin();
  json.attribute("columnKind", "unicodeCodePoints");
  json.attribute("originalUriBaseIds", Object{{"SRCROOT", std::move(root)}});
  json.attributeBegin("results");
  json.arrayBegin();
}

void SarifParts::end() {
  json.arrayEnd();
  json.attributeEnd();
  Array described;
  for (const auto &[id, texts] : rules) {
    Object rule{{"id", id}, {"shortDescription", message(texts.first)}};
    if (!texts.second.empty())
      rule["help"] = message(texts.second);
    described.push_back(std::move(rule));
  }
  json.attribute("tool",
                 Object{{"driver", Object{{"name", "nvmove"},
                                          {"version", NVMOVE_VERSION},
                                          {"rules", std::move(described)}}}});
  json.objectEnd();
  json.arrayEnd();
  json.attributeEnd();
  json.attribute("version", "2.1.0");
  json.objectEnd();
  os << "\n";
}

} // namespace nvmove
