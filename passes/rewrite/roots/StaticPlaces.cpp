//===- StaticPlaces.cpp - Where a static is registered -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/FieldDescriptions.h"
#include "passes/rewrite/roots/Statics.h"
#include "passes/rewrite/text/Directives.h"

REPORTS(ConditionalDefinition, FunctionScopeStatic, NoDefinition,
        StaticInHeader, ThreadLocalStatic, UneditableSite)

using namespace llvm;

namespace nvmove {

namespace {

/// What stands in extern struct node *name;
std::set<StringRef> wordsOfExterns(StringRef text, const Lines &lines) {
  std::set<StringRef> words;
  bool isExtern = false;
  for (const Token &token : tokens(text)) {
    if (lines.inDirective(token.offset))
      continue;
    if (token.is("extern"))
      isExtern = true;
    else if (token.is(";"))
      isExtern = false;
    else if (isExtern)
      words.insert(token.text);
  }
  return words;
}

} // namespace

/// Where the registration of `variable` goes; otherwise says why it cannot.
std::optional<Statics::Place> Statics::placeFor(Id variable, StringRef what,
                                                bool canBeInFunction,
                                                StringRef root) {
  const Node &node = facts.nodes[variable];
  bool isFunction = node.kind == NodeKind::Function;
  Loc loc = isFunction ? facts.functions[node.function].loc : node.loc;
  bool isInFunction = node.isFunctionScope || node.kind == NodeKind::Local;
  bool isDefined = isFunction ? facts.functions[node.function].hasBody
                              : node.isDefined || isInFunction;
  auto refuse = [&](FindingRef id, const Twine &why, const Twine &remedy) {
    context.refuse(id, loc, isFunction ? None : node.function,
                   "'" + Twine(node.name) + "' is " + why + ", so " + what,
                   remedy.str(), std::nullopt,
                   root.empty() ? node.name : root.str());
    return std::nullopt;
  };
  std::optional<uint32_t> inFunction;
  if (isInFunction && canBeInFunction && !node.isThreadLocal)
    inFunction = placeInFunction(node);
  if (isInFunction && !inFunction)
    return refuse(FindingId::FunctionScopeStatic,
                  node.isFunctionScope ? "a static variable inside a function"
                                       : "a local variable",
                  "move it to file scope");
  if (node.isThreadLocal)
    return refuse(FindingId::ThreadLocalStatic, "thread-local",
                  "also keep what it points to in a static variable");
  if (!isDefined || loc.file == None)
    return refuse(FindingId::NoDefinition,
                  "not defined in the files that were analysed",
                  "name the file that defines it");
  Id file = loc.file;
  if (!facts.files[file].editable)
    return refuse(FindingId::UneditableSite,
                  "defined in a file that is not part of the program",
                  "register it by hand");
  bool isInSeveral = !context.includes.isSource(file) &&
                     context.includes.sourcesSeeing(file).size() != 1;
  if (isInSeveral && !isFunction && !isInFunction)
    if (std::optional<Place> place = placeOfOne(variable))
      return place;
  if (isInSeveral)
    return refuse(FindingId::StaticInHeader,
                  "defined in a header that several files include",
                  "define it in one source file");
  if (inFunction) {
    declared.emplace(Place{file, *inFunction}, variable);
    return Place{file, *inFunction};
  }
  std::optional<uint32_t> offset = context.regions(file).endOf(
      isFunction ? endOf(node.function, loc) : context.offsetOf(loc));
  if (!offset)
    return refuse(FindingId::ConditionalDefinition,
                  "defined inside an #if whose braces do not match",
                  "register it by hand");
  Place place{file, *offset};
  if (context.names.isShared(variable))
    shared.insert(place);
  return place;
}

/// Of a variable in a header that several sources see, one of which defines it:
/// `#define global extern`, or `#ifdef MAIN int x; #else extern int x; #endif`.
std::optional<Statics::Place> Statics::placeOfOne(Id variable) {
  const Node &node = facts.nodes[variable];
  Id file = node.loc.file, source = node.definedIn;
  if (node.isStatic || source == None || !context.includes.isSource(source) ||
      !context.includes.sees(source, file) || !facts.files[source].editable ||
      context.names.isShared(variable))
    return std::nullopt;
  StringRef header = context.content(file);
  std::optional<uint32_t> end =
      context.regions(file).endOf(context.offsetOf(node.loc));
  bool isAlwaysDeclared = end == context.regions(file).endOf(header.size()) ||
                          isDeclaredExtern(file, node.name);
  if (!isAlwaysDeclared)
    return std::nullopt;
  return Place{source, context.content(source).size()};
}

bool Statics::isDeclaredExtern(Id file, StringRef name) {
  auto [words, isNew] = externs.try_emplace(file);
  if (isNew)
    words->second = wordsOfExterns(context.content(file), context.lines(file));
  return words->second.count(name);
}

/// Of a function of a library: a source that takes its address has its
/// declaration. Or one that has its registration.
std::optional<Statics::Place> Statics::placeOfUse(const Twin &twin) {
  const Node &node = facts.nodes[twin.variable];
  for (Id file = 0; file < facts.files.size(); ++file)
    if (facts.files[file].editable &&
        context.holds(file, "NVM_CODE(" + node.name + ")"))
      return Place{file, context.content(file).size()};
  for (Id id : twin.uses)
    if (const AddressUse &use = facts.addressUses[id];
        use.span.valid() && context.includes.isSource(use.span.file) &&
        facts.files[use.span.file].editable)
      if (std::optional<uint32_t> end =
              context.regions(use.span.file).endOf(use.span.end))
        return Place{use.span.file, *end};
  context.refuse(FindingId::NoDefinition, facts.functions[node.function].loc,
                 None,
                 "'" + Twine(node.name) +
                     "' is in a library, so pointers to it in persistent "
                     "objects do not survive a restart",
                 "point to a function of the program that calls it");
  return std::nullopt;
}

/// Of its definition there: its head may stand in an #if, and the body behind.
uint32_t Statics::endOf(Id function, Loc loc) const {
  uint32_t begin = context.offsetOf(loc);
  for (const Definition &d : facts.definitions)
    if (d.function == function && d.text.valid() && d.text.file == loc.file &&
        d.text.begin <= begin && begin < d.text.end)
      return d.text.end;
  return begin;
}

/// Behind its declaration, where it is written out in a block.
std::optional<uint32_t> Statics::placeInFunction(const Node &variable) {
  Id file = variable.loc.file;
  if (file == None || !facts.files[file].editable || variable.function == None)
    return std::nullopt;
  StringRef content = context.content(file);
  uint32_t begin = context.offsetOf(variable.loc);
  if (!content.substr(begin).starts_with(variable.name) ||
      context.lines(file).inDirective(begin))
    return std::nullopt;
  int depth = 0;
  std::optional<uint32_t> behind;
  for (const Token &token : tokens(content.substr(begin))) {
    depth += token.is("(") + token.is("[") + token.is("{");
    depth -= token.is(")") + token.is("]") + token.is("}");
    if (depth < 0) // not in the head of a for
      return token.is("}") ? behind : std::nullopt;
    if (depth == 0 && token.is(";") && !behind)
      behind = begin + token.offset + 1;
  }
  return behind;
}

/// Of a local of main that pointers follow: its place is where nvm_start() has
/// not opened the pool yet.
bool Statics::isBeforeStart(Place place, Id function) const {
  return any_of(facts.definitions, [&](const Definition &d) {
    return d.function == function && d.bodyStart.file == place.first &&
           place.second <= d.bodyStart.begin;
  });
}

/// In the pool it goes by "file.c:store():it.first".
std::optional<std::string> Statics::nameHere(Place place,
                                             const std::string &lvalue) {
  Id variable = declared.at(place);
  const Node &node = facts.nodes[variable];
  std::string name = facts.functions[node.function].name + "():" + lvalue;
  if (context.names.isShared(variable))
    name = context.names.prefix(place.first) + name;
  if (auto [at, fresh] = namesInPool.try_emplace(name, variable);
      !fresh && at->second != variable) {
    context.refuse(FindingId::FunctionScopeStatic, node.loc, node.function,
                   "'" + Twine(lvalue) +
                       "' has the name of another static of its function, so "
                       "it is not kept",
                   "rename one of the two");
    return std::nullopt;
  }
  return name;
}

} // namespace nvmove
