//===- FieldVerdicts.cpp - What each field of a persistent type holds -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace nvmove;

namespace {

using FieldVerdictsParts = View<const Types, const Scalars, FieldVerdicts>;

class FieldClassifier {
public:
  FieldClassifier(const SolveContext &c, const LoadedState &s,
                  const FieldVerdictsParts &found)
      : c_(c), s_(s), f_(c.program.facts), pt_(c.pointsTo), out_(found) {
    for (const PersistentType &t : out_.types)
      persistent_.insert(t.record);
  }

  void run() {
    writtenFields();
    leadingFields();
    writtenBytes();
    countedFields();
    for (const PersistentType &t : out_.types)
      for (Id field : f_.records[t.record].fields)
        out_.fields.push_back(verdict(field));
  }

private:
  void writtenFields();
  bool isFilled(Id object) const;
  void leadingFields();
  void merge(FieldResult found, unsigned strain);
  void writtenBytes();
  void countedFields();
  IdSet indexValues() const;
  std::string counted(const std::vector<Id> &stores) const;
  bool handlesLinks(Id function) const;
  bool frees(Id function) const;
  FieldResult verdict(Id field) const;
  const FieldResult *embedded(Id field, unsigned depth = 0) const;

  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  FieldVerdictsParts out_;
  IdSet persistent_;
  IdMap<FieldResult> best_; ///< by cell
  IdMap<unsigned> strain_;  ///< how hard the evidence is to believe, likewise
  IdSet saved_;             ///< records that the file holds as they are
  IdMap<Loc> bytes_;        ///< records written as bytes
  IdMap<std::string> counters_; ///< evidence by field
};

void FieldClassifier::merge(FieldResult r, unsigned strain) {
  auto [at, fresh] = best_.try_emplace(r.field, r);
  FieldResult &known = at->second;
  unsigned &least = strain_[r.field];
  if (fresh) {
    least = strain;
    return;
  }
  known.targets.insert(known.targets.end(), r.targets.begin(), r.targets.end());
  bool isMore = r.verdict == FieldVerdict::PointerToPersistent &&
                known.verdict != r.verdict;
  if (!isMore && (known.verdict != r.verdict || strain >= least))
    return;
  known.verdict = r.verdict;
  known.evidence = r.evidence;
  least = strain;
}

/// What the load writes to each field, wherever it lies.
void FieldClassifier::writtenFields() {
  for (Id l = 0; l < pt_.locations().size(); ++l) {
    Id field = pt_.locations()[l].field;
    if (field == None || s_.writesTo(l).empty())
      continue;
    const LoadedState::Write &write = s_.proof(l);
    FieldResult r{field,
                  FieldVerdict::Persistent,
                  "written at " + c_.program.describe(write.loc),
                  {}};
    // A store to the member in an object of its type convinces most.
    bool isTyped =
        llvm::any_of(pt_.recordsOf(pt_.locations()[l].object), [&](Id record) {
          return c_.program.contains(record, f_.fields[field].record);
        });
    unsigned strain = (write.direct ? 0 : 2) + (isTyped ? 0 : 1);
    for (Id t : pt_.content(l)) {
      const auto &o = pt_.objects()[pt_.locations()[t].object];
      if (pt_.isMemory(t))
        for (Id record : pt_.recordsOf(pt_.locations()[t].object))
          if (persistent_.contains(record))
            r.targets.push_back(record);
      if (o.kind == PointsTo::Object::Heap)
        r.verdict = FieldVerdict::PointerToPersistent;
      else if (o.kind == PointsTo::Object::Function &&
               r.verdict == FieldVerdict::Persistent)
        r.verdict = FieldVerdict::PointerToCode;
      else if (o.kind == PointsTo::Object::Variable &&
               r.verdict == FieldVerdict::Persistent &&
               f_.nodes[o.ref].kind == NodeKind::Global)
        r.verdict = FieldVerdict::PointerToStatic;
    }
    merge(std::move(r), strain);
  }
  for (const RestoredScalar &scalar : out_.scalars)
    if (!scalar.fields.empty())
      best_.try_emplace(
          f_.fields[scalar.fields.back()].cell,
          FieldResult{
              scalar.fields.back(), FieldVerdict::Persistent, scalar.why, {}});
  for (auto &[field, r] : best_) {
    llvm::sort(r.targets);
    r.targets.erase(llvm::unique(r.targets), r.targets.end());
  }
}

bool FieldClassifier::isFilled(Id object) const {
  return s_.isLoaded(object) ||
         llvm::any_of(pt_.locationsOf(object),
                      [&](Id l) { return !s_.writesTo(l).empty(); });
}

/// Pointers that were there before the load, to what it then filled: a table
/// made at start-up.
void FieldClassifier::leadingFields() {
  for (Id l = 0; l < pt_.locations().size(); ++l) {
    Id field = pt_.locations()[l].field;
    if (field == None || !s_.reachable(pt_.locations()[l].object))
      continue;
    for (Id t : pt_.content(l))
      if (Id o = pt_.locations()[t].object;
          pt_.isMemory(t) && s_.reachable(o) && isFilled(o)) {
        FieldResult r{field,
                      FieldVerdict::PointerToPersistent,
                      "points to what the load fills",
                      {}};
        for (Id record : pt_.recordsOf(o))
          if (persistent_.contains(record))
            r.targets.push_back(record);
        best_.try_emplace(field, std::move(r));
        break;
      }
  }
}

/// Blocks that are written through pointers to bytes, filled raw, or mapped
/// from a file: which of their fields is written is not known, so it may be
/// any.
void FieldClassifier::writtenBytes() {
  auto note = [&](Id object, Loc loc) {
    for (Id record : pt_.recordsOf(object))
      bytes_.try_emplace(record, loc);
  };
  auto noteInside = [&](Id object, Loc loc) {
    for (Id l : pt_.locationsOf(object))
      if (Id field = pt_.locations()[l].field; field != None)
        bytes_.try_emplace(f_.fields[field].record, loc);
  };
  // Records that only lay out bytes of other blocks have no object.
  IdSet named;
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Member)
      named.insert(f_.fields[k.extra].record);
  for (const PersistentType &t : out_.types)
    if (t.bytes != PersistentType::Bytes::None || !named.contains(t.record)) {
      bytes_.try_emplace(t.record, t.witness.site);
      if (t.bytes == PersistentType::Bytes::Array)
        saved_.insert(t.record);
    }
  std::set<Loc> clears; // memset(p, 0, n) brings no data
  for (const Call &c : f_.calls)
    if (c_.program.clears(c))
      clears.insert(c.loc);
  for (Id l = 0; l < pt_.locations().size(); ++l)
    if (pt_.locations()[l].field == None && pt_.isMemory(l))
      s_.writesTo(l).each([&](const LoadedState::Write &w) {
        if (!clears.count(w.loc))
          note(pt_.locations()[l].object, w.loc);
      });
  for (Id o = 0; o < pt_.objects().size(); ++o)
    if (pt_.objects()[o].kind == PointsTo::Object::Heap) {
      const Call &c =
          f_.calls[c_.allocators.sites()[pt_.objects()[o].ref].call];
      if (c.callee != None &&
          hasTrait(f_.functions[c.callee].name, LibraryFunction::MapsMemory))
        noteInside(o, c.loc);
    }
  for (auto [l, call] : pt_.fills())
    if (Id field = pt_.locations()[l].field; field == None) {
      Id o = pt_.locations()[l].object;
      note(o, f_.calls[call].loc);
      if (pt_.objects()[o].kind == PointsTo::Object::Heap) // an image perhaps
        noteInside(o, f_.calls[call].loc);
    } else if (Id r = c_.program.recordOf(f_.fields[field].type); r != None)
      bytes_.try_emplace(r, f_.calls[call].loc);
}

bool FieldClassifier::handlesLinks(Id function) const {
  for (Id i : c_.program.storesOf(function))
    if (c_.program.isPointer(f_.stores[i].valueType))
      return true;
  for (Id i : c_.program.callsOf(function))
    if (c_.allocators.allocates(f_.calls[i]))
      return true;
  return frees(function);
}

/// Directly, or through one function of the program's own.
bool FieldClassifier::frees(Id function) const {
  auto freesHere = [&](Id fn) {
    return llvm::any_of(c_.program.callsOf(fn), [&](Id i) {
      return c_.program.isLibrary(f_.calls[i], LibraryFunction::Free);
    });
  };
  if (freesHere(function))
    return true;
  for (Id i : c_.program.callsOf(function))
    for (Id callee : c_.flow.callees(i))
      if (freesHere(callee))
        return true;
  return false;
}

/// Why the field looks like a count of references or of members; "" if it does
/// not. A pattern, no proof.
std::string FieldClassifier::counted(const std::vector<Id> &stores) const {
  bool linksBeside = true;
  unsigned steps = 0;
  Id freeing = None;
  for (Id i : stores) {
    const StoreSite &s = f_.stores[i];
    if (s.stored == Stored::Other)
      return "";
    if (s.stored != Stored::Step)
      continue;
    ++steps;
    linksBeside &= s.function != None && handlesLinks(s.function);
    if (freeing == None && s.function != None && frees(s.function))
      freeing = s.function;
  }
  if (!steps || (freeing == None && !linksBeside))
    return "";
  std::string text = "each of its " + std::to_string(stores.size()) +
                     " stores is ++, --, or a constant";
  if (linksBeside)
    return text +
           ", and each ++ and -- is next to a link that is set or an object "
           "that is created or freed: a count of members or of references";
  return text + ", and " + f_.functions[freeing].name +
         " frees an object next to one: a count of references";
}

/// Values that are used as an index, at once or by one variable: a position,
/// not a count.
IdSet FieldClassifier::indexValues() const {
  IdSet result;
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Index && k.extra != None)
      result.insert(k.extra);
  llvm::SmallVector<Id> before;
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Copy && result.contains(k.dst))
      before.push_back(k.src);
  result.insert(before.begin(), before.end());
  return result;
}

void FieldClassifier::countedFields() {
  IdMap<std::vector<Id>> stores;
  IdSet escaped;
  for (Id i = 0; i < f_.stores.size(); ++i)
    if (Id field = f_.stores[i].field; field != None) {
      std::vector<Id> path = c_.program.memberPath(f_.stores[i].record, field);
      stores[path.empty() ? field : path.back()].push_back(i);
    }
  // Its address is handed on, it is written as a part of something else, or it
  // is an index.
  IdMap<Id> address;
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Member)
      address[k.dst] = k.extra;
  IdSet indices = indexValues();
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Load && indices.contains(k.dst))
      if (auto at = address.find(k.src); at != address.end())
        escaped.insert(at->second);
  auto escape = [&](Id node) {
    if (auto at = address.find(node); node != None && at != address.end())
      escaped.insert(at->second);
  };
  for (const Constraint &k : f_.constraints)
    if (k.flow != Flow::Load && k.flow != Flow::Member) {
      escape(k.src);
      if (k.flow == Flow::CopyMemory)
        escape(k.dst);
    }
  for (const Call &c : f_.calls)
    llvm::for_each(c.args, escape);
  for (auto &[field, sites] : stores)
    if (c_.program.kind(f_.fields[field].type) == TypeKind::Integer &&
        !escaped.contains(field))
      if (std::string why = counted(sites); !why.empty())
        counters_[field] = why;
}

/// What is written to a field inside the record that this field is.
const FieldResult *FieldClassifier::embedded(Id field, unsigned depth) const {
  Id record = c_.program.recordOf(f_.fields[field].type);
  if (record == None || depth > 8)
    return nullptr;
  for (Id inner : f_.records[record].fields) {
    auto at = best_.find(f_.fields[inner].cell);
    if (at != best_.end())
      return &at->second;
    if (const FieldResult *r = embedded(inner, depth + 1))
      return r;
  }
  return nullptr;
}

FieldResult FieldClassifier::verdict(Id field) const {
  auto at = best_.find(f_.fields[field].cell);
  const FieldResult *found = at != best_.end() ? &at->second : embedded(field);
  FieldResult r;
  if (found) {
    r = *found;
    if (at == best_.end() && r.verdict != FieldVerdict::PointerToPersistent)
      r.verdict = FieldVerdict::Persistent; // a record, not a pointer
  } else if (auto raw = bytes_.find(f_.fields[field].record);
             raw != bytes_.end()) {
    r.verdict = FieldVerdict::Persistent;
    r.evidence =
        "its block is written as bytes at " + c_.program.describe(raw->second);
  } else {
    r.verdict = FieldVerdict::Transient;
    r.evidence = "not written by the load";
  }
  r.field = field;
  if (r.verdict == FieldVerdict::Persistent)
    if (auto count = counters_.find(field);
        count != counters_.end() && !saved_.contains(f_.fields[field].record)) {
      r.verdict = FieldVerdict::Recomputable;
      r.evidence = count->second;
    }
  return r;
}

} // namespace

namespace nvmove {

void classifyFields(FieldVerdictsParts a) {
  FieldClassifier(a.context, a.state, a).run();
}

} // namespace nvmove
