//===- SplitAddresses.cpp - Addresses in several small numbers ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   i->box[0] = (unsigned)(uintptr_t)text;
//   i->box[1] = (unsigned)((uintptr_t)text >> 32);
//   ..
//   free((char *)((uintptr_t)i->box[1] << 32 | i->box[0]));
//
// No number here is an address, so nobody knows what the pointer leads to: it
// is freed, and written through, as if it were no persistent memory, and it is
// not corrected where the heap lies elsewhere. That the pointer is made of
// nothing but such numbers tells them from distances and hashes.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(SplitAddress)

using namespace nvmove;

namespace {

using SplitAddressesParts = View<const Types, const Addresses>;

/// Integers that no address fits into.
bool isSmall(const Program &p, Id type) {
  type = type == None ? None : p.element(type);
  return type != None && p.kind(type) == TypeKind::Integer &&
         p.facts.types[type].size_bytes < sizeof(void *);
}

/// What a number is put together of.
class Halves : public BackwardSlice {
public:
  Halves(const Program &p, const DefinitionIndex &values)
      : BackwardSlice(p, values, {.flows = Copies | Flow::Arith}) {}

  /// Members that are too small for an address; None: what some pointer to such
  /// numbers leads to. Empty: something else is in it, too.
  std::set<Id> of(Id number) {
    fields_.clear();
    return run(number) == Whole ? fields_ : std::set<Id>();
  }

private:
  Step value(Id n) override {
    const NodeKind kind = f_.nodes[n].kind;
    const bool isMade =
        kind == NodeKind::Temp ||
        (kind == NodeKind::Local && !values_.definitions(n).empty());
    return p_.isPointer(f_.nodes[n].type) || !isMade ? Stop : Follow;
  }
  Step definition(const Constraint &c) override {
    if (c.flow != Flow::Load)
      return BackwardSlice::definition(c) == Follow ? Follow : Stop;
    const Id field = AccessPath(p_, c.src).member();
    if (!isSmall(p_,
                 field == None ? f_.nodes[c.dst].type : f_.fields[field].type))
      return Stop;
    fields_.insert(field == None ? None : f_.fields[field].cell);
    return Skip;
  }
  Step call(Id) override { return Stop; }
  Step parameter(Id) override { return Stop; }

  std::set<Id> fields_;
};

} // namespace

namespace nvmove {

void reportSplitAddresses(SplitAddressesParts a) {
  const Program &p = a.context.program;
  const Facts &f = p.facts;
  const PersistentParts parts(p, a.types);
  std::set<Id> split; // cells of persistent fields with a part of an address
  for (Id field : a.addresses.computed)
    if (const Field &k = f.fields[field];
        parts.contains(k.record) && isSmall(p, k.type))
      split.insert(k.cell);
  if (split.empty())
    return;
  Halves halves(p, a.context.values);
  for (const Constraint &c : f.constraints) {
    if ((c.flow != Flow::Cast && c.flow != Flow::Copy) || c.dst == None ||
        c.src == None || !p.isPointer(f.nodes[c.dst].type) ||
        f.nodes[c.src].type == None ||
        p.kind(f.nodes[c.src].type) != TypeKind::Integer)
      continue;
    const std::set<Id> fields = halves.of(c.src);
    std::set<Id> found;
    for (Id field : fields)
      if (field != None && split.count(field))
        found = fields;
    if (found.empty() && fields.count(None))
      found = split;
    found.erase(None);
    std::vector<std::string> names;
    for (Id field : found)
      names.push_back(parts.nameOf(field));
    const std::string all = llvm::join(names, ", ");
    if (!found.empty())
      a.findings.reportOnce(
          all,
          {FindingId::SplitAddress, c.loc, c.function,
           "this pointer is put together of parts of an address in " + all +
               ": what is freed or changed through it is not announced"});
  }
}

} // namespace nvmove
