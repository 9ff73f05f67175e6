//===- RecordCopies.cpp - What is put aside, and copied at the end --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/AssignedRecords-put_aside.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/RecordCopies.h"
#include "passes/solve/flow/BackwardSlice.h"

using namespace nvmove;

namespace {

/// Where a number is read from, also by way of locals.
struct Reads : BackwardSlice {
  Reads(const Program &program, const DefinitionIndex &values,
        std::vector<Id> &found)
      : BackwardSlice(program, values, {.flows = Copies | Flow::Arith}),
        found_(found) {}
  Step value(Id n) override {
    return f_.nodes[n].kind == NodeKind::Global ? Skip : Follow;
  }
  Step definition(const Constraint &c) override {
    if (c.flow == Flow::Load)
      found_.push_back(c.src);
    return BackwardSlice::definition(c);
  }
  std::vector<Id> &found_;
};

} // namespace

RecordCopies::RecordCopies(const SolveContext &context)
    : p_(context.program), f_(p_.facts), pt_(context.pointsTo) {
  auto enter = [&](const PointsTo::Set &to) {
    for (Id l : to)
      if (pt_.isMemory(l))
        into_[pt_.locations()[l].object].push_back({l, Id(copies_.size() - 1)});
  };
  pt_.eachCopy(
      [&](const PointsTo::Set &to, const PointsTo::Set &from, Id record) {
        copies_.push_back({&from, record, false});
        enter(to);
      });
  std::vector<Id> reads;
  for (auto &[fn, call] : pt_.reached())
    for (Id i : p_.constraintsOf(fn)) {
      const Constraint &c = f_.constraints[i];
      const bool isStore = c.flow == Flow::Store;
      if ((!isStore && c.flow != Flow::Copy) || c.src == None ||
          c.dst == None || p_.isPointer(f_.nodes[c.src].type) ||
          (!isStore && f_.nodes[c.dst].kind != NodeKind::Global))
        continue;
      reads.clear();
      Reads(p_, context.values, reads).run(c.src);
      for (Id address : reads) {
        copies_.push_back({&pt_.pointsTo(address), None, true});
        if (isStore)
          enter(pt_.pointsTo(c.dst));
        else if (Id l = pt_.find(c.dst, None); l != None)
          into_[pt_.locations()[l].object].push_back(
              {l, Id(copies_.size() - 1)});
      }
    }
}

std::vector<Id> RecordCopies::sourcesOf(std::vector<Id> locations) const {
  std::vector<Id> found = std::move(locations);
  const size_t given = found.size();
  IdSet seen(found.begin(), found.end());
  for (size_t i = 0; i < found.size(); ++i) {
    const Id l = found[i];
    auto at = into_.find(pt_.locations()[l].object);
    if (at != into_.end())
      for (auto [place, copy] : at->second)
        eachSource(copies_[copy], place, l, [&](Id source) {
          if (seen.insert(source).second)
            found.push_back(source);
        });
  }
  found.erase(found.begin(), found.begin() + given);
  return found;
}

/// `place`: where the copy goes, of which `l` may be a part.
void RecordCopies::eachSource(const Copy &copy, Id place, Id l,
                              llvm::function_ref<void(Id)> see) const {
  const auto &to = pt_.locations()[l];
  const Id record = place == l ? None : copiedAt(copy, place);
  if (place != l && (copy.isNumber || to.field == None || record == None ||
                     !p_.contains(record, f_.fields[to.field].record)))
    return;
  for (Id from : *copy.from) {
    const auto &at = pt_.locations()[from];
    const PointsTo::Object &o = pt_.objects()[at.object];
    if (!pt_.isMemory(from) || at.object == to.object)
      continue;
    if (place == l) {
      // What is computed from statics is found by itself.
      bool isAside = o.kind == PointsTo::Object::Heap ||
                     (o.kind == PointsTo::Object::Variable &&
                      f_.nodes[o.ref].kind != NodeKind::Global);
      if (isAside || !copy.isNumber)
        see(from);
    } else {
      const Id same = pt_.locationIn(at.object, to.field);
      // What nothing is put into by itself is what all of it is: zero.
      see(same == None ? from : same);
    }
  }
}

Id RecordCopies::copiedAt(const Copy &copy, Id place) const {
  if (copy.record != None)
    return copy.record;
  const auto &at = pt_.locations()[place];
  return at.field == None ? pt_.objects()[at.object].record
                          : p_.recordOf(f_.fields[at.field].type);
}
