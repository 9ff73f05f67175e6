//===- MovedText.cpp - A file with its edits, line for line ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/MovedText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

/// Some line of it is a directive.
bool hasDirective(StringRef text) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.ltrim(" \t").starts_with("#"))
      return true;
  }
  return false;
}

bool canBeOneLine(StringRef text) {
  return !hasDirective(text) && !text.contains("//");
}

/// Without its ends of lines, those with a backslash in front included.
std::string inOneLine(StringRef text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\\\n"))
      ++i;
    line += text[i] == '\n' ? ' ' : text[i];
  }
  return line;
}

/// Without the ends of lines that have a backslash in front.
std::string inEscapedLines(StringRef text) {
  std::string rest = text.str();
  for (size_t at; (at = rest.find("\\\n")) != std::string::npos;)
    rest.erase(at, 2);
  return rest;
}

class TextMover {
public:
  explicit TextMover(StringRef content) : content(content) {}

  std::string move(ArrayRef<const Edit *> edits) {
    for (size_t i = 0; i < edits.size();) {
      // Insertions at one place belong together.
      const Edit &first = *edits[i];
      std::string text;
      uint32_t removed = 0;
      for (; i < edits.size() && edits[i]->offset == first.offset; ++i) {
        text += edits[i]->text;
        removed += edits[i]->removed;
        if (edits[i]->removed)
          break;
      }
      i += i < edits.size() && edits[i]->offset == first.offset;
      copyUntil(first.offset);
      put(text, content.substr(first.offset, removed));
      done = first.offset + removed;
    }
    copyUntil(content.size());
    return std::move(out);
  }

private:
  bool atBeginOfLine() const { return out.empty() || out.back() == '\n'; }

  void copyUntil(size_t end) {
    StringRef text = content.slice(done, end);
    done = end;
    while (!text.empty()) {
      if (owesLine && atBeginOfLine() && !StringRef(out).ends_with("\\\n")) {
        out += "#line " + utostr(line) + "\n";
        owesLine = false;
      }
      size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
      out += text.take_front(length);
      line += out.back() == '\n';
      text = text.drop_front(length);
    }
  }

  void put(StringRef text, StringRef removed) {
    const size_t had = removed.count('\n');
    const bool inMacro = removed.contains("\\\n");
    if (text.count('\n') == had && !owesLine) {
      out += text;
    } else if (canBeOneLine(text) && !isDirectiveNext(removed) &&
               !endsWhatIsBefore(text)) {
      // The rest of the line goes on where what was removed ended.
      out += inOneLine(text);
      for (size_t i = 0; i < had; ++i)
        out += inMacro ? "\\\n" : "\n";
    } else {
      out += text;
      owesLine = true;
    }
    line += had;
  }

  /// What stands before it in the line is a directive or has a comment, which
  /// ends with the line; in a directive, ends of lines are escaped.
  bool endsWhatIsBefore(StringRef text) const {
    StringRef before = StringRef(out).rsplit('\n').second;
    if (!StringRef(out).contains('\n'))
      before = out;
    return before.contains("//") ||
           (before.ltrim(" \t").starts_with("#") &&
            StringRef(inEscapedLines(text)).contains('\n'));
  }

  /// A directive has a line of its own.
  bool isDirectiveNext(StringRef removed) const {
    return atBeginOfLine() && content.drop_front(done + removed.size())
                                  .ltrim(" \t")
                                  .starts_with("#");
  }

  const StringRef content;
  std::string out;
  size_t done = 0;
  unsigned line = 1;     ///< of the user's text, at `done`
  bool owesLine = false; ///< the next line of the user's gets a #line
};

} // namespace

std::string movedText(StringRef content, ArrayRef<const Edit *> edits) {
  return TextMover(content).move(edits);
}

} // namespace nvmove
