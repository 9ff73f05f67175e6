//===- SarifParts.h - What every SARIF file shares --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_SARIFPARTS_H
#define NVMOVE_TOOL_REPORT_SARIFPARTS_H

#include "tool/files/SourceLines.h"
#include "tool/report/Names.h"

namespace nvmove {

/// A SARIF 2.1.0 log of one run, written as it comes: a large program has
/// gigabytes of it in memory. Every file is relative to the folder SRCROOT,
/// which the reader supplies.
class SarifParts {
public:
  SarifParts(const Report &report, llvm::raw_ostream &os)
      : report(report), facts(report.input.facts), solution(report.solution),
        names(report), lines(facts), os(os), json(os, /*IndentSize=*/2) {}

protected:
  using Array = llvm::json::Array;
  using Object = llvm::json::Object;
  using Value = llvm::json::Value;

  static Object message(std::string text);
  static Object place(llvm::StringRef path, unsigned line, unsigned column);
  Object place(const Loc &loc);
  /// All results are added between these two.
  void begin();
  void end();
  /// `key` stays the same when lines move. `location` may be null, and `help`,
  /// what to do about such a result, be empty.
  void add(llvm::StringRef rule, llvm::StringRef meaning, llvm::StringRef help,
           llvm::StringRef level, std::string text, Value location,
           std::string key, Array flows = {});

  const Report &report;
  const Facts &facts;
  const Solution &solution;
  Names names;
  SourceLines lines;

private:
  llvm::raw_ostream &os;
  llvm::json::OStream json;
  std::map<std::string, std::pair<std::string, std::string>> rules;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_SARIFPARTS_H
