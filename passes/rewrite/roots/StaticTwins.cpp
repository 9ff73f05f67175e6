//===- StaticTwins.cpp - What persistent objects point to ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Statements.h"
#include "passes/rewrite/layouts/FieldDescriptions.h"
#include "passes/rewrite/roots/Statics.h"

REPORTS(KeptScalarWrite)

using namespace llvm;

namespace nvmove {

void Statics::addFollowedLocal(const Twin &twin) {
  const Node &node = facts.nodes[twin.variable];
  std::optional<Place> place =
      placeFor(twin.variable, "pointers to it do not survive a restart", true);
  if (!place || !isBeforeStart(*place, node.function))
    return;
  if (std::optional<std::string> name = nameHere(*place, node.name)) {
    std::string line = "NVM_STATIC_HERE(\"" + *name + "\", " + node.name + ");";
    addLine(*place, line, line);
  }
}

void Statics::addTwin(const Twin &twin) {
  const Node &node = facts.nodes[twin.variable];
  if (node.kind == NodeKind::Local)
    return addFollowedLocal(twin);
  bool isFunction = node.kind == NodeKind::Function;
  std::optional<Place> place =
      isFunction && !facts.functions[node.function].hasBody
          ? placeOfUse(twin)
          : placeFor(twin.variable,
                     "pointers to it in persistent objects do not survive a "
                     "restart",
                     false);
  if (!place)
    return;
  // #define NAME(x) x##_index: the definition may be written with it, too.
  auto isFixed = [&](Id id) {
    const AddressUse &use = facts.addressUses[id];
    return !use.inHook &&
           (!use.span.valid() || context.text(use.span).contains("##"));
  };
  if (twin.isFollowed || any_of(twin.uses, isFixed)) {
    bool isArray =
        !isFunction && facts.types[node.type].kind == TypeKind::Array;
    StringRef form = isFunction ? "NVM_STATIC_FUNCTION("
                     : isArray  ? "NVM_STATIC_ARRAY("
                                : "NVM_STATIC(";
    std::string line = (form + node.name + ");").str();
    addLine(*place, line, line);
    return;
  }
  std::string hook = isFunction ? "nvm_code" : "nvm_twin";
  std::string line =
      (isFunction ? "NVM_CODE(" : "NVM_TWIN(") + node.name + ");";
  addLine(*place, line, line);
  for (Id id : twin.uses) {
    const AddressUse &use = facts.addressUses[id];
    if (use.inHook)
      continue;
    if (context.isMacroArgument(use.span, use.loc, use.function,
                                "the twin of '" + node.name +
                                    "' is not used here") &&
        context.edits.wrap(use.span, hook + "(", ")", Layer::Roots, Rank::Twin))
      ++context.counts["uses of twins"];
  }
}

void Statics::addKept(const KeptScalar &kept) {
  std::string lvalue = facts.nodes[kept.variable].name;
  for (Id field : kept.fields)
    if (!facts.fields[field].name.empty())
      lvalue += "." + facts.fields[field].name;
  std::string line = "NVM_KEEP(" + lvalue + ");";
  if (context.names.isShared(kept.variable))
    line = "nvm_keep(\"" + context.names.of(kept.variable) +
           lvalue.substr(facts.nodes[kept.variable].name.size()) + "\", &" +
           lvalue + ", sizeof(" + lvalue + "));";
  auto isArray = [&](Id type) {
    return type != None && facts.types[type].kind == TypeKind::Array;
  };
  Id type = facts.nodes[kept.variable].type;
  bool inArray = false;
  for (Id field : kept.fields) {
    inArray |= isArray(type);
    type = facts.fields[field].type;
  }
  // After the whole of an if, the value could have been used already.
  auto isInIf = [&](const StatementSpan &statement) {
    return leadingWord(context, statement) == "if";
  };
  auto put = [&](const StatementSpan &statement, const Loc &loc, Id function,
                 bool isLate, bool isElement) {
    auto refuse = [&](const Twine &what, const Twine &advice) {
      context.refuse(FindingId::KeptScalarWrite, loc, function,
                     "'" + Twine(lvalue) + "' is written " + what,
                     advice.str());
    };
    if (!context.isEditable(statement.span, loc, function,
                            "'" + lvalue + "' is not kept"))
      return;
    StringRef behind =
        context.content(statement.span.file).substr(statement.span.end);
    if (behind.substr(skipTrivia(behind, 0)).starts_with(line))
      return;
    if (inArray)
      return refuse("in an element of an array",
                    "follow it by an nvm_keep() of the element");
    if (isLate || leadingWord(context, statement) == "return" ||
        !whyNotBracketed(context, statement).empty())
      return refuse("inside a larger statement",
                    "write it in a statement of its own, followed by " + line);
    if (isElement) {
      uint32_t end = endOf(function, loc) - statement.span.end;
      if (behind.substr(0, end).contains(line))
        return;
      refuse("one element at a time, and kept as it is after the first",
             "to keep all of it, put after the last " + line);
    }
    Bracket keep{"", line, false, isInIf(statement), Layer::Roots, Rank::Keep};
    if (bracketStatement(context, statement, keep))
      ++context.counts["kept scalars"];
  };
  for (Id id : kept.writes) {
    const StaticWrite &w = facts.staticWrites[id];
    put(w.statement, w.loc, w.function, isInIf(w.statement), isArray(type));
  }
  for (Id id : kept.fills) {
    const Call &c = facts.calls[id];
    put(c.statement, c.loc, c.function, isInIf(c.statement) && !endsUnless(c),
        false);
  }
}

/// if (read(fd, &seed, sizeof seed) < 0) exit(1): what else the statement
/// calls after it never comes back.
bool Statics::endsUnless(const Call &call) const {
  const Span &all = call.statement.span;
  auto isBehind = [&](const Span &span) {
    return span.file == all.file && span.begin >= call.span.end &&
           span.end <= all.end;
  };
  bool some = false;
  for (const Call &c : facts.calls) {
    // One that a macro spells is where its statement is.
    if (c.function != call.function ||
        !(isBehind(c.span) || isBehind(c.statement.span)))
      continue;
    if (!c.deadEnd)
      return false;
    some = true;
  }
  return some;
}

} // namespace nvmove
