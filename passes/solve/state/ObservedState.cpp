//===- ObservedState.cpp - What of the load's state was seen --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/tool/observed.test
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/ObservedState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace nvmove;

using Object = PointsTo::Object;

namespace {

/// A word of 8 bytes: what the runs tell apart.
constexpr uint64_t Word = 8;
/// A call may go over several lines, and the compiler names another of them.
constexpr uint32_t LinesOfCall = 4;

bool touches(const std::set<uint64_t> &words, uint64_t begin, uint64_t size) {
  auto at = words.lower_bound(begin / Word * Word);
  return at != words.end() && *at < begin + std::max<uint64_t>(size, 1);
}

/// "count.3", of a static within a function.
std::string withoutNumber(llvm::StringRef name) {
  auto [front, number] = name.rsplit('.');
  return !number.empty() && llvm::all_of(number, llvm::isDigit) ? front.str()
                                                                : name.str();
}

/// "zslInsert.isra.0", of a function that gcc made another of.
llvm::StringRef withoutSuffix(llvm::StringRef function) {
  return function.split('.').first;
}

} // namespace

ObservedState::ObservedState(const SolveContext &context)
    : c_(context), f_(context.program.facts), pt_(context.pointsTo) {
  for (const Object &o : pt_.objects())
    if (o.kind == Object::Heap)
      loadCalls_.insert(c_.allocators.sites()[o.ref].call);
  for (const Call &c : f_.calls)
    linesOfCalls_.insert({c.loc.file, c.loc.line});
  for (const ObservedRun &run : c_.options.observed)
    for (const ObservedSite &site : run.sites) {
      matches_.push_back(match(site));
      const Id call = matches_.back().call;
      if (call == None)
        continue;
      if (site.kept || site.later)
        seenCalls_.insert(call);
      const Allocators::Site *made = c_.allocators.siteOf(call);
      if (site.filled)
        filled_.insert(made->records.begin(), made->records.end());
      if (site.leading)
        leading_.insert(made->records.begin(), made->records.end());
    }
  addStatics();
  addFunctions();
  fields_ = findFields(/*exact=*/true);
  maybe_ = findFields(/*exact=*/false);
}

void ObservedState::addFunctions() {
  std::set<llvm::StringRef> names;
  for (const ObservedRun &run : c_.options.observed)
    for (const std::string &function : run.ran)
      names.insert(withoutSuffix(function));
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (names.count(f_.functions[fn].name) || pt_.isPassing(fn))
      ran_.insert(fn);
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function != None && pt_.isPassing(w.function))
      storedLater_.insert(w.variable);
}

void ObservedState::addStatics() {
  for (const ObservedRun &run : c_.options.observed)
    for (const ObservedStatic &s : run.statics) {
      ObservedStatic &all = statics_[withoutNumber(s.name)];
      all.leads.insert(s.leads.begin(), s.leads.end());
      all.fills.insert(s.fills.begin(), s.fills.end());
      all.written.insert(s.written.begin(), s.written.end());
      all.changed.insert(s.changed.begin(), s.changed.end());
    }
}

/// The file itself; or, where the program was built in another folder, the one
/// that shares most of the end of its path.
Id ObservedState::fileOf(const std::string &path) const {
  auto [at, fresh] = files_.try_emplace(path, None);
  if (!fresh)
    return at->second;
  size_t best = 0;
  for (Id i = 0; i < f_.files.size(); ++i) {
    llvm::StringRef ours = f_.files[i].path, theirs = path;
    size_t common = 0, whole = 0;
    while (common < ours.size() && common < theirs.size() &&
           ours[ours.size() - 1 - common] ==
               theirs[theirs.size() - 1 - common]) {
      ++common;
      if (common == ours.size() || common == theirs.size() ||
          ours[ours.size() - common] == '/')
        whole = common; // a name of a file or a folder is not taken apart
    }
    if (whole > best) {
      best = whole;
      at->second = i;
    }
  }
  return at->second;
}

/// The allocation in that line; or, where no call begins, the one of the same
/// function that begins a few lines above. `inner`: what it called, if known.
Id ObservedState::siteAt(const ObservedCall &call, llvm::StringRef inner,
                         bool ofLoad) const {
  const Id file = fileOf(call.file);
  Id best = None;
  if (file == None)
    return None;
  const uint32_t reach =
      linesOfCalls_.count({file, call.line}) ? 0 : LinesOfCall;
  llvm::StringRef function = withoutSuffix(call.function);
  for (const Allocators::Site &site : c_.allocators.sites()) {
    const Call &c = f_.calls[site.call];
    if (c.loc.file != file || c.loc.line > call.line ||
        c.loc.line + reach < call.line || c.function == None ||
        (ofLoad ? !loadCalls_.contains(site.call)
                : c_.allocators.isWrapper(c.function)) ||
        (c.loc.line != call.line && f_.functions[c.function].name != function))
      continue;
    if (!inner.empty() && c.callee != None &&
        f_.functions[c.callee].name != withoutSuffix(inner))
      continue; // another call in that line
    if (best == None || f_.calls[best].loc.line < c.loc.line)
      best = site.call;
  }
  return best;
}

/// The innermost call that is an allocation: of what the load made, one that it
/// is known to run, if there is any; else one outside of wrappers.
ObservedState::Match ObservedState::match(const ObservedSite &site) const {
  Match result{&site, None, {}};
  for (bool ofLoad : {true, false}) {
    llvm::StringRef inner;
    for (const ObservedCall &call : site.calls) {
      if (result.call == None && (!ofLoad || site.kept))
        result.call = siteAt(call, inner, ofLoad);
      inner = call.function;
    }
  }
  for (const ObservedCall &call : site.calls)
    if (Id file = fileOf(call.file); file != None && !result.place.line)
      result.place = {file, call.line, 1};
  return result;
}

bool ObservedState::isSeen(Id object) const {
  const Object &o = pt_.objects()[object];
  return o.kind != Object::Heap ||
         seenCalls_.contains(c_.allocators.sites()[o.ref].call);
}

bool ObservedState::isAmong(const IdSet &records, Id object) const {
  const Id record = pt_.objects()[object].record;
  return record == None || pt_.objects()[object].any ||
         llvm::any_of(records, [&](Id r) {
           return r == record || c_.program.contains(r, record) ||
                  c_.program.contains(record, r);
         });
}

const std::set<uint64_t> &ObservedState::words(const ObservedStatic &s,
                                               Words which) const {
  switch (which) {
  case Words::Written:
    return s.written;
  case Words::Leads:
    return s.leads;
  case Words::Fills:
    return s.fills;
  case Words::Changed:
    return s.changed;
  }
  llvm_unreachable("no such words");
}

bool ObservedState::holds(Id location, Words which) const {
  const auto &at = pt_.locations()[location];
  const Node &variable = f_.nodes[pt_.objects()[at.object].ref];
  if (variable.kind != NodeKind::Global)
    return true;
  auto found = statics_.find(variable.name);
  if (found == statics_.end())
    return false;
  const std::set<uint64_t> &words = this->words(found->second, which);
  const Id record = c_.program.recordOf(c_.program.element(variable.type));
  if (at.field == None || record == None)
    return !words.empty();
  const uint64_t step = std::max<uint64_t>(f_.records[record].size_bytes, 1);
  std::set<uint64_t> inElement;
  for (uint64_t w : words)
    inElement.insert(w % step / Word * Word);
  for (const std::vector<Id> &path : c_.program.memberPaths(record, at.field)) {
    uint64_t begin = 0, size = 0;
    for (Id k : path) {
      const Field &field = f_.fields[k];
      begin += field.offset_bits / 8;
      // Fields of a union share a cell.
      size = std::max(f_.types[field.type].size_bytes,
                      f_.records[field.record].isUnion
                          ? f_.records[field.record].size_bytes
                          : 0);
    }
    if (touches(inElement, begin, size))
      return true;
  }
  return false;
}

bool ObservedState::isWritten(Id location) const {
  const Id object = pt_.locations()[location].object;
  switch (pt_.objects()[object].kind) {
  case Object::Variable:
    return holds(location, Words::Written) || holds(location, Words::Leads);
  case Object::Preexisting: {
    auto use = maybe_.find(pt_.locations()[location].field);
    return isAmong(filled_, object) &&
           (use == maybe_.end() || use->second.written);
  }
  default:
    return isSeen(object);
  }
}

bool ObservedState::isChanged(Id location) const {
  const Id object = pt_.locations()[location].object;
  return pt_.objects()[object].kind == Object::Variable &&
         (holds(location, Words::Changed) || holds(location, Words::Leads));
}

bool ObservedState::leadsTo(Id location, Id object) const {
  const Id from = pt_.locations()[location].object;
  const Object::Kind to = pt_.objects()[object].kind;
  if (!isSeen(object))
    return false;
  if (pt_.objects()[from].kind == Object::Variable &&
      (to == Object::Heap || to == Object::Preexisting))
    return holds(location, Words::Leads) ||
           (to == Object::Preexisting && holds(location, Words::Fills));
  if (pt_.objects()[from].kind == Object::Preexisting && to == Object::Heap)
    return isAmong(leading_, from);
  return true;
}

void ObservedState::mark(Id record, uint64_t begin, const ObservedSite &site,
                         std::map<Id, ObservedVerdicts::FieldUse> &uses) const {
  for (Id k : f_.records[record].fields) {
    const Field &field = f_.fields[k];
    const uint64_t at = begin + field.offset_bits / 8;
    const Type &type = f_.types[field.type];
    ObservedVerdicts::FieldUse &use = uses[k];
    use.written |= touches(site.written, at, type.size_bytes);
    use.changed |= touches(site.changed, at, type.size_bytes);
    const Id inner = c_.program.recordOf(c_.program.element(field.type));
    if (inner == None || !f_.records[inner].size_bytes)
      continue;
    const uint64_t step = f_.records[inner].size_bytes;
    for (uint64_t i = 0; i < std::max(type.size_bytes, step); i += step)
      mark(inner, at + i, site, uses);
  }
}

/// What lies in front of a record or behind it, a header of the allocator or
/// text, may be either: `exact` takes only blocks without that.
std::map<Id, ObservedVerdicts::FieldUse>
ObservedState::findFields(bool exact) const {
  std::map<Id, ObservedVerdicts::FieldUse> uses;
  IdSet unknown;
  for (const Match &m : matches_) {
    const uint64_t size = m.site->size_bytes;
    if (m.call == None || !size)
      continue;
    uint64_t end = 0;
    for (const std::set<uint64_t> *words : {&m.site->written, &m.site->changed})
      if (!words->empty())
        end = std::max(end, *words->rbegin() + Word);
    for (Id record : c_.allocators.siteOf(m.call)->records) {
      const uint64_t step = f_.records[record].size_bytes;
      const uint64_t more = step ? size % step : 0;
      if (!step || (exact && more && size > step)) {
        unknown.insert(record);
        continue;
      }
      for (uint64_t first : {uint64_t(0), more})
        for (uint64_t begin = first; begin < std::max(end, first + 1);
             begin += step)
          mark(record, begin, *m.site, uses);
    }
  }
  for (Id record : unknown)
    for (Id k : f_.records[record].fields)
      uses.erase(k);
  return uses;
}

std::optional<bool> ObservedState::isSeen(Id variable,
                                          const std::vector<Id> &path) const {
  const Node &node = f_.nodes[variable];
  if (node.kind != NodeKind::Global)
    return std::nullopt;
  auto found = statics_.find(node.name);
  if (found == statics_.end())
    return false;
  const Id record = c_.program.recordOf(c_.program.element(node.type));
  const uint64_t step = record == None ? 0 : f_.records[record].size_bytes;
  uint64_t begin = 0, size = f_.types[node.type].size_bytes;
  for (Id k : path) {
    begin += f_.fields[k].offset_bits / 8;
    size = f_.types[f_.fields[k].type].size_bytes;
  }
  for (Words which :
       {Words::Written, Words::Leads, Words::Fills, Words::Changed}) {
    if (which == Words::Changed && !storedLater_.contains(variable))
      continue;
    for (uint64_t w : words(found->second, which)) {
      const uint64_t at = step && !path.empty() ? w % step / Word * Word : w;
      if (at + Word > begin && at < begin + std::max<uint64_t>(size, 1))
        return true;
    }
  }
  return false;
}
