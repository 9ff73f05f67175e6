//===- Guards.cpp - The load at start-up ----------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The start-up section that nvm_start() begins must end whatever way the
// program takes: a load that stands under a condition may not be reached. Hence
// what ends it stands behind the statement of the function's body that holds
// the load.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/roots/Guards.h"
#include "passes/rewrite/context/Statements.h"
#include "passes/rewrite/text/Blocks.h"
#include "passes/rewrite/text/SetForLater.h"
#include "passes/solve/program/Program.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/Support/Path.h"

REPORTS(LoadCondition, LoadNotGuarded, LoadResult, SeveralLoads)

using namespace llvm;

namespace nvmove {

namespace {

/// Offset after the '{' of its body.
uint32_t bodyOf(const Context &context, Id function) {
  const Loc loc = context.facts.functions[function].loc;
  return bodyAfter(context.compiled(loc.file), context.offsetOf(loc));
}

/// The statement that holds `inside`, directly in the body of the function or,
/// if the main loop is entered in that, in the block around both.
std::optional<Span> statementOfBody(const Context &context, Id function,
                                    ArrayRef<Span> loops, Span inside) {
  if (function == None)
    return std::nullopt;
  Loc loc = context.facts.functions[function].loc;
  if (loc.file != inside.file || context.offsetOf(loc) > inside.begin)
    return std::nullopt;
  StringRef content = context.compiled(inside.file);
  uint32_t body = bodyOf(context, function);
  for (;;) {
    std::optional<Extent> extent =
        blockStatement(content, body, inside.begin, inside.end);
    if (!extent || context.hidesBraces({inside.file, body, extent->end}))
      return std::nullopt;
    bool hasLoop = any_of(loops, [&](Span loop) {
      return loop.file == inside.file && loop.begin >= extent->begin &&
             loop.begin < extent->end;
    });
    if (!hasLoop)
      return Span{inside.file, extent->begin, extent->end};
    uint32_t inner = blockAround(content, extent->begin, inside.begin);
    if (inner == extent->begin)
      return std::nullopt;
    body = inner;
  }
}

std::optional<Span> statementOfBody(const Context &context,
                                    const LoadGuard &guard, Span inside) {
  return statementOfBody(context, context.facts.calls[guard.call].function,
                         guard.loops, inside);
}

/// goto serve;  leads past the end of the statement to a label before a loop.
/// Where no loop is in the function, a label is before the end of one that
/// tells its caller nothing.
void endStartupAtLabels(Context &context, Id function, ArrayRef<Span> loops,
                        Span statement) {
  for (uint32_t label :
       labelsJumpedTo(context.compiled(statement.file),
                      bodyOf(context, function), statement.end))
    if (loops.empty() ? context.facts.functions[function].result == None
                      : any_of(loops, [&](Span l) { return l.begin >= label; }))
      context.edits.wrap({statement.file, label - 1, label}, "",
                         " nvm_restore(); nvm_ready();", Layer::Roots,
                         Rank::Guard);
}

/// Both may be called again at no harm: the roots come back once, and the
/// section ends once.
void endStartup(Context &context, Span statement) {
  StatementSpan whole;
  whole.span = statement;
  whole.inCompound = true;
  Lines lines = context.lines(statement.file);
  std::string newline = lines.isFirstOnLine(statement.begin)
                            ? "\n" + lines.indentation(statement.begin).str()
                            : std::string(" ");
  bracketStatement(context, whole,
                   {"", "nvm_restore();" + newline + "nvm_ready();", false,
                    true, Layer::Roots, Rank::Guard});
}

/// Where else makes state by itself: a write to what is kept in another arm of
/// the statement than the load.
Loc writtenOtherwise(const Context &context, const Call &call, Span statement) {
  RestoredStatics kept(context.solution.restored.roots,
                       context.solution.restored.scalars);
  for (const StaticWrite &w : context.facts.staticWrites) {
    if (w.function != call.function || !kept.holds(w) ||
        w.loc.file != statement.file)
      continue;
    uint32_t at = context.offsetOf(w.loc);
    if (at < statement.begin || at >= statement.end)
      continue;
    Span between{statement.file, std::min(at, call.span.begin),
                 std::max(at, call.span.begin)};
    if (any_of(tokens(context.text(between)),
               [](const Token &t) { return t.is("else"); }))
      return w.loc;
  }
  return {};
}

void endStartupBehind(Context &context, const Call &call,
                      const LoadGuard &guard, Span statement) {
  Loc made = guard.otherwise.file != None
                 ? guard.otherwise
                 : writtenOtherwise(context, call, statement);
  if (made.file != None)
    context.refuse(
        FindingId::LoadCondition, call.loc, call.function,
        "the load is under a condition, and without it state is created (" +
            llvm::sys::path::filename(context.facts.files[made.file].path)
                .str() +
            ":" + std::to_string(made.line) +
            "): a later run that does not reach the load (its file may be "
            "gone) has its roots restored, and replaces them with new state");
  endStartup(context, statement);
}

/// The same where that statement is not seen.
void reportOpenEnd(Context &context, const Call &call) {
  context.refuse(
      FindingId::LoadCondition, call.loc, call.function,
      "the load is under a condition, and the end of the statement around it "
      "is unknown (an #if splits its braces, or macros have them): a run "
      "that does not reach the load commits nothing",
      "put nvm_restore(); nvm_ready(); after that statement", Severity::Act);
}

/// Whenever the statement of the body that holds it is come to.
bool isEvaluatedFirst(const Context &context, const LoadGuard &guard, Id call) {
  Span span = context.facts.calls[call].span;
  std::optional<Span> whole = statementOfBody(
      context, context.facts.calls[call].function, guard.loops, span);
  return whole &&
         none_of(tokens(context.text({span.file, whole->begin, span.begin})),
                 [](const Token &t) {
                   return t.is("{") || t.is(";") || t.is("?") || t.is("&&") ||
                          t.is("||") || t.is("else") || t.is("for") ||
                          t.is("while") || t.is("switch");
                 });
}

/// The statement of main's body behind which the section ends at the latest,
/// where that leads on to another load.
std::optional<Span> endOfNext(const Context &context, const LoadGuard &guard) {
  if (guard.leadsOn == None || !isEvaluatedFirst(context, guard, guard.inMain))
    return std::nullopt;
  Span next = context.facts.calls[guard.leadsOn].span;
  const Id main = context.facts.calls[guard.leadsOn].function;
  std::optional<Span> whole = statementOfBody(context, main, {}, next);
  return whole && statementOfBody(context, main, guard.loopsInMain, next) ==
                      whole
             ? whole
             : std::nullopt;
}

/// Where some ways come to the loops without the load.
void endStartupAbove(Context &context, const LoadGuard &guard) {
  if (guard.endsBehind == None)
    return;
  const Call &call = context.facts.calls[guard.endsBehind];
  if (std::optional<Span> whole = statementOfBody(
          context, call.function, guard.loopsBehind, call.statement.span)) {
    endStartup(context, *whole);
    endStartupAtLabels(context, call.function, guard.loopsBehind, *whole);
  } else
    reportOpenEnd(context, call);
}

bool endsHere(const Context &context, const LoadGuard &guard) {
  return guard.last || (guard.leadsOn != None && !endOfNext(context, guard));
}

bool holdsJump(StringRef text) {
  return any_of(tokens(text), [](const Token &token) {
    return token.is("return") || token.is("goto") || token.is("break") ||
           token.is("continue");
  });
}

/// Whenever the statement runs, its call is evaluated.
bool isAlwaysReached(const Context &context, const Call &call, Span statement) {
  if (call.statement.span != statement)
    return false;
  uint32_t before_bytes = call.span.begin - statement.begin;
  return none_of(tokens(context.text(statement).take_front(before_bytes)),
                 [](const Token &token) {
                   return token.is("&&") || token.is("||") || token.is("?");
                 });
}

const char *ifNotRestored(const LoadGuard &guard) {
  return guard.onRequest ? "if (!nvm_restore_at_start())"
                         : "if (!nvm_restore())";
}

/// server.world = load(..);
bool isAssignment(const Context &context, const Call &call) {
  Span left = call.statement.span;
  left.end = call.span.begin;
  const std::vector<Token> all = tokens(context.text(left));
  return !all.empty() && all.back().is("=") &&
         none_of(ArrayRef(all).drop_back(), [](const Token &t) {
           return !t.is(".") && !t.isIdentifier();
         });
}

bool guardStatement(Context &context, const Call &call,
                    const LoadGuard &guard) {
  std::string what = "the load at start-up is not guarded";
  if (!context.isEditable(call.statement.span, call.loc, call.function, what))
    return false;
  std::string why = whyNotBracketed(context, call.statement);
  if (why.empty() && guard.isAssigned && !isAssignment(context, call))
    why = "its result is used, and the statement does more than to assign it";
  if (!why.empty()) {
    context.refuse(FindingId::LoadNotGuarded, call.loc, call.function,
                   what + ": " + why);
    return false;
  }
  std::optional<Span> whole =
      statementOfBody(context, guard, call.statement.span);
  bool ends = endsHere(context, guard);
  bool conditional = ends && whole && *whole != call.statement.span;
  // Where a jump leads past the end of the whole statement, the section ends
  // at once; not so in a loop, which may load more.
  bool atOnce =
      ends &&
      (!conditional || (call.loop == None && holdsJump(context.text(*whole))));
  Bracket bracket{ifNotRestored(guard),
                  atOnce ? "nvm_ready();" : "",
                  false,
                  true,
                  Layer::Roots,
                  Rank::Guard};
  if (bracketStatement(context, call.statement, bracket))
    ++context.counts["guarded loads"];
  if (ends && !whole && (!call.arms.empty() || call.loop != None))
    reportOpenEnd(context, call);
  if (conditional)
    endStartupBehind(context, call, guard, *whole);
  if (ends && whole)
    endStartupAtLabels(context, call.function, guard.loops, *whole);
  return true;
}

/// root = load(), by one statement.
bool isPutIntoRoot(const Context &context, const Call &call, StringRef root) {
  if (call.statement.span.valid())
    if (StringRef text = context.text(call.statement.span);
        text.consume_front(root) && text.ltrim().starts_with("="))
      return true; // a local, too
  return any_of(context.facts.staticWrites, [&](const StaticWrite &w) {
    return w.value != None && w.statement.span == call.statement.span &&
           root.starts_with(context.facts.nodes[w.variable].name);
  });
}

/// new = load(); destroy(root); root = new: what gets the root between the two,
/// which in a later run is what came back; None: nothing.
Id usesRootBefore(const Context &context, const Call &load, StringRef root) {
  const Facts &facts = context.facts;
  auto isBehind = [&](Loc loc, Loc other) {
    return loc.file == other.file && other < loc;
  };
  Loc put;
  for (const StaticWrite &w : facts.staticWrites)
    if (w.function == load.function && isBehind(w.loc, load.loc) &&
        facts.nodes[w.variable].name == root)
      put = w.loc;
  for (Id id = 0; id < facts.calls.size(); ++id) {
    const Call &c = facts.calls[id];
    if (c.function == load.function && isBehind(c.loc, load.loc) &&
        isBehind(put, c.loc) && any_of(c.argSpans, [&](Span arg) {
          return arg.valid() && context.text(arg).trim() == root;
        }))
      return id;
  }
  return None;
}

/// The text that the guard would change is that of a macro, which another call
/// that must not be skipped comes from, too: a file that is opened on request.
/// None: no such call.
Id sharesText(const Context &context, const LoadGuard &guard) {
  const std::vector<Call> &calls = context.facts.calls;
  const Call &call = calls[guard.call];
  auto edited = [&](const Call &c) {
    return guard.wholeStatement ? c.statement.span : c.span;
  };
  for (Id id = 0; id < calls.size(); ++id)
    if (edited(call).valid() && edited(calls[id]) == edited(call) &&
        calls[id].callee == call.callee &&
        none_of(context.solution.startup.guards,
                [&](const LoadGuard &g) { return g.call == id; }))
      return id;
  return None;
}

/// The pool would give nothing back in the place of what the load makes.
bool keepsNothing(const Context &context) {
  const Solution &s = context.solution;
  bool hasRoots =
      any_of(s.restored.roots, [](const Root &r) { return r.kept(); });
  return !s.records.types.empty() &&
         !(hasRoots ? context.keepsRoots : context.keepsScalars);
}

/// Where the function that makes the call is left out of it, the call stands in
/// a macro: its use, as far as it is known.
Span useOf(const Context &context, const Call &call) {
  uint32_t use = context.offsetOf(call.loc);
  bool inMacro = call.loc.file != call.span.file || use < call.span.begin ||
                 use >= call.span.end;
  return inMacro ? Span{call.loc.file, use, use + 1} : call.span;
}

/// Whenever the macro that writes the call is used, the call is evaluated.
bool isAlwaysReachedInMacro(const Context &context, const Call &call) {
  StringRef before =
      context.content(call.span.file).take_front(call.span.begin);
  size_t define = before.rfind("#");
  return define != StringRef::npos &&
         none_of(tokens(before.drop_front(define)), [](const Token &token) {
           return token.is("&&") || token.is("||") || token.is("?") ||
                  token.is("if") || token.is("for") || token.is("while") ||
                  token.is("switch") || token.is("else");
         });
}

/// NVM_LOAD ends the section, but may not be reached.
void endStartupOf(Context &context, const Call &call, const LoadGuard &guard) {
  Span use = useOf(context, call);
  std::optional<Span> whole = statementOfBody(context, guard, use);
  bool ends = endsHere(context, guard);
  if (ends && !whole && !call.arms.empty())
    reportOpenEnd(context, call);
  if (!ends || !whole || context.text(*whole).starts_with("return"))
    return;
  bool isReached = use == call.span ? isAlwaysReached(context, call, *whole)
                                    : whole->begin == use.begin &&
                                          isAlwaysReachedInMacro(context, call);
  if (!isReached)
    endStartupBehind(context, call, guard, *whole);
  endStartupAtLabels(context, call.function, guard.loops, *whole);
}

/// The last load of the same function stands behind this one, and each way from
/// here comes to it. Not where the function is left between the two; but main
/// may be: the pool then has nothing.
bool goesOnToLast(const Context &context, const Call &call,
                  const LoadGuard &guard) {
  for (const LoadGuard &g : context.solution.startup.guards) {
    const Call &c = context.facts.calls[g.call];
    if (c.function != call.function || (!g.last && g.leadsOn == None))
      continue;
    bool isMain = call.function == guard.main;
    bool loops =
        any_of(guard.loops, [&](Span loop) { return loop.begin < c.span.end; });
    return !loops && isEvaluatedFirst(context, guard, guard.call) &&
           g.refused.empty() && c.loop == None &&
           c.span.file == call.span.file && call.span.end <= c.span.begin &&
           isEvaluatedFirst(context, g, g.call) &&
           none_of(tokens(context.text(
                       {call.span.file, call.span.end, c.span.begin})),
                   [&](const Token &t) {
                     return t.is("goto") || t.is("case") || t.is("default") ||
                            (t.is("return") && !isMain);
                   });
  }
  return false;
}

/// Of several loads whose results are used the section goes on to the last.
bool isPart(Context &context, const Call &call, const LoadGuard &guard) {
  if (endsHere(context, guard) || useOf(context, call) != call.span)
    return false;
  if (guard.leadsOn != None || goesOnToLast(context, call, guard))
    return true;
  bool eitherRuns =
      any_of(context.solution.startup.guards, [&](const LoadGuard &g) {
        const Call &c = context.facts.calls[g.call];
        return c.function == call.function && g.last &&
               Program::exclude(c.arms, call.arms);
      });
  if (!eitherRuns)
    context.refuse(FindingId::SeveralLoads, call.loc, call.function,
                   "the result of this load is used, and the start-up section "
                   "ends with it, although more is loaded after it: if the "
                   "program is killed before that is committed, it never loads "
                   "it; NVM_LOAD() keeps one result for all loads");
  return false;
}

/// NVM_LOAD_PART("main():read_rules()", read_rules(name))
std::string partOf(const Context &context, const Call &call) {
  const Facts &facts = context.facts;
  unsigned same = 0; // before it
  for (const LoadGuard &g : context.solution.startup.guards) {
    const Call &c = facts.calls[g.call];
    same += c.function == call.function && c.callee == call.callee &&
            c.span.begin < call.span.begin;
  }
  return "NVM_LOAD_PART(\"" + facts.functions[call.function].name + "():" +
         (call.callee == None ? "" : facts.functions[call.callee].name) + "()" +
         (same ? "#" + std::to_string(same + 1) : "") + "\", ";
}

/// What the load gives is used in a loop that does nothing but load.
bool guardLoop(Context &context, const Call &call, const LoadGuard &guard,
               const std::string &what, const std::string &why) {
  if (guard.loop == None)
    return false;
  const Loc loc = context.facts.loops[guard.loop].loc;
  std::optional<Span> whole =
      statementOfBody(context, guard, useOf(context, call));
  if (!whole || loc.file != whole->file ||
      context.offsetOf(loc) != whole->begin ||
      !context.isEditable(*whole, loc, call.function, what))
    return false;
  const StringRef text = context.text(*whole);
  const bool isMain = call.function == guard.main;
  if (any_of(tokens(text), [&](const Token &t) {
        return t.is("goto") || (t.is("return") && !isMain);
      }))
    return false;
  auto isOnlyRead = [&](StringRef name) {
    return none_of(guard.writtenInLoop, [&](Id variable) {
      return context.facts.nodes[variable].name == name;
    });
  };
  if (StringRef name = setForLater(context.compiled(whole->file),
                                   bodyOf(context, call.function),
                                   {whole->begin, whole->end}, isOnlyRead);
      !name.empty()) {
    context.refuse(FindingId::LoadNotGuarded, call.loc, call.function,
                   why + ", which also sets " + name.str() +
                       " for what follows",
                   "load in a function of its own, called once");
    return true;
  }
  StatementSpan statement;
  statement.span = *whole;
  statement.inCompound = true;
  const bool ends = endsHere(context, guard);
  if (bracketStatement(context, statement,
                       {ifNotRestored(guard), ends ? "nvm_ready();" : "", false,
                        true, Layer::Roots, Rank::Guard}))
    ++context.counts["guarded loads"];
  return true;
}

/// What the load gives is used, or it gives nothing and is part of an
/// expression.
void guardValue(Context &context, const Call &call, const LoadGuard &guard) {
  std::string what = "the load at start-up is not guarded";
  if (!context.isMacroArgument(call.span, call.loc, call.function, what))
    return;
  if (call.loop != None) {
    const std::string why = what + ": " +
                            (call.result == None ? "it is part of an expression"
                                                 : "its result is used") +
                            " in a loop";
    if (!guardLoop(context, call, guard, what, why))
      context.refuse(FindingId::LoadNotGuarded, call.loc, call.function, why,
                     "load in a function of its own, called once");
    return;
  }
  bool later = !guard.answer.empty() && guard.nothing.empty() &&
               !isPutIntoRoot(context, call, guard.answer);
  if (Id use = later ? usesRootBefore(context, call, guard.answer) : None;
      use != None) {
    context.refuse(FindingId::LoadNotGuarded, context.facts.calls[use].loc,
                   call.function,
                   what + ": this call gets " + guard.answer +
                       " before what was loaded is stored there; at a later "
                       "start it is already restored",
                   "put the load and everything that belongs to it into a "
                   "function of its own");
    return;
  }
  if (later)
    context.refuse(
        FindingId::LoadResult, call.loc, call.function,
        "the result of the load is assigned to " + guard.answer +
            " by another statement, after the commit: if the program is killed "
            "before the first section ends, it has loaded nothing",
        "assign it directly: " + guard.answer + " = the call", Severity::Act);
  bool isVoid = call.result == None;
  bool part = !isVoid && isPart(context, call, guard);
  const std::string load = guard.onRequest ? "NVM_RELOAD" : "NVM_LOAD";
  std::string open = isVoid && endsHere(context, guard) ? load + "_VOID("
                     : isVoid ? "(nvm_restore() ? (void)0 : "
                     : part && guard.answer.empty() ? partOf(context, call)
                     : part                         ? "NVM_LOAD_PART_AS("
                     : guard.answer.empty()         ? load + "("
                     : later                        ? load + "_FOR("
                     : !guard.nothing.empty()       ? load + "_OR("
                                                    : load + "_AS(";
  if (part && !guard.nothing.empty())
    context.refuse(FindingId::LoadResult, call.loc, call.function,
                   "more is loaded after this: a later start takes " +
                       guard.answer + " as the result, even if it was " +
                       guard.nothing,
                   "what the program creates instead must be created before "
                   "the last load");
  std::string rest;
  if (!part && !guard.nothing.empty())
    rest += ", " + guard.nothing;
  if (!guard.answer.empty())
    rest += ", " + guard.answer;
  if (context.edits.wrap(call.span, open, rest + ")", Layer::Roots, Rank::Load))
    ++context.counts["guarded loads"];
  endStartupOf(context, call, guard);
}

} // namespace

void addGuard(Context &context, const LoadGuard &guard) {
  const Call &call = context.facts.calls[guard.call];
  if (call.inHook || guard.isGuarded)
    return;
  auto refuse = [&](const Call &at, const std::string &why,
                    std::string advice = "") {
    context.refuse(FindingId::LoadNotGuarded, at.loc, at.function,
                   "the load at start-up is not guarded: " + why,
                   std::move(advice));
  };
  if (!guard.refused.empty())
    return refuse(call, guard.refused);
  if (keepsNothing(context))
    return refuse(call, "the pool keeps no root that points to what it creates",
                  "name one with nvm_root(), then write if (!nvm_restore()) "
                  "before the load and nvm_ready() after it");
  if (Id other = sharesText(context, guard); other != None)
    return refuse(context.facts.calls[other],
                  "the call is part of a macro, which is also used where the "
                  "load must not be skipped",
                  "call the load by its name at start-up");
  if (guard.wholeStatement)
    guardStatement(context, call, guard);
  else
    guardValue(context, call, guard);
  if (std::optional<Span> next = endOfNext(context, guard)) {
    endStartup(context, *next);
    endStartupAtLabels(context, context.facts.calls[guard.leadsOn].function,
                       guard.loopsInMain, *next);
  } else
    endStartupAbove(context, guard);
}

} // namespace nvmove
