//===- Patches.cpp - From edits to unified diffs --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edits say which lines change, so no general comparison is needed: each
// line of the original becomes one or more lines in either version, and only
// within such a piece are equal lines looked for.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/Patches.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace nvmove {

namespace {

constexpr size_t contextLines = 3;

/// With their terminators; the last one may lack it.
std::vector<StringRef> splitLines(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

using EditRange = ArrayRef<const Edit *>;

/// `line`, which begins at `offset`, with the edits up to and including
/// `layer`.
std::string applyTo(StringRef line, uint32_t offset, EditRange edits,
                    int layer) {
  std::string result;
  uint32_t done = 0;
  for (const Edit *edit : edits) {
    if (int(edit->layer) > layer)
      continue;
    uint32_t at = edit->offset - offset;
    result += line.slice(done, at);
    result += edit->text;
    done = at + edit->removed;
  }
  return result + line.drop_front(done).str();
}

struct DiffLine {
  char mark; // ' ', '-', '+'
  std::string text;
};

/// The shortest edit script from `before` to `after`; both are a few lines.
void diffPiece(ArrayRef<StringRef> before, ArrayRef<StringRef> after,
               std::vector<DiffLine> &out) {
  size_t n = before.size(), m = after.size();
  std::vector<std::vector<uint32_t>> common(n + 1,
                                            std::vector<uint32_t>(m + 1, 0));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i][j] = before[i] == after[j]
                         ? common[i + 1][j + 1] + 1
                         : std::max(common[i + 1][j], common[i][j + 1]);
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && before[i] == after[j]) {
      out.push_back({' ', before[i].str()});
      ++i, ++j;
    } else if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1])) {
      out.push_back({'-', before[i++].str()});
    } else {
      out.push_back({'+', after[j++].str()});
    }
  }
}

/// All lines of a file as they change from `layer - 1` to `layer`.
std::vector<DiffLine> diffFile(StringRef content, EditRange edits, int layer) {
  std::vector<DiffLine> out;
  std::vector<StringRef> lines = splitLines(content);
  if (lines.empty())
    lines.push_back(content);
  uint32_t offset = 0;
  size_t next = 0;
  for (size_t i = 0; i < lines.size();) {
    // A replacement may span lines: then they change as one.
    uint32_t end = offset;
    size_t first = next;
    StringRef piece;
    do {
      end += lines[i++].size();
      bool last = i == lines.size();
      while (next < edits.size() && (edits[next]->offset < end || last))
        ++next;
      piece = content.slice(offset, end);
    } while (i < lines.size() && next > first &&
             edits[next - 1]->offset + edits[next - 1]->removed > end);
    EditRange own = edits.slice(first, next - first);
    std::string before = applyTo(piece, offset, own, layer - 1),
                after = applyTo(piece, offset, own, layer);
    std::vector<StringRef> beforeLines = splitLines(before),
                           afterLines = splitLines(after);
    diffPiece(beforeLines, afterLines, out);
    offset = end;
  }
  return out;
}

/// Within a run of changes, removed lines come before added ones, as usual.
void orderRuns(std::vector<DiffLine> &lines) {
  for (auto it = lines.begin(); it != lines.end();) {
    auto end = std::find_if(
        it, lines.end(), [](const DiffLine &line) { return line.mark == ' '; });
    std::vector<DiffLine> added;
    std::copy_if(it, end, std::back_inserter(added),
                 [](const DiffLine &line) { return line.mark == '+'; });
    auto middle = std::remove_if(
        it, end, [](const DiffLine &line) { return line.mark == '+'; });
    std::move(added.begin(), added.end(), middle);
    it = end == lines.end() ? end : end + 1;
  }
}

std::string range(size_t start, size_t count) {
  // An empty range names the line before it.
  std::string from = std::to_string(count == 0 ? start : start + 1);
  return count == 1 ? from : from + "," + std::to_string(count);
}

void printLine(std::string &text, const DiffLine &line) {
  text += line.mark;
  text += line.text;
  if (!StringRef(line.text).ends_with("\n"))
    text += "\n\\ No newline at end of file\n";
}

/// Hunks with context; their number is returned.
uint32_t printHunks(std::string &text, const std::vector<DiffLine> &lines) {
  uint32_t hunks = 0;
  size_t beforeLine = 0, afterLine = 0; // lines before `position`
  size_t position = 0;
  auto advance = [&](size_t to) {
    for (; position < to; ++position) {
      beforeLine += lines[position].mark != '+';
      afterLine += lines[position].mark != '-';
    }
  };
  auto nextChange = [&](size_t from) {
    while (from < lines.size() && lines[from].mark == ' ')
      ++from;
    return from;
  };
  for (size_t change = nextChange(0); change < lines.size(); ++hunks) {
    size_t begin = std::max(position, change - std::min(change, contextLines)),
           lastChange = change;
    for (size_t next = change;
         next < lines.size() && next <= lastChange + 2 * contextLines + 1;
         next = nextChange(next + 1))
      lastChange = next;
    size_t end = std::min(lastChange + 1 + contextLines, lines.size());
    advance(begin);
    size_t beforeStart = beforeLine, afterStart = afterLine;
    advance(end);
    text += "@@ -" + range(beforeStart, beforeLine - beforeStart) + " +" +
            range(afterStart, afterLine - afterStart) + " @@\n";
    for (size_t i = begin; i < end; ++i)
      printLine(text, lines[i]);
    change = nextChange(end);
  }
  return hunks;
}

Expected<std::string> relativePath(StringRef path, StringRef root) {
  StringRef prefix = root.rtrim("/");
  if (!path.starts_with((prefix + "/").str()))
    return createStringError("%s is not below %s [outside-root]",
                             path.str().c_str(), root.str().c_str());
  return path.drop_front(prefix.size() + 1).str();
}

} // namespace

Expected<std::vector<Patch>>
makePatches(const Facts &facts, const std::vector<Edit> &edits,
            const std::vector<std::string> &contents, const std::string &root) {
  static constexpr StringRef names[] = {"",
                                        "1-roots.patch",
                                        "2-allocation.patch",
                                        "3-sections.patch",
                                        "4-stores.patch",
                                        "5-serialization.patch"};
  // By path, so that the patches do not depend on the order of the facts.
  std::map<std::string, std::vector<const Edit *>> byPath;
  for (const Edit &edit : edits)
    byPath[facts.files[edit.file].path].push_back(&edit);

  std::vector<Patch> patches;
  for (int layer = int(Layer::Roots); layer <= int(Layer::Serialization);
       ++layer) {
    Patch patch;
    patch.name = names[layer].str();
    for (const auto &[path, own] : byPath) {
      if (none_of(own,
                  [&](const Edit *edit) { return int(edit->layer) == layer; }))
        continue;
      Expected<std::string> relative = relativePath(path, root);
      if (!relative)
        return relative.takeError();
      // patch takes a name with a blank in it only up to a tab.
      std::string tab = StringRef(*relative).contains(' ') ? "\t" : "";
      std::vector<DiffLine> lines =
          diffFile(contents[own.front()->file], own, layer);
      orderRuns(lines);
      patch.text +=
          "--- a/" + *relative + tab + "\n+++ b/" + *relative + tab + "\n";
      patch.hunks += printHunks(patch.text, lines);
      ++patch.files;
    }
    if (patch.files)
      patches.push_back(std::move(patch));
  }
  return patches;
}

} // namespace nvmove
