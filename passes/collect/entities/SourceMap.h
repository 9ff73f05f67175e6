//===- SourceMap.h - From Clang's locations to bytes of files ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_ENTITIES_SOURCEMAP_H
#define NVMOVE_PASSES_COLLECT_ENTITIES_SOURCEMAP_H

#include "passes/facts/Facts.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace nvmove {

/// Maps constructs to the text that an edit would change.
///
/// The text of a construct is the text at the level of its operator: an
/// assignment whose `=` stands in a macro's definition is edited there; one
/// that is spelled within a macro's argument is edited at the use. The level is
/// a FileID: a file, or one expansion of a macro's body.
class SourceMap {
public:
  SourceMap(const clang::SourceManager &sm, const clang::LangOptions &lang,
            Facts &facts)
      : sm_(sm), lang_(lang), facts_(facts) {}

  /// The file's index, or None for what is no file (built-in macros, pasted
  /// tokens).
  Id file(clang::FileID id);
  Loc loc(clang::SourceLocation l);
  /// Declared where the program's author cannot edit: system headers and the
  /// runtime's own header.
  bool isForeign(clang::SourceLocation l);
  /// Canonical path of the file where `l` is expanded; "" for built-ins.
  std::string path(clang::SourceLocation l);

  clang::FileID levelOf(clang::SourceLocation l) const;
  clang::FileID fileLevelOf(clang::SourceLocation l) const;
  /// Text from the token at `begin` to the token at `end`, both brought to
  /// `level`. Invalid where the text cannot be edited there.
  Span span(clang::SourceRange tokens, clang::FileID level);
  /// The span at the level of `anchor` or, where that cannot be edited, at the
  /// nearest level outwards where the whole construct is spelled: `l PLUS_ONE`.
  Span spanAround(clang::SourceRange tokens, clang::SourceLocation anchor);
  /// The same, but where all that a macro's use stands for is the construct, or
  /// that with the casts and parentheses of `whole`, the use: its body serves
  /// other uses, too. Of several levels, the outermost.
  Span spanOfUse(clang::SourceRange tokens, clang::SourceRange whole,
                 clang::SourceLocation anchor);
  /// Where the others find none: in the text of a system header's macro, which
  /// another text can take the place of. Innermost, or as spanOfUse().
  Span spanInSystemMacro(clang::SourceRange tokens,
                         clang::SourceLocation anchor,
                         bool isOutermost = false);
  /// Where `token` is all that a macro without parameters stands for, the
  /// macro's use: `#define f lib_f` renames declarations too.
  clang::SourceLocation named(clang::SourceLocation token) const;
  /// The name in a call. Where a macro calls its parameter, `f(x)`, the name is
  /// at the use: other uses call something else. In the macro's body where the
  /// use has but the arguments: `#define f (void)lib_f`.
  Span nameSpan(clang::SourceRange name,
                clang::SourceLocation closingParenthesis);
  /// `token` is spelled in an argument of which a macro also makes a string.
  bool isMadeText(clang::SourceLocation token) const;
  /// As span(), extended over a following semicolon; invalid without one.
  Span spanWithSemicolon(clang::SourceRange tokens, clang::FileID level);
  /// An empty span at the first byte of the token at `l`, or just behind it;
  /// before the macro's use that the token is the first of.
  Span before(clang::SourceLocation l);
  Span behind(clang::SourceLocation l);

  const clang::SourceManager &sources() const { return sm_; }
  bool isEditable(Id file) const { return facts_.files[file].editable; }

private:
  bool isLastOfMacro(clang::SourceLocation token) const;
  clang::SourceLocation outside(clang::SourceLocation token, bool isEnd) const;
  bool areOneArgument(clang::SourceRange tokens) const;
  clang::SourceRange climb(clang::SourceRange tokens, clang::FileID level,
                           unsigned depth = 0,
                           bool *isParameter = nullptr) const;
  bool isVariableArguments(clang::SourceLocation token) const;
  bool leaveArguments(clang::SourceLocation &token) const;
  bool isMadeTextBy(clang::SourceLocation parameter) const;
  Span bytes(clang::SourceLocation begin, clang::SourceLocation endToken,
             bool inSystemMacro = false);

  const clang::SourceManager &sm_;
  const clang::LangOptions &lang_;
  Facts &facts_;
  llvm::DenseMap<clang::FileID, Id> ids_;
  llvm::StringMap<Id> byPath_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_ENTITIES_SOURCEMAP_H
