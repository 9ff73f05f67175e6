//===- ExplainText.cpp - Verdicts of a report in words ------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/ExplainText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using json::Object;

namespace nvmove {

namespace {

/// A proof is a screenful with everything around it.
constexpr size_t stepsShown = 12;
constexpr size_t rowsShown = 20;

/// How the type is spelled, unless that is only its place in another type.
std::string title(const Object &type) {
  std::string spelling = text(type, "spelling");
  return StringRef(spelling).contains("__typeof__") ? text(type, "name")
                                                    : spelling;
}

std::string yesNo(const Object &type, StringRef key) {
  return type.getBoolean(key).value_or(false) ? "yes" : "no";
}

std::string calls(const Object &call) {
  std::string caller = text(call, "caller"), callee = text(call, "callee");
  return (caller.empty() ? "an initialiser" : caller) + " calls " +
         (callee.empty() ? "through a pointer" : callee);
}

bool isAt(const Object *location, StringRef file, unsigned line) {
  if (!location || location->getInteger("line") != int64_t(line))
    return false;
  std::string known = text(*location, "file");
  return known == file || StringRef(known).ends_with(("/" + file).str());
}

} // namespace

void ExplainText::print(TextTable &table, size_t most) {
  size_t left = table.size() > most ? table.size() - most : 0;
  table.print(os, most);
  if (left)
    os << "  ... " << left << " more in report.json\n";
}

void ExplainText::persistentType(const Object &type) {
  os << title(type) << " is persistent\n";
  TextTable head;
  head.add({"defined", place(type, "location")});
  head.add({"holds data from the file", yesNo(type, "carriesFileData")});
  head.add({"read by more than load", yesNo(type, "readOutsideLoad")});
  head.print(os);
  if (const Object *w = type.getObject("witness"))
    witness(*w);
  fields(type);
  cuts(text(type, "name"));
}

void ExplainText::otherType(const Object &type) {
  os << title(type) << " is not persistent\n";
  TextTable table;
  table.add({"defined", place(type, "location")});
  table.add({"why", text(type, "why")});
  table.print(os);
}

void ExplainText::witness(const Object &w) {
  os << "how the load phase gets there\n";
  TextTable path;
  auto steps = objects(w, "callPath");
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > stepsShown && i == stepsShown / 2) {
      size_t left = steps.size() - stepsShown;
      path.add({"...", itostr(left) + " more calls"});
      i += left;
    }
    path.add({place(*steps[i], "location"), calls(*steps[i])});
  }
  path.add({place(w, "site"), text(w, "function") + " " + text(w, "action")});
  path.print(os);
  chain(w);
}

void ExplainText::chain(const Object &w) {
  os << "how it hangs from static memory\n";
  TextTable table;
  auto hops = objects(w, "chain");
  for (size_t i = 0; i < hops.size(); ++i) {
    if (hops.size() > stepsShown && i == stepsShown / 2) {
      size_t left = hops.size() - stepsShown;
      table.add({"...", itostr(left) + " more steps"});
      i += left;
    }
    const Object &hop = *hops[i];
    std::string target = text(hop, "target"), function = text(hop, "function");
    std::string what = target.empty() ? "static memory" : "-> " + target;
    std::string how;
    if (!target.empty() && !function.empty())
      how =
          "stored by " + function + " at " + place(hop, "location") +
          (hop.getBoolean("duringLoad").value_or(false) ? ""
                                                        : ", not by the load");
    else
      how = place(hop, "location");
    table.add({text(hop, "slot"), what, how});
  }
  table.print(os);
}

void ExplainText::fields(const Object &type) {
  TextTable table;
  for (const Object *field : objects(type, "fields")) {
    std::string leads = join(strings(*field, "leadsTo"), ", ");
    table.add({text(*field, "name"), text(*field, "verdict"),
               text(*field, "evidence") +
                   (leads.empty() ? "" : "; leads to " + leads)});
  }
  if (table.empty())
    return;
  os << "fields\n";
  print(table, rowsShown);
}

void ExplainText::field(const Object &type, const Object &field) {
  os << title(type) << '\n';
  TextTable table;
  table.add(
      {text(field, "name"), text(field, "verdict"), text(field, "evidence")});
  table.print(os);
  TextTable more;
  more.add({"type", text(field, "type")});
  if (auto leads = strings(field, "leadsTo"); !leads.empty())
    more.add({"leads to", join(leads, ", ")});
  more.print(os);
  stores(text(type, "name") + "." + text(field, "name"));
  if (const Object *w = type.getObject("witness"))
    witness(*w);
  cuts(text(type, "name"));
}

void ExplainText::stores(const std::string &field) {
  TextTable table;
  for (const Object *store : objects(report, "stores"))
    if (text(*store, "field") == field)
      table.add({place(*store, "location"), text(*store, "function")});
  if (table.empty())
    return;
  os << "where it is stored\n";
  print(table, rowsShown / 2);
}

void ExplainText::cuts(StringRef type) {
  TextTable table;
  for (const Object *cut : objects(report, "cuts")) {
    std::vector<std::string> gone = strings(*cut, "types");
    if (!is_contained(gone, type))
      continue;
    std::string others =
        itostr(gone.size()) + (gone.size() == 1 ? " type goes" : " types go");
    if (gone.size() > 1)
      others += ": " + join(ArrayRef(gone).take_front(8), ", ") +
                (gone.size() > 8 ? ", ..." : "");
    if (auto roots = strings(*cut, "roots"); !roots.empty())
      others += "; and the root" + std::string(roots.size() > 1 ? "s " : " ") +
                join(ArrayRef(roots).take_front(8), ", ") +
                (roots.size() > 8 ? ", ..." : "");
    table.add({place(*cut, "location"), calls(*cut),
               "--stop " + text(*cut, "stop") + ": " + others});
  }
  if (table.empty())
    return;
  os << "would not be persistent without\n";
  print(table, stepsShown);
}

void ExplainText::typesBehind(StringRef root) {
  std::vector<std::string> names;
  for (const Object *type : objects(report, "types"))
    if (const Object *w = type->getObject("witness"))
      for (const Object *hop : objects(*w, "chain")) {
        // "server.db[].dict" is reached through the slot "server.db".
        std::string slot = text(*hop, "slot");
        StringRef rest = root;
        if (!text(*hop, "target").empty() && rest.consume_front(slot) &&
            (rest.empty() || rest[0] == '.' || rest[0] == '[' ||
             rest[0] == '-'))
          names.push_back(text(*type, "name"));
        break;
      }
  if (!names.empty())
    os << "proofs that start here\n  " << join(names, ", ") << '\n';
}

void ExplainText::root(const Object &root) {
  std::string path = text(root, "path");
  os << path << " is a root\n";
  TextTable table;
  if (const Object *variable = root.getObject("variable"))
    table.add({"defined", place(*variable, "location")});
  table.add({"type", text(root, "slotType")});
  if (std::string why = text(root, "notKept"); !why.empty())
    table.add({"kept", "no: " + why});
  if (std::string container = text(root, "container"); !container.empty())
    table.add({"kept", "the program makes " + container +
                           " at each start; from the pool come " +
                           join(strings(root, "containerFields"), ", ")});
  table.print(os);
  if (const Object *w = root.getObject("witness"))
    witness(*w);
  typesBehind(path);
}

void ExplainText::section(const Object &section) {
  os << text(section, "name") << " is a section\n";
  TextTable table;
  table.add({"kind", text(section, "kind")});
  table.add(
      {"reaches",
       itostr(int64_t(section.getNumber("share").value_or(0) * 100 + 0.5)) +
           " % of the announced stores"});
  table.print(os);
  os << "calls\n";
  TextTable bracketed;
  for (const Object *call : objects(section, "calls"))
    bracketed.add({place(*call, "location"), calls(*call)});
  print(bracketed, rowsShown);
}

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
  each("notCovered", [&](const Object &o) {
    return "not covered: " + text(o, "what") + " [" + text(o, "id") + "]";
  });
}

bool ExplainText::site(StringRef file, unsigned line) {
  TextTable table;
  std::vector<std::string> types;
  collectSite(file, line, table, types);
  for (const Object *s : objects(report, "sections"))
    for (const Object *call : objects(*s, "calls"))
      if (isAt(call->getObject("location"), file, line))
        table.add({place(*call, "location"),
                   calls(*call) + ": part of section " + text(*s, "name")});
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
