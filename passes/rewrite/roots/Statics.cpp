//===- Statics.cpp - The lines that register statics ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/roots/Statics.h"
#include "passes/rewrite/context/ExistingAnnotations.h"
#include "passes/rewrite/roots/RootEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

REPORTS(ConditionalDefinition)

using namespace llvm;

namespace nvmove {

void Statics::run() {
  // Roots that hang from one container are one registration of its array.
  std::map<std::tuple<Id, std::vector<Id>, Id>, Root> kept;
  for (const Root &root : context.solution.restored.roots) {
    if (!root.kept())
      continue;
    auto [at, fresh] =
        kept.try_emplace({root.variable, root.fields, root.container}, root);
    if (!fresh)
      for (const std::vector<Id> &way : root.containerFields)
        if (!is_contained(at->second.containerFields, way))
          at->second.containerFields.push_back(way);
  }
  for (const RestoredScalar &scalar : context.solution.restored.scalars)
    scalars[scalar.variable].insert(scalar.fields);
  for (const auto &[slot, root] : kept)
    addRoot(root);
  isScalar = true;
  addScalars();
  for (const Twin &twin : context.solution.contents.twins)
    addTwin(twin);
  for (const KeptScalar &kept : context.solution.restored.kept)
    addKept(kept);
  if (context.solution.contents.holdsLiterals && !registrations.empty())
    if (std::optional<Place> place = placeForLiterals())
      addLine(*place, "NVM_LITERALS();", "NVM_LITERALS(");
  emit();
}

/// It has to run before the pool is opened: by a constructor, not with what a
/// function has.
std::optional<Statics::Place> Statics::placeForLiterals() {
  for (const auto &[place, lines] : registrations)
    if (!declared.count(place))
      return place;
  const Node &node = facts.nodes[declared.begin()->second];
  const std::optional<uint32_t> offset =
      context.regions(node.loc.file).endOf(endOf(node.function, node.loc));
  if (!offset) {
    context.refuse(FindingId::ConditionalDefinition, node.loc, node.function,
                   "NVM_LITERALS() cannot be called by a constructor after an "
                   "#if whose braces do not match",
                   "call it before nvm_start()");
    return std::nullopt;
  }
  return Place{node.loc.file, *offset};
}

void Statics::addRootLine(Place place, const std::string &lvalue,
                          const std::string &kind) {
  if (declared.count(place))
    addRootLineHere(place, lvalue, kind);
  else
    addRootLineOf(place, kind, "(" + lvalue + ");");
}

/// The root is kept already, in whatever form?
void Statics::addRootLineOf(Place place, const std::string &kind,
                            const std::string &rest) {
  std::string known = kind + rest;
  for (StringRef other : {"NVM_ROOT", "NVM_ROOT_POINTERS", "NVM_ROOT_VOLATILE"})
    if (other != kind &&
        context.holds(place.first, (other + StringRef(rest).drop_back()).str()))
      known = (other + rest).str();
  addLine(place, kind + rest, known);
}

void Statics::addRootLineHere(Place place, const std::string &lvalue,
                              const std::string &kind) {
  if (std::optional<std::string> name = nameHere(place, lvalue))
    addRootLineOf(place, kind, "_HERE(\"" + *name + "\", " + lvalue + ");");
}

/// Adds a line unless `known`, its beginning, is in the file already.
void Statics::addLine(Place place, const std::string &line,
                      const std::string &known) {
  if (StringRef(line).starts_with("NVM_ROOT"))
    (isScalar ? context.keepsScalars : context.keepsRoots) = true;
  std::vector<std::string> &lines = registrations[place];
  auto isThere = [&](StringRef code) { // NVM_DECLARED() takes the semicolon
    code.consume_back(";");
    return context.holds(place.first, code);
  };
  if (!isThere(line))
    checkRegistration(
        context, place.first,
        StringRef(known).take_until([](char c) { return c == ';'; }), line);
  if (!isThere(known) && !isThere(line) && !is_contained(lines, line)) {
    lines.push_back(line);
    ++context
          .counts[line.starts_with("NVM_ROOT")     ? "roots"
                  : line.starts_with("NVM_LOCK")   ? "locks in roots"
                  : line.starts_with("NVM_ENDING") ? "ending pointers in roots"
                  : line.starts_with("NVM_STATIC") || line == "NVM_LITERALS();"
                      ? "statics followed"
                      : "twins"];
  }
}

void Statics::emit() {
  for (const auto &[place, lines] : registrations) {
    if (lines.empty())
      continue;
    if (declared.count(place)) {
      emitHere(place, lines);
      continue;
    }
    auto [file, offset] = place;
    // A header and the source of its name may be one unit.
    StringRef path = facts.files[file].path;
    std::string stem = asIdentifier(context.includes.isSource(file)
                                        ? sys::path::stem(path)
                                        : sys::path::filename(path)),
                tag = stem;
    for (unsigned n = 2; context.holds(file, "NVM_REGISTER(" + tag + ")") ||
                         !tags[file].insert(tag).second;
         ++n)
      tag = stem + "_" + std::to_string(n);
    std::string text = "NVM_REGISTER(" + tag + ") {\n";
    for (const std::string &line : lines)
      text += "    " + line + "\n";
    text += "}\n";
    if (shared.count(place))
      text = "#undef NVM_PREFIX\n#define NVM_PREFIX \"" +
             context.names.prefix(file) + "\"\n" + text +
             "#undef NVM_PREFIX\n#define NVM_PREFIX \"\"\n";
    context.edits.insert(file, offset, context.withoutMacros("\n" + text),
                         Layer::Roots, 0);
  }
}

void Statics::emitHere(Place place, const std::vector<std::string> &lines) {
  auto [file, offset] = place;
  const Node &node = facts.nodes[declared.at(place)];
  std::string newline = "\n" + context.lines(file).indentation(offset).str();
  std::string head = newline;
  if (node.kind == NodeKind::Local)
    head += "NVM_ROOTS_END_WITH(" + node.name + ");" + newline;
  std::vector<std::string> statements;
  // What it leads to is looked at from now on.
  StringRef behindName = context.content(file).substr(
      context.offsetOf(node.loc) + node.name.size());
  if (node.kind == NodeKind::Local &&
      !tokenAt(behindName, skipTrivia(behindName, 0)).is("=")) {
    std::set<StringRef> slots; // NVM_ROOT_BEHIND_HERE("name", slot, ..)
    for (StringRef line : lines)
      if (line.contains("BEHIND_HERE("))
        slots.insert(line.split("\", ").second.split(", ").first);
    for (StringRef slot : slots)
      statements.push_back((slot + " = 0;").str());
  }
  statements.insert(statements.end(), lines.begin(), lines.end());
  if (context.isBeforeDeclaration(file, offset))
    for (std::string &s : statements)
      s = "NVM_DECLARED(" + StringRef(s).drop_back().str() + ");";
  std::string text = head + join(statements, newline);
  uint32_t behind = context.lines(file).endOfLineAfter(offset);
  if (behind == Lines::NoPlace) { // more stands on the line
    behind = offset;
    text += newline;
  }
  context.edits.insert(file, behind, context.withoutMacros(text), Layer::Roots);
}

void addStatics(Context &context) { Statics(context).run(); }

} // namespace nvmove
