//===- ExplainProgram.cpp - Statics and functions in words ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/explain/ExplainText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using json::Object;

namespace nvmove {

namespace {

std::string definedAt(const Object &item) {
  const Object *variable = item.getObject("variable");
  return variable ? place(*variable, "location") : "";
}

std::string variableName(const Object &item) {
  const Object *variable = item.getObject("variable");
  return variable ? text(*variable, "name") : "";
}

} // namespace

void ExplainText::places(const Object &item, StringRef key, StringRef what) {
  TextTable table;
  if (const json::Array *array = item.getArray(key))
    for (const json::Value &value : *array)
      if (const Object *l = value.getAsObject())
        table.add({text(*l, "file") + ":" +
                   itostr(l->getInteger("line").value_or(0)) + ":" +
                   itostr(l->getInteger("column").value_or(0))});
  if (table.empty())
    return;
  os << what << '\n';
  print(table, rowsShown / 2);
}

void ExplainText::restoredScalar(const Object &scalar) {
  os << text(scalar, "path") << " is a restored scalar\n";
  TextTable table;
  table.add({"defined", definedAt(scalar)});
  table.add({"kept", "with the roots: it is restored after a restart"});
  table.add({"why", text(scalar, "why")});
  table.print(os);
}

void ExplainText::keptScalar(const Object &scalar) {
  os << text(scalar, "path") << " is a kept scalar\n";
  TextTable table;
  table.add({"defined", definedAt(scalar)});
  table.add({"kept", "for ever: the value of the first start"});
  table.add({"why", text(scalar, "why")});
  table.print(os);
  places(scalar, "writes", "where it is written, and reset");
  places(scalar, "fills",
         "calls that get its address, after which it is reset");
}

void ExplainText::twin(const Object &twin) {
  bool isFollowed = twin.getBoolean("followed").value_or(false);
  os << variableName(twin)
     << (isFollowed ? " is a followed static\n" : " is a twin\n");
  TextTable table;
  table.add({"defined", definedAt(twin)});
  table.add(
      {"kept",
       isFollowed
           ? "no; pointers to it in the pool are updated if its address "
             "differs in a run"
           : "as a twin at a fixed address, which each start creates from it"});
  table.add({"why", text(twin, "why")});
  table.print(os);
  places(twin, "uses", "where its address is taken");
}

void ExplainText::variable(const Object &variable, StringRef path,
                           ArrayRef<Kept> kept) {
  std::string name = text(variable, "name"), why = text(variable, "notKept");
  os << path
     << (path == name ? " is a static" : " is part of the static " + name)
     << (kept.empty() ? ", and not kept\n" : "\n");
  TextTable table;
  table.add({"defined", place(variable, "location")});
  if (std::string in = text(variable, "function"); !in.empty())
    table.add({"in", in});
  table.add({"type", text(variable, "type")});
  if (!why.empty())
    table.add({"not kept", why});
  else if (kept.empty())
    table.add({"not kept", "no store of the load was found there"});
  std::string where = place(variable, "location");
  for (const Object *n : objects(report, "findings"))
    if (place(*n, "location") == where)
      table.add({text(*n, "severity"), text(*n, "what") + " -> " +
                                           text(*n, "advice") + " [" +
                                           text(*n, "id") + "]"});
  table.print(os);
  if (kept.empty())
    return;
  os << "restored members\n";
  for (const Kept &k : kept)
    table.add({k.path, k.how});
  print(table, rowsShown);
  os << "no other member was found to be set by the load\n";
}

/// The calls that lead from a load function to this one.
std::vector<const Object *>
ExplainText::callPath(const Object &function) const {
  std::vector<const Object *> path;
  const Object *at = &function;
  while (const Object *call = at->getObject("calledAt")) {
    if (is_contained(path, call))
      break;
    path.push_back(call);
    std::string caller = text(*call, "caller");
    auto all = objects(report, "functions");
    auto next = find_if(all, [&](const Object *f) {
      return f->getBoolean("reached").value_or(false) &&
             text(*f, "name") == caller;
    });
    if (next == all.end())
      break;
    at = *next;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void ExplainText::function(const Object &function) {
  std::string name = text(function, "name");
  const Object *options = report.getObject("options");
  std::string load = options ? join(strings(*options, "load"), " or ") : "";
  bool isReached = function.getBoolean("reached").value_or(false);
  auto path = callPath(function);
  os << name << " is a function"
     << (!isReached     ? " that the load does not reach\n"
         : path.empty() ? " that loads the state\n"
                        : " that the load reaches\n");
  TextTable table;
  table.add({"defined", place(function, "location")});
  if (!isReached)
    table.add({"why", "no followed call leads there from " + load});
  for (auto [list, key, what] :
       {std::tuple("allocations", "caller", "allocates in the pool"),
        std::tuple("stores", "function", "stores announced"),
        std::tuple("replacedCalls", "caller", "calls replaced")}) {
    size_t n = count_if(objects(report, list),
                        [&](const Object *o) { return text(*o, key) == name; });
    if (n)
      table.add({what, itostr(n) + (n == 1 ? " place" : " places")});
  }
  table.print(os);
  if (path.empty())
    return;
  os << "how the load phase gets there\n";
  addCalls(path, table);
  table.print(os);
}

} // namespace nvmove
