//===- JsonParts.h - What the parts of the JSON report share -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_JSONPARTS_H
#define NVMOVE_TOOL_REPORT_JSONPARTS_H

#include "tool/report/Names.h"

namespace nvmove {

/// The words in which every part of the JSON report speaks.
class JsonParts {
public:
  explicit JsonParts(const Report &report)
      : report(report), facts(report.input.facts), solution(report.solution),
        names(report) {}

protected:
  using Array = llvm::json::Array;
  using Object = llvm::json::Object;
  using Value = llvm::json::Value;

  template <typename Range, typename Make>
  static Array list(const Range &range, Make make) {
    Array result;
    for (const auto &item : range)
      result.push_back(make(item));
    return result;
  }

  static Array strings(llvm::ArrayRef<std::string> range) {
    return list(range, [](const std::string &s) { return s; });
  }

  static Value nameOrNull(std::string name) {
    return name.empty() ? Value(nullptr) : Value(std::move(name));
  }

  Value pathOrNull(llvm::StringRef file) const {
    return nameOrNull(file.empty() ? "" : names.path(file));
  }

  Value location(const Loc &loc) const {
    if (loc.file == None)
      return nullptr;
    return Object{{"file", names.file(loc.file)},
                  {"line", int64_t(loc.line)},
                  {"column", int64_t(loc.column)}};
  }

  Object callSite(Id id) const {
    const Call &call = facts.calls[id];
    return Object{{"location", location(call.loc)},
                  {"caller", nameOrNull(names.function(call.function))},
                  {"callee", nameOrNull(names.function(call.callee))}};
  }

  Object variable(Id node) const {
    const Node &n = facts.nodes[node];
    return Object{{"name", n.name},
                  {"location", location(n.loc)},
                  {"static", n.isStatic},
                  {"function", nameOrNull(names.function(n.function))}};
  }

  const Report &report;
  const Facts &facts;
  const Solution &solution;
  Names names;
};

/// The verdicts and what they rest on.
class JsonVerdicts : public JsonParts {
public:
  using JsonParts::JsonParts;
  Array types() const;
  Array otherTypes() const;
  Array roots() const;
  Array cuts() const;
  Array cutsToTry() const;
  Object serialization() const;
  /// Adds "seen" or "never" where there were runs.
  void addObserved(Object &verdict, bool isSeen) const;
  /// Likewise, of those that are told of.
  void addObserved(Object &verdict, const std::map<std::string, bool> &verdicts,
                   const std::string &path) const;

private:
  Object witness(const Witness &w) const;
  Object typeHead(Id id) const;
  Array fields(Id record) const;
};

/// What has no verdict, for the reader who asks about it.
class JsonProgram : public JsonParts {
public:
  using JsonParts::JsonParts;
  Array functions() const;
  Array statics() const;
  Array otherAllocations() const;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_JSONPARTS_H
