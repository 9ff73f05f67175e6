//===- Layouts.cpp - What each persistent type looks like -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pool remembers the layout of its types and is refused by a program whose
// types have changed. Each type is described in one source file that sees its
// definition.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/ExistingAnnotations.h"
#include "passes/rewrite/layouts/BitFields.h"
#include "passes/rewrite/layouts/Elements.h"
#include "passes/rewrite/layouts/FieldDescriptions.h"
#include "passes/rewrite/layouts/LayoutEdits.h"
#include "passes/rewrite/text/Directives.h"

REPORTS(ConditionalDefinition, LayoutTypeInvisible, UnnamedType,
        WrittenOtherwise)

using namespace llvm;

namespace nvmove {

namespace {

/// Sources with an allocation site of each record.
std::map<Id, std::set<Id>> allocatingFiles(const Context &context) {
  std::map<Id, std::set<Id>> result;
  for (const AllocationSite &site : context.solution.sites.allocations)
    if (site.record != None && context.facts.calls[site.call].span.file != None)
      result[site.record].insert(context.facts.calls[site.call].span.file);
  return result;
}

std::map<Id, std::set<Id>> storingFiles(const Facts &facts) {
  std::map<Id, std::set<Id>> result;
  for (const StoreSite &store : facts.stores)
    if (store.record != None && store.loc.file != None)
      result[store.record].insert(store.loc.file);
  return result;
}

/// Sources with code that names a member of each record.
std::map<Id, std::set<Id>> usingFiles(const Facts &facts) {
  std::map<Id, std::set<Id>> result;
  for (const Constraint &c : facts.constraints)
    if (c.flow == Flow::Member && c.loc.file != None)
      result[facts.fields[c.extra].record].insert(c.loc.file);
  return result;
}

/// Best first: the source that defines the type, then one that allocates it,
/// then one that writes it, then one that uses it, then any that sees it, as
/// far as the text tells.
Id chooseFile(const Context &context, Id record, const std::set<Id> &allocating,
              const std::set<Id> &storing, const std::set<Id> &users) {
  Id home = context.facts.records[record].loc.file;
  if (context.includes.isSource(home))
    return home;
  for (const std::set<Id> *preferred : {&allocating, &storing, &users})
    for (Id source : context.includes.sources())
      if (preferred->count(source) && context.seesRecord(source, record))
        return source;
  for (Id source : context.includes.sources())
    if (context.seesRecord(source, record))
      return source;
  return None;
}

/// Members in order, those of anonymous members included; `path` leads to the
/// record.
void listFields(const Context &context, Id outer, Id record,
                const std::string &path, std::vector<std::string> &lines) {
  const Facts &facts = context.facts;
  const std::string &type = facts.records[outer].spelling;
  for (Id id : facts.records[record].fields) {
    const Field &field = facts.fields[id];
    const Type &fieldType = facts.types[field.type];
    if (field.name.empty() && fieldType.kind == TypeKind::Record)
      listFields(context, outer, fieldType.inner, path, lines);
    else if (!field.name.empty() && isOpened(context, outer, id))
      listFields(context, outer, fieldType.inner, path + field.name + ".",
                 lines);
    else if (!field.name.empty() && !field.width_bits)
      lines.push_back(
          describeField(context, outer, type, id, path + field.name));
    else if (field.width_bits)
      if (auto run = bitRunOf(facts, id); run && run->fields.front() == id)
        lines.push_back(describeBits(facts, *run, type));
  }
}

std::string layoutOf(const Context &context, Id record,
                     const std::string &name) {
  const std::string &type = context.facts.records[record].spelling;
  std::vector<std::string> lines;
  listFields(context, record, record, "", lines);
  if (lines.empty()) // the size is all that can be said
    lines.push_back("{ \"\", 0, sizeof(" + type + ") }");
  if (context.lineLogs.count(record))
    lines.push_back("NVM_LINE_LOG(" + type + ")");
  std::string text = "\nNVM_LAYOUT(" + name + ", " + type;
  for (const std::string &line : lines)
    text += ",\n           " + line;
  return text + ");\n";
}

/// A record without a name of its own that is a member of another one: the
/// outer record's layout holds it.
bool isUnnamedMember(const Facts &facts, Id record) {
  return any_of(facts.fields, [&](const Field &field) {
    Id type = elementOf(facts, field.type);
    return facts.types[type].kind == TypeKind::Record &&
           facts.types[type].inner == record;
  });
}

void addLayout(Context &context, Id record, Id file) {
  const Record &r = context.facts.records[record];
  const std::string &name = context.typeName(record);
  StringRef content = context.content(file);
  std::optional<uint32_t> offset = content.size();
  if (r.loc.file == file)
    offset = context.regions(file).endOf(context.offsetOf(r.loc));
  if (!offset) {
    context.refuse(FindingId::ConditionalDefinition, r.loc, None,
                   "the type '" + r.spelling +
                       "' is defined inside an #if whose braces do not match, "
                       "so its layout "
                       "is not described",
                   "call nvm_layout() for it", Severity::Check);
    return;
  }
  context.needType(file, name, Layer::Roots);
  std::string text = layoutOf(context, record, name);
  if (fillsBlocks(context, record))
    text += "NVM_ELEMENTS(" + name + ");\n";
  context.edits.insert(file, *offset, context.withoutMacros(text), Layer::Roots,
                       1);
  ++context.counts["type layouts"];
}

/// One that is there is what would be written now?
void checkLayout(Context &context, Id record, const std::string &name) {
  if (!context.isSpellable(record))
    return;
  std::string known = "NVM_LAYOUT(" + name + ",",
              line = layoutOf(context, record, name);
  for (Id file = 0; file < context.contents.size(); ++file) {
    std::optional<uint32_t> at = context.find(file, known);
    if (!at)
      continue;
    checkRegistration(context, file, known, StringRef(line).ltrim());
    std::string elements = "NVM_ELEMENTS(" + name + ")";
    if (fillsBlocks(context, record) && !context.holds(file, elements))
      context.refuse(FindingId::WrittenOtherwise, context.locOf(file, *at),
                     None,
                     elements + "; does not follow this layout: in a block of "
                                "several records, a restart would reset what "
                                "ends with the process only in the first");
  }
}

} // namespace

void addLayouts(Context &context) {
  const Facts &facts = context.facts;
  std::map<Id, std::set<Id>> allocating = allocatingFiles(context),
                             storing = storingFiles(facts),
                             users = usingFiles(facts);
  std::map<std::string, Id> inOrder;
  for (const PersistentType &type : context.solution.records.types)
    if (!type.byValue)
      inOrder.emplace(context.typeName(type.record), type.record);

  for (const auto &[name, record] : inOrder) {
    if (context.anyHolds("NVM_LAYOUT(" + name + ",")) {
      checkLayout(context, record, name);
      continue;
    }
    const Record &r = facts.records[record];
    if (!context.isSpellable(record)) {
      if (!isUnnamedMember(facts, record))
        context.refuse(
            FindingId::UnnamedType, r.loc, None,
            "the type '" + r.spelling +
                "' has no name or no definition at file scope, so its layout "
                "is not described and a change of it will not be detected");
      continue;
    }
    Id file = chooseFile(context, record, allocating[record], storing[record],
                         users[record]);
    if (file != None)
      addLayout(context, record, file);
    else
      context.refuse(FindingId::LayoutTypeInvisible, r.loc, None,
                     "no analysed source file sees the definition of '" +
                         r.spelling +
                         "', so its layout is not described and a change of it "
                         "will not be detected");
  }
}

} // namespace nvmove
