//===- ExplainSite.cpp - What the report says of one line -----------------===//
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

bool isAt(const Object *location, StringRef file, unsigned line) {
  if (!location || location->getInteger("line") != int64_t(line))
    return false;
  std::string known = text(*location, "file");
  return known == file || StringRef(known).ends_with(("/" + file).str());
}

} // namespace

/// What stands in the line, and the types that it is about.
void ExplainText::collectSite(StringRef file, unsigned line, TextTable &table,
                              std::vector<std::string> &types) {
  auto each = [&](StringRef list, auto describe) {
    for (const Object *item : objects(report, list))
      if (isAt(item->getObject("location"), file, line))
        table.add({place(*item, "location"), describe(*item)});
  };
  auto about = [&](const std::string &type) {
    if (!type.empty() && !is_contained(types, type))
      types.push_back(type);
  };
  each("statics", [&](const Object &o) {
    std::string why = text(o, "notKept");
    return "declares " + text(o, "name") +
           (why.empty() ? ", which is kept in part" : ", not kept: " + why);
  });
  each("types", [&](const Object &o) {
    about(text(o, "name"));
    return "defines " + title(o);
  });
  each("otherTypes", [&](const Object &o) {
    return "defines " + title(o) +
           ", which is not persistent: " + text(o, "why");
  });
  each("allocations", [&](const Object &o) {
    about(text(o, "record"));
    std::string record = text(o, "record");
    return "allocates " + (record.empty() ? "bytes" : record) +
           " in the pool: " + text(o, "why");
  });
  each("otherAllocations", [&](const Object &o) {
    std::string record = text(o, "record");
    return "allocates " + (record.empty() ? "bytes" : record) +
           ", not in the pool: " + text(o, "why");
  });
  each("stores", [&](const Object &o) {
    about(text(o, "record"));
    std::string field = text(o, "field");
    return "store" + (field.empty() ? "" : " to " + field) +
           ", announced: " + text(o, "why");
  });
  auto replaced = [&](const Object &o) {
    return "becomes " + text(o, "replacement") + ": " + text(o, "why");
  };
  each("replacedCalls", replaced);
  each("replacedUses", replaced);
  each("wrappedBuffers", [&](const Object &) {
    return std::string("announces the buffer that this call fills");
  });
  each("loadGuards", [&](const Object &o) {
    return calls(o) + ": skipped when the pool was restored";
  });
  each("cuts", [&](const Object &o) {
    return "without this call (--stop " + text(o, "stop") +
           ") these are not persistent: " + join(strings(o, "types"), ", ");
  });
  each("findings", [&](const Object &o) {
    return text(o, "severity") + ": " + text(o, "what") + " -> " +
           text(o, "advice") + " [" + text(o, "id") + "]";
  });
}

bool ExplainText::site(StringRef file, unsigned line) {
  TextTable table;
  std::vector<std::string> types;
  collectSite(file, line, table, types);
  for (const Object *s : objects(report, "sections")) {
    for (const Object *call : objects(*s, "calls"))
      if (isAt(call->getObject("location"), file, line))
        table.add({place(*call, "location"),
                   calls(*call) + ": part of section " + text(*s, "name")});
    for (const Object *call : objects(*s, "locks"))
      if (isAt(call->getObject("location"), file, line))
        table.add({place(*call, "location"),
                   calls(*call) + ": what is done while " + text(*s, "name") +
                       " is held is a section"});
  }
  for (const Object *t : objects(report, "threads")) {
    for (const Object *turn : objects(*t, "turns"))
      if (isAt(turn, file, line))
        table.add(
            {placeOf(*turn), "each iteration begins with a restart point of " +
                                 text(*t, "name")});
    for (const Object *call : objects(*t, "waits"))
      if (isAt(call->getObject("location"), file, line))
        table.add({place(*call, "location"), calls(*call) + ": " +
                                                 text(*t, "name") +
                                                 " waits at a restart point"});
  }
  for (const Object *type : objects(report, "types"))
    if (const Object *w = type->getObject("witness")) {
      std::string at;
      for (const Object *call : objects(*w, "callPath"))
        if (isAt(call->getObject("location"), file, line))
          at = place(*call, "location");
      if (isAt(w->getObject("site"), file, line))
        at = place(*w, "site");
      for (const Object *hop : objects(*w, "chain"))
        if (isAt(hop->getObject("location"), file, line))
          at = place(*hop, "location");
      if (!at.empty())
        table.add({at, "a step of the proof that " + text(*type, "name") +
                           " is persistent"});
    }
  if (table.empty())
    return false;
  os << file << ':' << line << '\n';
  print(table, rowsShown);
  for (const Object *type : objects(report, "types"))
    if (is_contained(types, text(*type, "name")))
      if (const Object *w = type->getObject("witness")) {
        os << '\n' << title(*type) << " is persistent\n";
        witness(*w);
      }
  return true;
}

} // namespace nvmove
