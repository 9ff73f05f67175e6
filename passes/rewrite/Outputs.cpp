//===- Outputs.cpp - Stores whose value is computed across an output ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `NVM(p->n) = f()` may announce p->n before it calls f(). If f() writes to a
// file, the section commits there, and the store that follows is no longer
// announced. The order is the compiler's choice; such a store is listed.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Context.h"
#include <algorithm>

using namespace llvm;

namespace nvmove {

namespace {

class OutputFinder {
public:
  explicit OutputFinder(const Context &context);
  /// The first call in [begin, end) that leads to an output; None if none does.
  Id callIn(Id file, uint32_t begin, uint32_t end) const;

private:
  const Facts &facts;
  std::set<Id> functions; ///< that output, directly or through direct calls
  std::set<Id> outputs;   ///< calls of the library functions themselves
  std::map<Id, std::vector<std::pair<uint32_t, Id>>> callsOf; ///< by file
};

OutputFinder::OutputFinder(const Context &context) : facts(context.facts) {
  std::vector<Id> work;
  auto add = [&](Id function) {
    if (function != None && functions.insert(function).second)
      work.push_back(function);
  };
  for (const ReplacedCall &replaced : context.solution.replaced)
    if (layerOf(replaced.replacement) == Layer::Sections) {
      outputs.insert(replaced.call);
      add(facts.calls[replaced.call].function);
    }
  std::multimap<Id, Id> callersOf;
  for (Id id = 0; id < facts.calls.size(); ++id) {
    const Call &call = facts.calls[id];
    if (call.callee != None)
      callersOf.emplace(call.callee, call.function);
    if (call.span.valid())
      callsOf[call.span.file].emplace_back(call.span.begin, id);
  }
  while (!work.empty()) {
    auto [first, last] = callersOf.equal_range(work.back());
    work.pop_back();
    for (auto it = first; it != last; ++it)
      add(it->second);
  }
  for (auto &[file, calls] : callsOf)
    std::sort(calls.begin(), calls.end());
}

Id OutputFinder::callIn(Id file, uint32_t begin, uint32_t end) const {
  auto found = callsOf.find(file);
  if (found == callsOf.end())
    return None;
  auto it = std::lower_bound(found->second.begin(), found->second.end(),
                             std::pair(begin, Id(0)));
  for (; it != found->second.end() && it->first < end; ++it) {
    const Call &call = facts.calls[it->second];
    if (outputs.count(it->second) || functions.count(call.callee))
      return it->second;
  }
  return None;
}

/// Length of the right-hand side that follows a store's lvalue; 0 when there
/// is none, as for ++.
uint32_t rightHandSide(StringRef text) {
  static constexpr StringRef assignments[] = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  int depth = 0;
  uint32_t end = 0;
  // A statement is short; tokens of the whole rest of the file are not wanted.
  for (uint32_t at = skipTrivia(text, 0); at < text.size();
       at = skipTrivia(text, end)) {
    Token token = tokenAt(text, at);
    bool isFirst = end == 0;
    end = at + token.text.size();
    if (isFirst && !is_contained(assignments, token.text))
      return 0;
    depth += token.is("(") + token.is("[") + token.is("{");
    depth -= token.is(")") + token.is("]") + token.is("}");
    if (depth < 0 || (depth == 0 && (token.is(";") || token.is(","))))
      return at;
  }
  return text.size();
}

} // namespace

void listStoresAcrossOutputs(Context &context) {
  OutputFinder finder(context);
  for (const AnnouncedStore &announced : context.solution.stores) {
    const StoreSite &store = context.facts.stores[announced.store];
    if (!store.span.valid() || !context.facts.files[store.span.file].editable)
      continue;
    uint32_t begin = store.span.end;
    if (begin > context.content(store.span.file).size())
      continue;
    uint32_t length =
        rightHandSide(context.content(store.span.file).drop_front(begin));
    Id call = finder.callIn(store.span.file, begin, begin + length);
    if (call == None || context.facts.calls[call].function != store.function)
      continue;
    context.refuse("store-across-output", store.loc, store.function,
                   "the value stored here is computed by a call that may write "
                   "to a file, which commits; the store may come after that "
                   "commit unannounced: compute the value in a statement of "
                   "its own before");
  }
}

} // namespace nvmove
