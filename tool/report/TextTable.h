//===- TextTable.h - Columns ------------------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_TEXTTABLE_H
#define NVMOVE_TOOL_REPORT_TEXTTABLE_H

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace nvmove {

/// Rows of cells, printed in aligned columns and indented by two. The last
/// cell of a row is as long as it likes.
class TextTable {
public:
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  bool empty() const { return rows.empty(); }
  size_t size() const { return rows.size(); }
  /// Prints the first rows, in the order they came, and empties the table.
  void print(llvm::raw_ostream &os, size_t most = SIZE_MAX);

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_TEXTTABLE_H
