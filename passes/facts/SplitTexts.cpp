//===- SplitTexts.cpp - Where strtok(NULL, ..) goes on --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/SplitTexts.h"
#include "passes/facts/Library.h"

using namespace nvmove;

void nvmove::joinSplitTexts(Facts &facts) {
  std::vector<Id> goOn;
  std::vector<Constraint> texts;
  for (Id i = 0; i < facts.calls.size(); ++i) {
    const Call &c = facts.calls[i];
    if (c.callee == None || facts.functions[c.callee].hasBody ||
        c.args.empty() ||
        !hasTrait(facts.functions[c.callee].name,
                  LibraryFunction::GoesOnInText))
      continue;
    Id text = c.args[0];
    if (text != None)
      texts.push_back({Flow::Copy, None, text, None, c.function, c.loc});
    // A variable may be null: for (s = line; (t = strtok(s, " ")); s = NULL)
    if (c.result != None &&
        (text == None || facts.nodes[text].kind == NodeKind::Local))
      goOn.push_back(i);
  }
  if (texts.empty() || goOn.empty())
    return;
  Id all = facts.nodes.size();
  Node node;
  node.type = facts.nodes[texts.front().src].type;
  facts.nodes.push_back(node);
  for (Constraint &c : texts) {
    c.dst = all;
    facts.constraints.push_back(c);
  }
  for (Id i : goOn) {
    const Call &c = facts.calls[i];
    facts.constraints.push_back(
        {Flow::Copy, c.result, all, None, c.function, c.loc});
  }
}
