//===- TextTable.cpp - Columns --------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/TextTable.h"
#include <algorithm>

using namespace llvm;

namespace nvmove {

/// One long name must not push everything else off the screen.
static constexpr size_t widestColumn = 40;

void TextTable::print(raw_ostream &os, size_t most) {
  if (rows.size() > most)
    rows.resize(most);
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i + 1 < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), widestColumn));
  }
  for (const auto &row : rows) {
    std::string line = "  ";
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size() && widths[i])
        line.append(std::max(row[i].size(), widths[i]) - row[i].size() + 2,
                    ' ');
    }
    os << StringRef(line).rtrim() << '\n';
  }
  rows.clear();
}

} // namespace nvmove
