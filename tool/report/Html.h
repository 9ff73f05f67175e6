//===- Html.h - Text that is safe in a page -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_HTML_H
#define NVMOVE_TOOL_REPORT_HTML_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace nvmove {

class TypeGraph;
struct ShownFinding;

/// From tool/page.
extern const char *const pageStyle;
extern const char *const pageScript;

/// For text and for attributes. Control characters, which no page may hold,
/// become spaces.
inline std::string escape(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < ' ' && c != '\t' ? ' ' : c;
  }
  return result;
}

inline std::string code(llvm::StringRef text) {
  return "<code>" + escape(text) + "</code>";
}

/// The sections act, check and notes: a row for each question, which unfolds to
/// its findings.
void writeFindingsPage(const std::vector<ShownFinding> &findings,
                       llvm::raw_ostream &os);

/// The graph as a drawing whose boxes link to #type-N and #root-N, N counted
/// from 0 in the order of the boxes of each kind.
void drawGraph(const TypeGraph &graph, llvm::raw_ostream &os);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_HTML_H
