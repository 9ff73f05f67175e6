//===- Branches.cpp - Which parts of an #if were parsed ---------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Branches.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace nvmove;

namespace {

/// Whether a part of a file says more than directives and comments. Good enough
/// to tell code from a lone #define; a comment of several lines may count.
bool hasCode(llvm::StringRef text) {
  bool continued = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim();
    bool directive = continued || line.starts_with("#");
    continued = directive && line.ends_with("\\");
    if (!line.empty() && !directive && !line.starts_with("//") &&
        !line.starts_with("/*") && !line.starts_with("*"))
      return true;
  }
  return false;
}

/// "#if 0" and what only C++ compiles, as extern "C" {: no C that runs is
/// hidden there, however the program is built.
bool isNeverC(llvm::StringRef part, llvm::StringRef opening) {
  bool isElse = !opening.empty() && part.ltrim("# \t").starts_with("else");
  llvm::StringRef text = (isElse ? opening : part).ltrim("# \t");
  bool negated = text.consume_front("ifndef");
  if (!negated)
    for (llvm::StringRef word : {"ifdef", "elif", "if"})
      if (text.consume_front(word))
        break;
  text = text.trim();
  negated |= text.consume_front("!");
  text.consume_front("defined");
  text = text.trim(" \t()");
  if (negated == isElse)
    return text == "0" || text == "__cplusplus";
  return isElse && text == "1";
}

/// The macros that the conditions name, each once.
std::vector<std::string>
macrosIn(std::initializer_list<llvm::StringRef> directives) {
  static constexpr llvm::StringLiteral Words[] = {"if",   "ifdef",   "ifndef",
                                                  "elif", "elifdef", "elifndef",
                                                  "else", "defined"};
  std::vector<std::string> names;
  for (llvm::StringRef rest : directives)
    while (!rest.empty()) {
      llvm::StringRef word =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      rest = rest.drop_front(std::max<size_t>(word.size(), 1));
      if (!word.empty() && !llvm::isDigit(word[0]) &&
          !llvm::is_contained(Words, word) && !llvm::is_contained(names, word))
        names.push_back(word.str());
    }
  return names;
}

} // namespace

class Branches::Callbacks : public PPCallbacks {
public:
  Callbacks(Branches &branches, const SourceManager &sm)
      : out_(branches.branches_), sm_(sm) {}

  void If(SourceLocation at, SourceRange, ConditionValueKind) override {
    meet(at);
  }
  void Ifdef(SourceLocation at, const Token &,
             const MacroDefinition &) override {
    meet(at);
  }
  void Ifndef(SourceLocation at, const Token &,
              const MacroDefinition &) override {
    meet(at);
  }
  void Elif(SourceLocation at, SourceRange, ConditionValueKind,
            SourceLocation opening) override {
    if (Branch *branch = meet(at))
      branch->opening = opening;
  }
  void Else(SourceLocation at, SourceLocation opening) override {
    if (Branch *branch = meet(at))
      branch->opening = opening;
  }

  /// From the directive whose part is skipped to the one that ends it. Comes
  /// after the directive itself was met.
  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    Branch *branch = meet(range.getBegin());
    if (!branch)
      return;
    auto [id, end] = sm_.getDecomposedLoc(range.getEnd());
    unsigned begin = sm_.getFileOffset(range.getBegin());
    branch->skipped = true;
    branch->lastLine = sm_.getLineNumber(id, end) - 1;
    llvm::StringRef text =
        sm_.getBufferData(id).substr(begin, end - begin).rtrim(" \t#");
    branch->directive = directive(text);
    if (branch->opening.isValid()) {
      auto [file, offset] = sm_.getDecomposedLoc(branch->opening);
      branch->openingDirective =
          directive(sm_.getBufferData(file).substr(offset));
    }
    branch->hasCode = hasCode(text.split('\n').second);
  }

private:
  /// The rest of the line, without comment and continuation.
  static std::string directive(llvm::StringRef text) {
    text = text.split('\n').first;
    text = text.take_front(text.find("/*"));
    return text.take_front(text.find("//")).rtrim(" \t\r\\").str();
  }

  Branch *meet(SourceLocation at) {
    if (at.isInvalid() || !at.isFileID() || sm_.isInSystemHeader(at))
      return nullptr;
    auto [id, offset] = sm_.getDecomposedLoc(at);
    return &out_[{id, sm_.getLineNumber(id, offset)}];
  }

  std::map<std::pair<FileID, unsigned>, Branch> &out_;
  const SourceManager &sm_;
};

void Branches::watch(Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(
      std::make_unique<Callbacks>(*this, preprocessor.getSourceManager()));
}

void Branches::addGaps(SourceMap &map, std::vector<Gap> &gaps) const {
  for (const auto &[at, branch] : branches_) {
    Id file = map.file(at.first);
    if (file == None || !map.isEditable(file) ||
        (branch.skipped &&
         (!branch.hasCode ||
          isNeverC(branch.directive, branch.openingDirective))))
      continue;
    Loc loc{file, at.second, 1};
    if (!branch.skipped) {
      gaps.push_back({Gap::Kind::ParsedBranch, loc, None, ""});
      continue;
    }
    std::string condition = branch.directive;
    if (!branch.openingDirective.empty())
      condition += " of #" + branch.openingDirective;
    Gap gap{Gap::Kind::SkippedBranch, loc, None,
            "not parsed in any file given, to line " +
                std::to_string(branch.lastLine) + ": " + condition +
                "; its loads are not seen, and its stores are not announced"};
    gap.macros = macrosIn({branch.directive, branch.openingDirective});
    gaps.push_back(std::move(gap));
  }
}
