//===- SourceMap.cpp - From Clang's locations to bytes of files -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/entities/SourceMap.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using namespace nvmove;

namespace {

bool isSystemPath(llvm::StringRef path) {
  return path.starts_with("/usr/include/") ||
         path.starts_with("/usr/local/include/") ||
         path.starts_with("/usr/lib/") || path.ends_with("/nvmove/nvm.h");
}

std::string canonicalPath(const SourceManager &sm, FileEntryRef entry) {
  llvm::SmallString<256> path(entry.getName());
  sm.getFileManager().makeAbsolutePath(path);
  llvm::SmallString<256> real;
  if (!sm.getFileManager().getVirtualFileSystem().getRealPath(path, real))
    return real.str().str();
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

} // namespace

Id SourceMap::file(FileID id) {
  auto [at, fresh] = ids_.try_emplace(id, None);
  if (!fresh)
    return at->second;
  OptionalFileEntryRef entry = sm_.getFileEntryRefForID(id);
  if (!entry)
    return None;
  std::string path = canonicalPath(sm_, *entry);
  bool editable =
      !isSystem(sm_.getFileCharacteristic(sm_.getLocForStartOfFile(id))) &&
      !isSystemPath(path);
  auto [known, isNew] = byPath_.try_emplace(path, facts_.files.size());
  if (isNew) {
    File f;
    f.path = path;
    if (auto buffer = sm_.getBufferOrNone(id)) {
      f.hash = llvm::xxh3_64bits(buffer->getBuffer());
      f.size_bytes = buffer->getBufferSize();
    }
    f.editable = editable;
    facts_.files.push_back(std::move(f));
  }
  return ids_[id] = known->second;
}

Loc SourceMap::loc(SourceLocation l) {
  if (l.isInvalid())
    return {};
  auto [id, offset] = sm_.getDecomposedExpansionLoc(l);
  Id f = file(id);
  if (f == None)
    return {};
  return {f, sm_.getLineNumber(id, offset), sm_.getColumnNumber(id, offset)};
}

bool SourceMap::isForeign(SourceLocation l) {
  if (l.isInvalid())
    return true;
  Id f = file(sm_.getFileID(sm_.getExpansionLoc(l)));
  return f == None || !facts_.files[f].editable;
}

std::string SourceMap::path(SourceLocation l) {
  if (l.isInvalid())
    return "";
  Id f = file(sm_.getFileID(sm_.getExpansionLoc(l)));
  return f == None ? "" : facts_.files[f].path;
}

FileID SourceMap::levelOf(SourceLocation l) const {
  while (l.isMacroID() && sm_.isMacroArgExpansion(l))
    l = sm_.getImmediateSpellingLoc(l);
  return sm_.getFileID(l);
}

FileID SourceMap::fileLevelOf(SourceLocation l) const {
  return sm_.getFileID(sm_.getExpansionLoc(l));
}

bool SourceMap::isLastOfMacro(SourceLocation token) const {
  unsigned length =
      Lexer::MeasureTokenLength(sm_.getSpellingLoc(token), sm_, lang_);
  return length != 0 &&
         sm_.isAtEndOfImmediateMacroExpansion(token.getLocWithOffset(length));
}

/// The token of a macro's use that `token` of its text stands for, when it is
/// the first (or last) one of it: or the text there would hold more than the
/// construct.
SourceLocation SourceMap::outside(SourceLocation token, bool isEnd) const {
  if (token.isFileID() ||
      (isEnd ? !isLastOfMacro(token)
             : !sm_.isAtStartOfImmediateMacroExpansion(token)))
    return {};
  CharSourceRange range = sm_.getImmediateExpansionRange(token);
  return isEnd ? range.getEnd() : range.getBegin();
}

/// Both tokens come from one use of a macro's parameter.
bool SourceMap::areOneArgument(SourceRange tokens) const {
  SourceLocation begin = tokens.getBegin(), end = tokens.getEnd();
  return begin.isMacroID() && end.isMacroID() &&
         sm_.isMacroArgExpansion(begin) && sm_.isMacroArgExpansion(end) &&
         sm_.getImmediateExpansionRange(begin).getBegin() ==
             sm_.getImmediateExpansionRange(end).getBegin();
}

/// Brings both tokens outwards to `level`. They enter a macro's argument
/// together: where only one of them is in it, `NEXT(p)` for `p->next`, the text
/// is the macro's use.
SourceRange SourceMap::climb(SourceRange tokens, FileID level, unsigned depth,
                             bool *isParameter) const {
  SourceLocation begin = tokens.getBegin(), end = tokens.getEnd();
  if (begin.isInvalid() || end.isInvalid() || depth > 64)
    return {};
  bool isBeginThere = sm_.getFileID(begin) == level,
       isEndThere = sm_.getFileID(end) == level;
  if (isBeginThere && isEndThere)
    return tokens;
  bool isArgument = areOneArgument(tokens);
  if (isArgument)
    if (SourceRange r = climb({sm_.getImmediateSpellingLoc(begin),
                               sm_.getImmediateSpellingLoc(end)},
                              level, depth + 1, isParameter);
        r.isValid())
      return r;
  if (!isBeginThere)
    begin = outside(begin, /*isEnd=*/false);
  if (!isEndThere)
    end = outside(end, /*isEnd=*/true);
  if (isParameter && begin.isValid() && sm_.getFileID(begin) == level)
    *isParameter = isArgument;
  return climb({begin, end}, level, depth + 1, isParameter);
}

/// `token` in a macro's definition stands for all its variable arguments: one
/// use may have a single one there and the next use three.
bool SourceMap::isVariableArguments(SourceLocation token) const {
  auto [id, offset] = sm_.getDecomposedLoc(token);
  llvm::StringRef text = sm_.getBufferData(id);
  llvm::StringRef name =
      text.substr(offset, Lexer::MeasureTokenLength(token, sm_, lang_));
  if (name == "__VA_ARGS__")
    return true;
  // GNU C can name them: #define log(format, args...)
  llvm::StringRef definition = text.take_front(offset);
  definition = definition.substr(definition.rfind("define"));
  size_t dots = definition.find("...");
  return dots != llvm::StringRef::npos &&
         definition.take_front(dots).rtrim().ends_with(name);
}

/// The definition that the parameter stands in says `#parameter`, too.
bool SourceMap::isMadeTextBy(SourceLocation parameter) const {
  auto [id, offset] = sm_.getDecomposedSpellingLoc(parameter);
  llvm::StringRef text = sm_.getBufferData(id);
  llvm::StringRef name = text.substr(
      offset,
      Lexer::MeasureTokenLength(sm_.getSpellingLoc(parameter), sm_, lang_));
  size_t begin = text.take_front(offset).rfind("define"),
         end = text.find('\n', offset);
  while (end != llvm::StringRef::npos &&
         text.take_front(end).rtrim("\r").ends_with("\\"))
    end = text.find('\n', end + 1);
  if (begin == llvm::StringRef::npos || name.empty())
    return false;
  llvm::StringRef body = text.slice(begin, end);
  for (size_t hash; (hash = body.find('#')) != llvm::StringRef::npos;) {
    body = body.drop_front(hash + 1);
    if (body.consume_front("#")) // pastes
      continue;
    llvm::StringRef word = body.ltrim(" \t");
    if (word.consume_front(name) &&
        (word.empty() || !isAsciiIdentifierContinue(word.front())))
      return true;
  }
  return false;
}

bool SourceMap::isMadeText(SourceLocation token) const {
  while (token.isMacroID()) {
    SourceLocation use = sm_.getImmediateExpansionRange(token).getBegin();
    if (!sm_.isMacroArgExpansion(token)) {
      token = use;
      continue;
    }
    if (isMadeTextBy(use))
      return true;
    token = sm_.getImmediateSpellingLoc(token);
  }
  return false;
}

Span SourceMap::bytes(SourceLocation begin, SourceLocation endToken,
                      bool inSystemMacro) {
  if (begin.isInvalid() || endToken.isInvalid())
    return {};
  bool inMacro = begin.isMacroID();
  if (inMacro)
    begin = sm_.getImmediateSpellingLoc(begin);
  if (endToken.isMacroID())
    endToken = sm_.getImmediateSpellingLoc(endToken);
  if (begin.isMacroID() || endToken.isMacroID())
    return {};
  if (inMacro && begin == endToken && isVariableArguments(begin))
    return {};
  auto [first, from] = sm_.getDecomposedLoc(begin);
  auto [last, to] = sm_.getDecomposedLoc(endToken);
  Id f = file(first);
  if (first != last || f == None || facts_.files[f].editable == inSystemMacro ||
      (inSystemMacro && !inMacro))
    return {};
  to += Lexer::MeasureTokenLength(endToken, sm_, lang_);
  return from < to ? Span{f, from, to} : Span{};
}

Span SourceMap::span(SourceRange tokens, FileID level) {
  SourceRange there = climb(tokens, level);
  return bytes(there.getBegin(), there.getEnd());
}

/// Brings `token` to the text that an edit would change, out of macros'
/// arguments. False: one of these macros also makes a string of that text.
bool SourceMap::leaveArguments(SourceLocation &token) const {
  llvm::SmallVector<SourceLocation, 2> makers; // their names, where used
  bool isExpanded = false;
  while (token.isMacroID() && sm_.isMacroArgExpansion(token)) {
    SourceLocation parameter = sm_.getImmediateExpansionRange(token).getBegin();
    const bool isText = parameter.isMacroID() && isMadeTextBy(parameter);
    if (isText)
      makers.push_back(sm_.getImmediateExpansionRange(parameter).getBegin());
    token = sm_.getImmediateSpellingLoc(token);
    // #define LOG(e) SHOW(e): the text is what the argument expands to.
    isExpanded |= isText && token.isMacroID() && sm_.isMacroArgExpansion(token);
  }
  if (isExpanded)
    return false;
  // TRACE(ADD(n, 1)): the text of ADD is not in the argument.
  const FileID level = sm_.getFileID(token);
  return llvm::none_of(makers, [&](SourceLocation name) {
    while (name.isMacroID() && sm_.getFileID(name) != level)
      name = sm_.isMacroArgExpansion(name)
                 ? sm_.getImmediateSpellingLoc(name)
                 : sm_.getImmediateExpansionRange(name).getBegin();
    return sm_.getFileID(name) == level;
  });
}

Span SourceMap::spanAround(SourceRange tokens, SourceLocation anchor) {
  for (bool keepsWords = true;;) {
    keepsWords &= leaveArguments(anchor);
    Span s = span(tokens, sm_.getFileID(anchor));
    if (s.valid() && !keepsWords)
      return {};
    if (s.valid() || anchor.isFileID())
      return s;
    anchor = sm_.getImmediateExpansionRange(anchor).getBegin();
  }
}

Span SourceMap::spanInSystemMacro(SourceRange tokens, SourceLocation anchor,
                                  bool isOutermost) {
  Span result;
  for (;;) {
    if (!leaveArguments(anchor) || anchor.isFileID() || isForeign(anchor))
      return result;
    SourceRange there = climb(tokens, sm_.getFileID(anchor));
    Span s = bytes(there.getBegin(), there.getEnd(), /*inSystemMacro=*/true);
    bool isOwn = s.valid() &&
                 llvm::StringRef(facts_.files[s.file].path).ends_with("/nvm.h");
    if (isOwn || (result.valid() && !s.valid()))
      return result;
    result = s;
    if (!isOutermost)
      return result;
    anchor = sm_.getImmediateExpansionRange(anchor).getBegin();
  }
}

Span SourceMap::spanOfUse(SourceRange tokens, SourceRange whole,
                          SourceLocation anchor) {
  bool keepsWords = leaveArguments(anchor);
  Span result = keepsWords ? span(tokens, sm_.getFileID(anchor)) : Span();
  for (;;) {
    if (anchor.isFileID())
      return result;
    anchor = sm_.getImmediateExpansionRange(anchor).getBegin();
    keepsWords = leaveArguments(anchor);
    Span outside = span(tokens, sm_.getFileID(anchor));
    if (!outside.valid())
      outside = span(whole, sm_.getFileID(anchor));
    if (!outside.valid() || !keepsWords)
      return result;
    result = outside;
  }
}

SourceLocation SourceMap::named(SourceLocation token) const {
  while (token.isMacroID()) {
    if (sm_.isMacroArgExpansion(token)) {
      token = sm_.getImmediateSpellingLoc(token);
      continue;
    }
    CharSourceRange use = sm_.getImmediateExpansionRange(token);
    if (use.getBegin() != use.getEnd() ||
        !sm_.isAtStartOfImmediateMacroExpansion(token) || !isLastOfMacro(token))
      break;
    token = use.getBegin();
  }
  return token;
}

Span SourceMap::nameSpan(SourceRange name, SourceLocation closingParenthesis) {
  FileID level = levelOf(closingParenthesis);
  bool isParameter = false;
  climb(name, level, 0, &isParameter);
  if (!isParameter && !leaveArguments(closingParenthesis))
    return {};
  Span s = isParameter ? Span() : span(name, level);
  return s.valid() ? s : spanAround(name, name.getBegin());
}

Span SourceMap::spanWithSemicolon(SourceRange tokens, FileID level) {
  Span s = span(tokens, level);
  SourceLocation end = climb(tokens, level).getEnd();
  if (!s.valid() || end.isMacroID())
    return {};
  SourceLocation after =
      Lexer::findLocationAfterToken(end, tok::semi, sm_, lang_, false);
  if (after.isInvalid() || after.isMacroID())
    return {};
  s.end = sm_.getFileOffset(after);
  return s;
}

Span SourceMap::before(SourceLocation l) {
  // First in a macro's text: before the macro.
  if (l.isMacroID() && !Lexer::isAtStartOfMacroExpansion(l, sm_, lang_, &l))
    return {};
  Span s = span({l, l}, fileLevelOf(l));
  s.end = s.begin;
  return s;
}

Span SourceMap::behind(SourceLocation l) {
  Span s = span({l, l}, fileLevelOf(l));
  s.begin = s.end;
  return s;
}
