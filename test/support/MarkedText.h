//===- MarkedText.h - C snippets with named ranges --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "p->@field{next}@ = 0;" is the text "p->next = 0;" in which the range that
// holds "next" is called "field". C has no '@', so nothing needs an escape.
// Ranges nest; several may have one name.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_SUPPORT_MARKEDTEXT_H
#define NVMOVE_TEST_SUPPORT_MARKEDTEXT_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nvmove::test {

struct MarkedText {
  std::string text;
  std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>>
      ranges; ///< begin, end

  MarkedText() = default;
  /// Traps when the marks do not match.
  explicit MarkedText(std::string_view marked);
};

inline MarkedText::MarkedText(std::string_view marked) {
  std::vector<std::pair<std::string, size_t>>
      open; // name, index among the ranges of that name
  for (size_t i = 0; i < marked.size(); ++i) {
    if (marked.substr(i).starts_with("}@")) {
      if (open.empty())
        __builtin_trap();
      ranges[open.back().first][open.back().second].second = text.size();
      open.pop_back();
      ++i;
    } else if (marked[i] == '@') {
      size_t brace = marked.find('{', i);
      if (brace == std::string_view::npos)
        __builtin_trap();
      std::string name(marked.substr(i + 1, brace - i - 1));
      open.emplace_back(name, ranges[name].size());
      ranges[name].emplace_back(text.size(), 0);
      i = brace;
    } else {
      text += marked[i];
    }
  }
  if (!open.empty())
    __builtin_trap();
}

} // namespace nvmove::test

#endif // NVMOVE_TEST_SUPPORT_MARKEDTEXT_H
