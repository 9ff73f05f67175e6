//===- Detaches.cpp - Where the program ends ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Statements.h"
#include "passes/rewrite/roots/RootEdits.h"
#include <optional>

REPORTS(FreedAtExit)

using namespace llvm;

namespace nvmove {

namespace {

/// Where `while (items) ..` may have a statement put before it: directly in a
/// block, or behind a label there.
bool beginsStatement(const Context &context, Id file, uint32_t offset) {
  Lines lines = context.lines(file);
  std::vector<Token> before = tokens(context.content(file).take_front(offset));
  return !lines.inDirective(offset) && !before.empty() &&
         is_contained({";", "{", "}", ":"}, before.back().text);
}

/// What nvm_detach() is put before; none where that cannot be edited.
std::optional<StatementSpan> placeOf(const Context &context,
                                     const Detach &detach) {
  StatementSpan place = detach.statement;
  if (detach.loop != None) {
    Loc loc = context.facts.loops[detach.loop].loc;
    if (loc.file == None || !context.facts.files[loc.file].editable)
      return std::nullopt;
    uint32_t at = context.offsetOf(loc);
    if (!beginsStatement(context, loc.file, at))
      return std::nullopt;
    place = {};
    place.span = {loc.file, at, at + 1};
    place.inCompound = true;
  }
  if (!place.span.valid() || !context.facts.files[place.span.file].editable ||
      context.lines(place.span.file).inDirective(place.span.begin))
    return std::nullopt;
  return place;
}

/// Nothing but straight code is between the statement and a return.
bool returnsBehind(const Context &context, const StatementSpan &statement) {
  StringRef behind = context.content(statement.span.file)
                         .drop_front(statement.span.end)
                         .take_front(2000);
  int depth = 0;
  for (const Token &token : tokens(behind)) {
    depth += token.is("{") - token.is("}");
    if (depth < 0 || !statement.inCompound || token.is("goto") ||
        token.is("break") || token.is("continue"))
      return false;
    if (depth == 0 && token.is("return"))
      return true;
    if (token.is("if") || token.is("while") || token.is("for") ||
        token.is("#")) // what is behind may not be compiled
      return false;
  }
  return false;
}

/// One comes whenever the other has come, and the other way round.
bool isStraight(const Context &context, const StatementSpan &from,
                const StatementSpan &to) {
  Span between{from.span.file, from.span.begin, to.span.begin};
  return from.inCompound && to.inCompound && from.span.file == to.span.file &&
         from.span.begin <= to.span.begin &&
         none_of(tokens(context.text(between)), [](const Token &token) {
           return token.is("{") || token.is("}") || token.is(":") ||
                  token.is("#");
         });
}

} // namespace

void addDetaches(Context &context) {
  std::optional<StatementSpan> last;
  for (const Detach &detach : context.solution.startup.detaches) {
    if (detach.ifReturns && !(detach.statement.span.valid() &&
                              returnsBehind(context, detach.statement)))
      continue;
    std::optional<StatementSpan> place = placeOf(context, detach);
    if (!place)
      context.refuse(FindingId::FreedAtExit, detach.loc, detach.function,
                     "nvm_detach() is not put here, where the program ends and "
                     "frees persistent objects: the statement cannot be edited "
                     "in place");
    else if (last && isStraight(context, *last, *place))
      continue;
    else if (bracketStatement(context, *place,
                              {"nvm_detach();", "", true, false, Layer::Roots,
                               Rank::Detach}))
      ++context.counts["detached ends"];
    last = place;
  }
}

} // namespace nvmove
