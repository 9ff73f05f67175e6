//===- ExplainText.h - Verdicts of a report in words -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_EXPLAIN_EXPLAINTEXT_H
#define NVMOVE_TOOL_EXPLAIN_EXPLAINTEXT_H

#include "tool/explain/JsonRead.h"
#include "tool/report/TextTable.h"

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
  void thread(const llvm::json::Object &thread);
  void restoredScalar(const llvm::json::Object &scalar);
  void keptScalar(const llvm::json::Object &scalar);
  void twin(const llvm::json::Object &twin);
  /// Something in a static that has an explanation of its own.
  struct Kept {
    std::string path, how;
  };
  /// `path`: the variable, or what of it is asked about.
  void variable(const llvm::json::Object &variable, llvm::StringRef path,
                llvm::ArrayRef<Kept> kept);
  void function(const llvm::json::Object &function);
  /// All that the report says about one line; false when that is nothing.
  bool site(llvm::StringRef file, unsigned line);

private:
  static constexpr size_t rowsShown = 20;
  /// How the type is spelled, unless that is only its place in another type.
  static std::string title(const llvm::json::Object &type);
  static std::string calls(const llvm::json::Object &call);
  static void aliases(const llvm::json::Object &type, TextTable &table);
  static void addCalls(llvm::ArrayRef<const llvm::json::Object *> steps,
                       TextTable &table);
  std::vector<const llvm::json::Object *>
  callPath(const llvm::json::Object &function) const;
  void places(const llvm::json::Object &item, llvm::StringRef key,
              llvm::StringRef what);
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

#endif // NVMOVE_TOOL_EXPLAIN_EXPLAINTEXT_H
