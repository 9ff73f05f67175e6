//===- FieldDescriptions.cpp - Which words of a record are pointers -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/FieldDescriptions.h"

using namespace llvm;

namespace nvmove {

namespace {

enum class Content { Pointers, Records, Computed, Other };

bool isPersistent(const Context &context, Id record) {
  return any_of(
      context.solution.records.types,
      [&](const PersistentType &type) { return type.record == record; });
}

PointerLayout wordsOf(const Context &context) {
  return {context.facts, context.solution.contents.addresses};
}

Content contentOf(const Context &context, Id field) {
  const Facts &facts = context.facts;
  const Type &type = facts.types[elementOf(facts, facts.fields[field].type)];
  PointerLayout words = wordsOf(context);
  if (context.solution.contents.addresses.computed.count(field))
    return Content::Computed;
  if (words.holdsPointers(field))
    return Content::Pointers;
  if (type.kind == TypeKind::Record && isPersistent(context, type.inner) &&
      context.isSpellable(type.inner))
    return Content::Records;
  return type.kind == TypeKind::Record && words.isMadeOfPointers(type.inner)
             ? Content::Pointers
             : Content::Other;
}

/// Something in it is told by what it holds.
bool holdsAddresses(const Context &context, Id record) {
  const Solution &s = context.solution;
  const Facts &facts = context.facts;
  return any_of(facts.records[record].fields, [&](Id field) {
    const Type &type = facts.types[elementOf(facts, facts.fields[field].type)];
    return s.contents.addresses.computed.count(field) ||
           is_contained(s.contents.descriptors, field) ||
           type.kind == TypeKind::Pointer ||
           (type.kind == TypeKind::Record &&
            holdsAddresses(context, type.inner));
  });
}

} // namespace

bool isOpened(const Context &context, Id record, Id field) {
  const Facts &facts = context.facts;
  PointerLayout words = wordsOf(context);
  if (!words.canBeOpened(field) || !words.isCertain(record, field))
    return false;
  Id inner = facts.types[facts.fields[field].type].inner;
  return !(isPersistent(context, inner) && context.isSpellable(inner)) &&
         holdsAddresses(context, inner);
}

std::string describeField(const Context &context, Id record,
                          const std::string &type, Id field,
                          const std::string &path) {
  const Facts &facts = context.facts;
  const Field &f = facts.fields[field];
  Content content = contentOf(context, field);
  std::string open = "(" + type + ", " + path;
  if (content == Content::Computed) {
    bool inHeap = context.solution.contents.addresses.ofHeapAlone.count(field);
    return std::string(f.flexible ? "NVM_FLEXIBLE_COMPUTED" : "NVM_COMPUTED") +
           (inHeap ? "_IN_HEAP" : "") + open + ")";
  }
  bool certain = wordsOf(context).isCertain(record, field);
  bool isVolatile =
      is_contained(context.solution.contents.volatileFields, field);
  if (content == Content::Pointers && certain && isVolatile && !f.flexible)
    return "NVM_VOLATILE" + open + ")";
  if (is_contained(context.solution.contents.descriptors, field) && !f.flexible)
    return "NVM_DESCRIPTOR" + open + ")";
  if (content == Content::Pointers && certain)
    return (f.flexible ? "NVM_FLEXIBLE_POINTERS" : "NVM_POINTER") + open + ")";
  if (content == Content::Records && certain)
    return (f.flexible ? "NVM_FLEXIBLE_RECORD" : "NVM_RECORD") + open + ", " +
           context.typeName(facts.types[elementOf(facts, f.type)].inner) + ")";
  return (f.flexible ? "NVM_FLEXIBLE" : "NVM_FIELD") + open + ")";
}

bool holdsPointers(const Context &context, Id variable,
                   const std::vector<Id> &fields, Id type) {
  Id element = elementOf(context.facts, type);
  if (element == None ||
      context.facts.types[element].kind != TypeKind::Pointer ||
      context.solution.contents.addresses.variables.count(variable))
    return false;
  return fields.empty() ||
         (contentOf(context, fields.back()) == Content::Pointers &&
          !wordsOf(context).isOverlaid(fields.back()));
}

} // namespace nvmove
