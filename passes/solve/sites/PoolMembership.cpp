//===- PoolMembership.cpp - What may lie in the persistent heap -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace nvmove;

namespace {
using PoolMembershipParts = View<const Types, const FoundRoots, Pool>;
} // namespace

PoolMembership::PoolMembership(const Sources &found)
    : c_(found.context), p_(c_.program), f_(p_.facts),
      origins_(p_, c_.allocators, c_.flow) {
  for (const PersistentType &t : found.types)
    persistent_.insert(t.record);
  for (const Root &r : found.roots)
    if (r.kept() && r.container != None)
      persistent_.insert(r.container);
  findMappings();
  holdLibraryRecords(found);
  choose(found);
}

void PoolMembership::findMappings() {
  IdSet wrappers;
  for (bool grown = true; grown;) {
    grown = false;
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      if (llvm::none_of(c_.flow.callees(i), [&](Id fn) {
            return p_.mapsFile(c, fn) || wrappers.contains(fn);
          }))
        continue;
      mappings_.insert(i);
      if (c.function != None && c_.allocators.isWrapper(c.function))
        grown |= wrappers.insert(c.function).second;
    }
  }
}

Id PoolMembership::mappedIn(const FieldFlow::Set &set) const {
  for (unsigned t : set) {
    const auto &token = c_.flow.tokens()[t];
    Id call = token.kind == FieldFlow::Token::Site
                  ? c_.allocators.sites()[token.ref].call
              : token.kind == FieldFlow::Token::WrapperBlock ? token.ref
                                                             : None;
    if (mappings_.contains(call))
      return call;
  }
  return None;
}

// No type says of a struct pollfd whether it is persistent: it is where a
// persistent field or a root leads.
void PoolMembership::holdLibraryRecords(const Sources &found) {
  auto hold = [&](Id type) {
    Id record = p_.pointeeRecord(p_.element(type));
    if (record != None && !p_.isProgramRecord(record))
      held_.insert(record);
  };
  const PersistentParts parts(p_, found.types);
  for (Id record : parts.records())
    for (Id field : f_.records[record].fields)
      hold(f_.fields[field].type);
  for (const Root &r : found.roots)
    if (r.kept() && r.container == None)
      hold(r.fields.empty() ? f_.nodes[r.variable].type
                            : f_.fields[r.fields.back()].type);
}

/// What regcomp() fills is of no use in the next run: the block is none of the
/// heap's.
void PoolMembership::leaveToLibraries() {
  const auto &sites = c_.allocators.sites();
  for (const Call &c : f_.calls) {
    int k = c.callee == None ? -1
                             : libraryFact(f_.functions[c.callee].name,
                                           &LibraryFunction::keepsMemoryIn);
    if (k < 0 || f_.functions[c.callee].hasBody || size_t(k) >= c.args.size() ||
        c.args[k] == None)
      continue;
    Id record = p_.pointeeRecord(f_.nodes[c.args[k]].type);
    for (unsigned t : c_.flow.atNode(c.args[k])) {
      const auto &token = c_.flow.tokens()[t];
      if (token.kind == FieldFlow::Token::Site &&
          llvm::is_contained(sites[token.ref].records, record) &&
          llvm::none_of(sites[token.ref].records,
                        [&](Id r) { return p_.isProgramRecord(r); }))
        left_.insert(token.ref);
    }
  }
}

/// A record of the program, whose type says whether it is persistent. What a
/// library defines (struct timeval) is what holds it.
bool PoolMembership::isTyped(const Allocators::Site &site) const {
  return site.hasOwnRecord && llvm::any_of(site.records, [&](Id record) {
           return p_.isProgramRecord(record);
         });
}

void PoolMembership::take(const FieldFlow::Set &set, const std::string &where) {
  const auto &sites = c_.allocators.sites();
  for (unsigned t : set) {
    const auto &token = c_.flow.tokens()[t];
    if (token.kind == FieldFlow::Token::Site && !isTyped(sites[token.ref]) &&
        !left_.contains(token.ref) && pool_[token.ref].empty())
      pool_[token.ref] = "may be held by " + where;
  }
}

// The sites whose blocks go to the heap: those of persistent types, wherever
// they are (by type, not by caller), and blocks of bytes that a persistent
// field or root may come to point to.
void PoolMembership::choose(const Sources &found) {
  const auto &sites = c_.allocators.sites();
  leaveToLibraries();
  pool_.assign(sites.size(), std::string());
  IdSet byValue; // records
  for (const PersistentType &t : found.types)
    if (t.byValue)
      byValue.insert(t.record);
  for (size_t i = 0; i < sites.size(); ++i)
    for (Id r : sites[i].records)
      if (persistent_.contains(r) && !byValue.contains(r))
        pool_[i] = f_.records[r].name;
  const PointsTo &pt = c_.pointsTo;
  for (Id o = 0; o < pt.objects().size(); ++o)
    if (pt.objects()[o].kind == PointsTo::Object::Heap &&
        found.state.reachable(o) && pool_[pt.objects()[o].ref].empty() &&
        !left_.contains(pt.objects()[o].ref) &&
        !isTyped(sites[pt.objects()[o].ref]))
      pool_[pt.objects()[o].ref] = "bytes that the load keeps";
  // A volatile field of a container stays volatile.
  PersistentParts parts(p_, found.types);
  IdSet ofContainers;
  for (const Root &r : found.roots)
    if (r.kept())
      for (const std::vector<Id> &way : r.containerFields)
        ofContainers.insert(way.back());
  for (Id k = 0; k < f_.fields.size(); ++k)
    if (parts.contains(f_.fields[k].record) || ofContainers.contains(k))
      take(c_.flow.inField(k), parts.nameOf(k));
  for (const Root &r : found.roots)
    if (r.kept() && r.container == None)
      take(c_.flow.inSlot(r.variable, r.fields), r.path);
  for (const Root &r : found.roots)
    if (r.kept() && r.container == None)
      takeAround(r);
  chooseTables();
  chooseInMacros();
  for (size_t i = 0; i < sites.size(); ++i)
    if (!pool_[i].empty())
      useWrapper(sites[i].call);
}

/// What a macro's text allocates from the heap, all its uses do.
void PoolMembership::chooseInMacros() {
  const auto &sites = c_.allocators.sites();
  std::map<Span, const std::string *> chosen;
  auto span = [&](size_t i) { return f_.calls[sites[i].call].span; };
  for (size_t i = 0; i < sites.size(); ++i)
    if (!pool_[i].empty() && span(i).valid())
      chosen.try_emplace(span(i), &pool_[i]);
  for (size_t i = 0; i < sites.size(); ++i)
    if (auto same = chosen.find(span(i));
        pool_[i].empty() && same != chosen.end())
      pool_[i] = "the macro's text also allocates: " + *same->second;
}

/// All that the root may lead to are members of records that no load makes:
/// rows = table->rows. The blocks around them, then.
void PoolMembership::takeAround(const Root &root) {
  Id record = p_.pointeeRecord(p_.element(root.slotType));
  const FieldFlow::Set &set = c_.flow.inSlot(root.variable, root.fields);
  const auto &sites = c_.allocators.sites();
  std::vector<Id> around;
  for (unsigned t : set) {
    const auto &token = c_.flow.tokens()[t];
    if (token.kind == FieldFlow::Token::Inside)
      continue;
    if (token.kind != FieldFlow::Token::Site || !pool_[token.ref].empty())
      return;
    if (record != None && llvm::any_of(sites[token.ref].records, [&](Id r) {
          return r != record && p_.contains(r, record);
        }))
      around.push_back(token.ref);
  }
  for (Id site : around)
    pool_[site] = "a member of it is reachable from " + root.path;
}

void PoolMembership::chooseTables() {
  const auto &sites = c_.allocators.sites();
  bool tables = false;
  for (size_t i = 0; i < sites.size(); ++i)
    tables |= !pool_[i].empty() && sites[i].isPointerTable &&
              sites[i].records.empty() && holdsStrings(sites[i]);
  if (tables)
    take(c_.flow.inStrings(), "a table of strings");
}

bool PoolMembership::holdsStrings(const Allocators::Site &site) const {
  for (Id t : f_.calls[site.call].sizeofTypes)
    if (p_.isPointer(t) && p_.pointeeRecord(t) == None)
      return true;
  return false;
}

void PoolMembership::useWrapper(Id call) {
  const Call &c = f_.calls[call];
  if (p_.library(c)) {
    if (!p_.hasTraitOf(c, LibraryFunction::OnStack))
      libraryAllocations_.insert(call);
    return;
  }
  // Behind a pointer: what it may hold.
  for (Id callee : c_.flow.callees(call))
    if (!f_.functions[callee].hasBody)
      usesPointers_ |= libraryFunction(f_.functions[callee].name) != nullptr;
    else if (usedWrappers_.insert(callee).second)
      for (Id k : p_.callsOf(callee))
        if (c_.allocators.allocates(f_.calls[k]))
          useWrapper(k);
}

bool PoolMembership::hasBlocks() const {
  return llvm::any_of(pool_,
                      [](const std::string &why) { return !why.empty(); });
}

bool PoolMembership::holds(Id node) const {
  return node != None && holdsAny(c_.flow.atNode(node));
}

bool PoolMembership::holdsAny(const FieldFlow::Set &values) const {
  for (unsigned t : values) {
    const auto &token = c_.flow.tokens()[t];
    if (token.kind == FieldFlow::Token::Site && !pool_[token.ref].empty())
      return true;
    if (token.kind == FieldFlow::Token::Inside &&
        persistent_.contains(token.ref))
      return true;
    if (token.kind == FieldFlow::Token::WrapperBlock &&
        usedWrappers_.contains(f_.calls[token.ref].function))
      return true;
  }
  return false;
}

bool PoolMembership::liesBehind(Id node) const {
  if (node == None || c_.flow.isVariable(node))
    return false;
  Id record = p_.pointeeRecord(f_.nodes[node].type);
  return (record != None && persistent_.contains(record)) || holds(node);
}

bool PoolMembership::hasPointerInto(Id record, unsigned depth) const {
  constexpr unsigned deepest = 4; // mmsghdr, msghdr, iovec
  if (record == None || depth == deepest)
    return false;
  return llvm::any_of(f_.records[record].fields, [&](Id field) {
    Id type = p_.element(f_.fields[field].type);
    return p_.isPointer(type)
               ? holdsAny(c_.flow.inField(field)) ||
                     hasPointerInto(p_.pointeeRecord(type), depth + 1)
               : hasPointerInto(p_.recordOf(type), depth + 1);
  });
}

bool PoolMembership::leadsThere(Id node) const {
  if (node == None)
    return false;
  Id to = p_.element(p_.pointee(f_.nodes[node].type)),
     record = p_.isPointer(to) ? p_.pointeeRecord(to) : p_.recordOf(to);
  return liesBehind(node) || hasPointerInto(record, 0);
}

std::string PoolMembership::whyStore(const StoreSite &s) const {
  if (c_.flow.isVariable(s.address))
    return "";
  if (s.record != None && persistent_.contains(s.record))
    return f_.records[s.record].name +
           (s.field == None ? "" : "." + f_.fields[s.field].name) +
           " is persistent";
  if (holds(s.address))
    return "the address may come from a persistent block";
  if (s.record != None && held_.contains(s.record))
    return "persistent fields or roots point to " +
           f_.records[s.record].spelling;
  return s.record == None ? unknownOrigin(s.address) : "";
}

std::string PoolMembership::whyArgument(Id node) const {
  if (liesBehind(node))
    return "it may be in the heap";
  return node == None || c_.flow.isVariable(node) ? "" : unknownOrigin(node);
}

std::string PoolMembership::whyBehind(Id node) const {
  std::string why = whyArgument(node);
  return why.empty() && node != None && holds(c_.flow.cellBehind(node, None))
             ? "the pointer there may point to the heap"
             : why;
}

std::string PoolMembership::unknownOrigin(Id address) const {
  if (c_.flow.isVariable(address) || holds(address))
    return "";
  std::string origin = origins_.unknownOrigin(address);
  return origin.empty() ? ""
                        : "the target of the address is unknown: " + origin;
}

std::string PoolMembership::whyWritten(const Call &c, size_t i) const {
  const LibraryFunction *l = p_.library(c);
  Id record = p_.pointeeRecord(f_.nodes[c.args[i]].type);
  if (record != None && f_.records[record].name == "_IO_FILE")
    return ""; // a stream's own
  const std::string &name = f_.functions[c.callee].name;
  using K = LibraryFunction;
  const LibraryFunction *row = libraryEntry(name);
  if (const WrittenArg *w = writtenBehind(name, i)) {
    if (c.argIsHooked[i])
      return "";
    std::string why = w->size == WrittenArg::Behind ? whyBehind(c.args[i])
                                                    : whyArgument(c.args[i]);
    return why.empty() ? "" : why + "; announce it with NVM_BUF()";
  }
  if (!l && row && row->saysAll())
    return "";
  if (!l)
    return c.argIsReadOnly[i] || c.argIsHooked[i] || !liesBehind(c.args[i])
               ? ""
               : "it may be in the heap; the function has no body in these "
                 "files, and what it writes is not announced";
  // scanf() writes behind every argument that follows.
  bool more = l->kind == K::Input && l->destination >= 0 &&
              int(i) > l->destination && !c.argIsReadOnly[i] &&
              f_.functions[c.callee].isVariadic;
  if ((int(i) != l->destination && !more) ||
      (c.argIsHooked[i] && l->kind != K::Unbounded))
    return "";
  std::string why = whyArgument(c.args[i]);
  if (why.empty())
    return "";
  return why + (l->form ? std::string("; call ") + l->form + "()"
                        : "; announce it with NVM_BUF()");
}

std::string PoolMembership::whyThroughPointers(const AddressUse &use) const {
  const Id fn = p_.functionOf(use.variable);
  const LibraryFunction *l =
      fn == None || f_.functions[fn].hasBody || use.inHook
          ? nullptr
          : libraryFunction(f_.functions[fn].name);
  if (!l || l->destination < 0 || isRuntimeCall(f_.functions[fn].name) ||
      (l->kind != LibraryFunction::Write && l->kind != LibraryFunction::Input))
    return "";
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Call &c = f_.calls[i];
    if (c.calleeSpan == use.span && use.span.valid())
      return ""; // its name in a call
    if (c.callee != None && !f_.functions[c.callee].hasBody &&
        use.value != None && llvm::is_contained(c.args, use.value))
      return "its argument there is unknown";
    if (c.callee == None && size_t(l->destination) < c.args.size() &&
        llvm::is_contained(c_.flow.callees(i), fn))
      if (std::string why = whyArgument(c.args[l->destination]); !why.empty())
        return why;
  }
  return "";
}

bool nvmove::isLock(llvm::StringRef type) {
  return llvm::StringSwitch<bool>(type)
      .Cases("pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "mtx_t",
             "cnd_t", true)
      .Default(false);
}

std::vector<PoolMembership::Written>
PoolMembership::writtenBy(const Call &c) const {
  std::vector<Written> result;
  if (c.callee == None || f_.functions[c.callee].hasBody ||
      isRuntimeCall(f_.functions[c.callee].name))
    return result;
  const bool locks =
      hasTrait(f_.functions[c.callee].name, LibraryFunction::ForLock);
  auto isOwn = [&](Id argument) {
    Id record = p_.pointeeRecord(f_.nodes[argument].type);
    return locks && record != None && isLock(f_.records[record].spelling);
  };
  for (uint32_t i = 0; i < c.args.size(); ++i)
    if (c.args[i] != None && !isOwn(c.args[i]))
      if (std::string why = whyWritten(c, i); !why.empty())
        result.push_back({i, "argument " + std::to_string(i + 1) + " of " +
                                 f_.functions[c.callee].name + ": " + why});
  return result;
}

namespace nvmove {

void findPool(PoolMembershipParts a) {
  a.pool = std::make_shared<PoolMembership>(a);
}

} // namespace nvmove
