//===- ExplainText.cpp - Verdicts of a report in words ------------- ===//
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

/// A proof is a screenful with everything around it.
constexpr size_t stepsShown = 12;

std::string yesNo(const Object &type, StringRef key) {
  return type.getBoolean(key).value_or(false) ? "yes" : "no";
}

} // namespace

std::string ExplainText::title(const Object &type) {
  std::string spelling = text(type, "spelling");
  return StringRef(spelling).contains("__typeof__") ? text(type, "name")
                                                    : spelling;
}

std::string ExplainText::calls(const Object &call) {
  std::string caller = text(call, "caller"), callee = text(call, "callee");
  return (caller.empty() ? "an initialiser" : caller) + " calls " +
         (callee.empty() ? "through a pointer" : callee);
}

void ExplainText::print(TextTable &table, size_t most) {
  size_t left = table.size() > most ? table.size() - most : 0;
  table.print(os, most);
  if (left)
    os << "  ... " << left << " more in report.json\n";
}

void ExplainText::aliases(const Object &type, TextTable &table) {
  if (auto names = strings(type, "aliases"); !names.empty())
    table.add({"also called", join(names, ", ")});
}

void ExplainText::persistentType(const Object &type) {
  os << title(type) << " is persistent\n";
  TextTable head;
  head.add({"defined", place(type, "location")});
  aliases(type, head);
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
  aliases(type, table);
  table.add({"why", text(type, "why")});
  table.print(os);
}

void ExplainText::addCalls(ArrayRef<const Object *> steps, TextTable &table) {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > stepsShown && i == stepsShown / 2) {
      size_t left = steps.size() - stepsShown;
      table.add({"...", itostr(left) + " more calls"});
      i += left;
    }
    table.add({place(*steps[i], "location"), calls(*steps[i])});
  }
}

void ExplainText::witness(const Object &w) {
  os << "how the load phase gets there\n";
  TextTable path;
  addCalls(objects(w, "callPath"), path);
  path.add({place(w, "site"), text(w, "function") + " " + text(w, "action")});
  path.print(os);
  chain(w);
}

void ExplainText::chain(const Object &w) {
  os << "how it is reached from static memory\n";
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
               text(*field, "basis"),
               text(*field, "evidence") +
                   (leads.empty() ? "" : "; leads to " + leads)});
  }
  if (table.empty())
    return;
  os << "fields (proof: a store of the load was found; advice: to be judged by "
        "a reader)\n";
  print(table, rowsShown);
}

void ExplainText::field(const Object &type, const Object &field) {
  os << title(type) << '\n';
  TextTable table;
  table.add(
      {text(field, "name"), text(field, "verdict"), text(field, "evidence")});
  table.print(os);
  TextTable more;
  more.add({"basis",
            text(field, "basis") == "proof"
                ? "proof: a store that the load makes was found"
                : "advice: no such store was found; to be judged by a reader"});
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
    table.add({"kept", "the program creates " + container +
                           " at each start; restored from the pool are " +
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
  if (auto locks = objects(section, "locks"); !locks.empty()) {
    os << "is acquired, waited with and released\n";
    TextTable taken;
    for (const Object *call : locks)
      taken.add({place(*call, "location"), calls(*call)});
    print(taken, rowsShown);
  }
  os << "calls\n";
  TextTable bracketed;
  for (const Object *call : objects(section, "calls"))
    bracketed.add({place(*call, "location"), calls(*call)});
  print(bracketed, rowsShown);
}

void ExplainText::thread(const Object &thread) {
  os << text(thread, "name")
     << " is a thread that takes part in restart points\n";
  TextTable points;
  for (const Object *turn : objects(thread, "turns"))
    points.add({placeOf(*turn), "each iteration of the loop begins with one"});
  for (const Object *call : objects(thread, "waits"))
    points.add({place(*call, "location"), calls(*call) + ", and waits at one"});
  print(points, rowsShown);
}

} // namespace nvmove
