//===- Directives.cpp - The preprocessing directives of one file ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/Directives.h"
#include "passes/rewrite/text/CText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

uint32_t endOfLogicalLine(StringRef text, uint32_t from) {
  while (from < text.size()) {
    size_t newline = std::min(text.find('\n', from), text.size());
    StringRef line = text.slice(from, newline);
    line.consume_back("\r");
    if (!line.ends_with("\\") || newline == text.size())
      return from + line.size();
    from = newline + 1;
  }
  return text.size();
}

Directive directiveAt(StringRef text, uint32_t hash) {
  Directive result;
  result.begin = hash;
  result.end = endOfLogicalLine(text, hash);
  StringRef body = text.slice(hash + 1, result.end).ltrim(" \t");
  result.name = body.take_while([](char c) { return isAlnum(c) || c == '_'; });
  result.rest = body.drop_front(result.name.size()).trim(" \t\r\n");
  return result;
}

bool opensConditional(const Directive &d) {
  return d.name == "if" || d.name == "ifdef" || d.name == "ifndef";
}
bool continuesConditional(const Directive &d) {
  return d.name.starts_with("el");
} // elif, elifdef, elifndef, else

/// Index of the #elif, #else or #endif that ends the part which `open` begins.
std::optional<size_t> closingOf(const std::vector<Directive> &all,
                                size_t open) {
  int depth = 0;
  for (size_t i = open + 1; i < all.size(); ++i) {
    if (opensConditional(all[i]))
      ++depth;
    else if (depth == 0 &&
             (continuesConditional(all[i]) || all[i].name == "endif"))
      return i;
    else if (all[i].name == "endif")
      --depth;
  }
  return std::nullopt;
}

StringRef guardName(const Directive &d) {
  if (d.name == "ifndef")
    return d.rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
  StringRef rest = d.rest;
  if (d.name != "if" || !rest.consume_front("!"))
    return "";
  rest = rest.ltrim(" \t");
  if (!rest.consume_front("defined"))
    return "";
  return rest.trim(" \t()");
}

uint32_t startOfNextLine(StringRef text, uint32_t offset) {
  size_t newline = text.find('\n', offset);
  return newline == StringRef::npos ? text.size() : newline + 1;
}

/// What stands in [begin, end) goes on after it: int t[] = #else ..
bool endsDeclaration(StringRef text, const std::vector<Directive> &all,
                     uint32_t begin, uint32_t end) {
  Token last{Token::Kind::Identifier, ""};
  for (const Token &token : tokens(text.slice(begin, end)))
    if (none_of(all, [&](const Directive &d) {
          return d.begin <= begin + token.offset &&
                 begin + token.offset < d.end;
        }))
      last = token;
  return last.kind != Token::Kind::Punctuator || last.is(";") || last.is("}") ||
         last.is(")");
}

} // namespace

bool bracesMatch(StringRef text) {
  int depth = 0;
  for (const Token &token : tokens(text)) {
    depth += token.is("{") - token.is("}");
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

std::vector<Directive> directives(StringRef text) {
  std::vector<Directive> result;
  uint32_t previousEnd = 0;
  for (const Token &token : tokens(text)) {
    bool first = previousEnd == 0 ||
                 text.slice(previousEnd, token.offset).contains('\n');
    bool inPrevious = !result.empty() && token.offset < result.back().end;
    if (first && token.is("#") && !inPrevious)
      result.push_back(directiveAt(text, token.offset));
    previousEnd = token.offset + token.text.size();
  }
  return result;
}

std::optional<IncludeGuard> includeGuard(StringRef text) {
  std::vector<Directive> all = directives(text);
  if (all.empty())
    return std::nullopt;
  IncludeGuard guard;
  if (all[0].name == "pragma" && all[0].rest == "once") {
    guard.afterLine = startOfNextLine(text, all[0].end);
    return guard;
  }
  StringRef name = guardName(all[0]);
  if (name.empty() || all.size() < 3 || all[1].name != "define" ||
      all[1].rest.split(' ').first != name)
    return std::nullopt;
  // Nothing may stand outside it, else it is an ordinary conditional.
  std::optional<size_t> close = closingOf(all, 0);
  if (!close || *close != all.size() - 1 || all[*close].name != "endif")
    return std::nullopt;
  if (skipTrivia(text, 0) != all[0].begin ||
      skipTrivia(text, all[*close].end) != text.size())
    return std::nullopt;
  guard.afterLine = startOfNextLine(text, all[1].end);
  guard.open = all[0].begin;
  guard.close = all[*close].begin;
  return guard;
}

static bool conditionalsMatch(StringRef text, const std::vector<Directive> &all,
                              uint32_t begin, uint32_t end) {
  for (size_t i = 0; i < all.size(); ++i) {
    bool opensPart = opensConditional(all[i]) || continuesConditional(all[i]);
    if (!opensPart || all[i].begin < begin || all[i].begin >= end)
      continue;
    std::optional<size_t> close = closingOf(all, i);
    if (!close || !bracesMatch(text.slice(all[i].end, all[*close].begin)))
      return false;
  }
  return true;
}

Regions::Regions(StringRef text)
    : text_(text), directives_(directives(text)), outermost_(text.size()) {
  if (std::optional<IncludeGuard> guard = includeGuard(text);
      guard && guard->close)
    outermost_ = *guard->close;
}

std::optional<uint32_t> Regions::endOf(uint32_t offset) const {
  int depth = 0;
  for (const Directive &d : directives_) {
    if (d.begin < offset)
      continue;
    if (opensConditional(d))
      ++depth;
    else if (d.name == "endif" && depth > 0)
      --depth;
    else if (depth == 0 && (d.name == "endif" || continuesConditional(d))) {
      if (d.begin == outermost_)
        break;
      uint32_t line = Lines(text_).start(d.begin);
      bool isWhole = bracesMatch(text_.slice(offset, line)) &&
                     conditionalsMatch(text_, directives_, offset, line) &&
                     endsDeclaration(text_, directives_, offset, line);
      return isWhole ? std::optional(line) : std::nullopt;
    }
  }
  return outermost_ == text_.size() ? outermost_
                                    : Lines(text_).start(outermost_);
}

std::optional<uint32_t> placeForMacros(StringRef text,
                                       ArrayRef<uint32_t> uses) {
  std::vector<Directive> all = directives(text);
  // What begins the parts of #ifs that hold the offset.
  auto partsAround = [&](uint32_t offset) {
    SmallVector<const Directive *> parts;
    for (const Directive &d : all) {
      if (d.begin >= offset)
        break;
      if (!parts.empty() && (d.name == "endif" || continuesConditional(d)))
        parts.pop_back();
      if (opensConditional(d) || continuesConditional(d))
        parts.push_back(&d);
    }
    return parts;
  };
  uint32_t first = *llvm::min_element(uses), place = 0;
  for (const Directive &d : all)
    if (d.name.starts_with("include") && d.begin < first)
      place = startOfNextLine(text, d.end);
  auto isSeen = [&] {
    auto around = partsAround(place);
    return all_of(uses, [&](uint32_t use) {
      auto parts = partsAround(use);
      return parts.size() >= around.size() &&
             std::equal(around.begin(), around.end(), parts.begin());
    });
  };
  while (!isSeen()) {
    auto next =
        find_if(all, [&](const Directive &d) { return d.begin >= place; });
    if (next == all.end())
      return std::nullopt;
    place = startOfNextLine(text, next->end);
  }
  return place <= first ? std::optional(place) : std::nullopt;
}

std::optional<uint32_t> conditionalAround(StringRef text, uint32_t from,
                                          uint32_t offset) {
  std::vector<uint32_t> open;
  for (const Directive &d : directives(text)) {
    if (d.begin < from || d.begin >= offset)
      continue;
    if (opensConditional(d))
      open.push_back(d.begin);
    else if (d.name == "endif" && !open.empty())
      open.pop_back();
  }
  return open.empty() ? std::nullopt
                      : std::optional(Lines(text).start(open.front()));
}

bool conditionalsMatch(StringRef text, uint32_t begin, uint32_t end) {
  return conditionalsMatch(text, directives(text), begin, end);
}

std::string asCompiled(StringRef text, const std::set<uint32_t> &parsed,
                       const std::set<uint32_t> &skipped) {
  std::vector<Directive> all = directives(text);
  std::string result = text.str();
  std::vector<uint32_t> lines;
  uint32_t line = 1, counted = 0;
  for (const Directive &d : all) {
    line += text.slice(counted, d.begin).count('\n');
    counted = d.begin;
    lines.push_back(line);
  }
  auto blank = [&](uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i)
      if (result[i] != '\n')
        result[i] = ' ';
  };
  for (size_t open = 0; open < all.size(); ++open) {
    if (!opensConditional(all[open]))
      continue;
    std::vector<size_t> parts{open}; // the last one ends them
    while (std::optional<size_t> close = closingOf(all, parts.back())) {
      parts.push_back(*close);
      if (all[*close].name == "endif")
        break;
    }
    if (all[parts.back()].name != "endif")
      continue;
    std::vector<size_t> compiled;
    bool isSettled = true, wasMet = false;
    for (size_t part : ArrayRef(parts).drop_back()) {
      const bool isParsed = parsed.count(lines[part]);
      const bool isSkipped = skipped.count(lines[part]);
      if (isParsed)
        compiled.push_back(part);
      isSettled &= !(isParsed && isSkipped);
      wasMet |= isParsed || isSkipped;
    }
    if (!isSettled || !wasMet || compiled.size() > 1)
      continue;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const Directive &begin = all[parts[i]], &end = all[parts[i + 1]];
      const bool isKept = is_contained(compiled, parts[i]);
      blank(begin.begin, isKept ? begin.end : end.begin);
    }
    blank(all[parts.back()].begin, all[parts.back()].end);
  }
  return result;
}

StringRef includedName(const Directive &directive) {
  StringRef rest = directive.rest;
  if (directive.name != "include" && directive.name != "include_next" &&
      directive.name != "import")
    return "";
  if (rest.consume_front("\""))
    return rest.take_until([](char c) { return c == '"'; });
  if (rest.consume_front("<"))
    return rest.take_until([](char c) { return c == '>'; });
  return "";
}

uint32_t preambleOffset(StringRef content) {
  if (std::optional<IncludeGuard> guard = includeGuard(content))
    return guard->afterLine;
  uint32_t byteOrderMark = content.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  return skipTrivia(content, byteOrderMark);
}

} // namespace nvmove
