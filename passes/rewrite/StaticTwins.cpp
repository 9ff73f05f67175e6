//===- StaticTwins.cpp - What persistent objects point to ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Statics.h"
#include "passes/rewrite/Words.h"

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
  std::optional<Place> place = placeFor(
      twin.variable,
      "pointers to it in persistent objects do not survive a restart", false);
  if (!place)
    return;
  bool isFunction = node.kind == NodeKind::Function;
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
  const std::string &name = facts.nodes[kept.variable].name;
  for (Id id : kept.writes) {
    const StaticWrite &write = facts.staticWrites[id];
    std::string lvalue = name;
    for (Id field : write.path)
      if (!facts.fields[field].name.empty())
        lvalue += "." + facts.fields[field].name;
    if (!context.isEditable(write.statement.span, write.loc, write.function,
                            "'" + lvalue + "' is not kept"))
      continue;
    std::string line = "NVM_KEEP(" + lvalue + ");";
    if (context.names.isShared(kept.variable))
      line = "nvm_keep(\"" + context.names.of(kept.variable) + "\", &" +
             lvalue + ", sizeof(" + lvalue + "));";
    StringRef all = context.content(write.statement.span.file);
    if (all.substr(skipTrivia(all, write.statement.span.end)).starts_with(line))
      continue;
    Bracket keep{"", line, false, false, Layer::Roots, Rank::Keep};
    // After the whole of an if, the value could have been used already.
    bool larger = leadingWord(context, write.statement) == "if" ||
                  leadingWord(context, write.statement) == "return";
    if (larger || !whyNotBracketed(context, write.statement).empty())
      context.refuse("kept-scalar-write", write.loc, write.function,
                     "'" + lvalue +
                         "' is written inside a larger statement; write it in "
                         "a statement of its own, followed by " +
                         line);
    else if (bracketStatement(context, write.statement, keep))
      ++context.counts["kept scalars"];
  }
}

} // namespace nvmove
