//===- ExplainText.h - Verdicts of a report in words -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_EXPLAINTEXT_H
#define NVMOVE_TOOL_EXPLAINTEXT_H

#include "tool/JsonRead.h"
#include "tool/TextTable.h"

namespace nvmove {

/// Prints single things of a report. Everything fits on a screen: of a longer
/// list, how much more there is.
class ExplainText {
public:
  ExplainText(const llvm::json::Object &report, llvm::raw_ostream &os)
      : report(report), os(os) {}

  void persistentType(const llvm::json::Object &type);
  void otherType(const llvm::json::Object &type);
  void field(const llvm::json::Object &type, const llvm::json::Object &field);
  void root(const llvm::json::Object &root);
  void section(const llvm::json::Object &section);
  /// All that the report says about one line; false when that is nothing.
  bool site(llvm::StringRef file, unsigned line);

private:
  void witness(const llvm::json::Object &witness);
  void chain(const llvm::json::Object &witness);
  void fields(const llvm::json::Object &type);
  void stores(const std::string &field);
  void cuts(llvm::StringRef type);
  void typesBehind(llvm::StringRef root);
  void print(TextTable &table, size_t most);
  void collectSite(llvm::StringRef file, unsigned line, TextTable &table,
                   std::vector<std::string> &types);

  const llvm::json::Object &report;
  llvm::raw_ostream &os;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_EXPLAINTEXT_H
