//===- Sites.cpp - Which allocations, stores and calls the rewriter changes
//-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class SiteFinder {
public:
  SiteFinder(const SolveContext &c, const LoadedState &s, Solution &solution)
      : c_(c), s_(s), p_(c.program), f_(c.program.facts), out_(solution) {}

  void run() {
    for (const PersistentType &t : out_.types)
      persistent_.insert(t.record);
    for (const Root &r : out_.roots)
      if (r.kept && r.container != None)
        persistent_.insert(r.container);
    choosePool();
    allocations();
    stores();
    calls();
    uses();
  }

private:
  // The sites whose blocks go to the heap: those of persistent types, wherever
  // they are (by type, not by caller), and blocks of bytes that a persistent
  // field or root may come to point to.
  void choosePool() {
    const auto &sites = c_.allocators.sites();
    pool_.assign(sites.size(), std::string());
    for (size_t i = 0; i < sites.size(); ++i)
      for (Id r : sites[i].records)
        if (persistent_.contains(r))
          pool_[i] = f_.records[r].name;
    const PointsTo &pt = c_.pointsTo;
    for (Id o = 0; o < pt.objects().size(); ++o)
      if (pt.objects()[o].kind == PointsTo::Object::Heap && s_.reachable(o) &&
          pool_[pt.objects()[o].ref].empty() &&
          !sites[pt.objects()[o].ref].hasOwnRecord)
        pool_[pt.objects()[o].ref] = "bytes that the load keeps";
    auto take = [&](const FieldFlow::Set &set, const std::string &where) {
      for (unsigned t : set) {
        const auto &token = c_.flow.tokens()[t];
        if (token.kind == FieldFlow::Token::Site &&
            !sites[token.ref].hasOwnRecord && pool_[token.ref].empty())
          pool_[token.ref] = "may be held by " + where;
      }
    };
    for (Id k = 0; k < f_.fields.size(); ++k)
      if (persistent_.contains(f_.fields[k].record) && !isContainerOnly(k))
        take(c_.flow.inField(k),
             f_.records[f_.fields[k].record].name + "." + f_.fields[k].name);
    for (const Root &r : out_.roots)
      if (r.kept && r.container == None)
        take(r.fields.empty() ? c_.flow.atNode(r.variable)
                              : c_.flow.inField(r.fields.back()),
             r.path);
    bool tables = false;
    for (size_t i = 0; i < sites.size(); ++i)
      tables |= !pool_[i].empty() && sites[i].isPointerTable &&
                sites[i].records.empty() && holdsStrings(sites[i]);
    if (tables)
      take(c_.flow.inStrings(), "a table of strings");
    for (size_t i = 0; i < sites.size(); ++i)
      if (!pool_[i].empty())
        useWrapper(sites[i].call);
  }

  // A volatile field of a container stays volatile.
  bool isContainerOnly(Id field) const {
    for (const PersistentType &t : out_.types)
      if (t.record == f_.fields[field].record)
        return false;
    for (const Root &r : out_.roots)
      if (r.kept && llvm::is_contained(r.containerFields, field))
        return false;
    return true;
  }

  bool holdsStrings(const Allocators::Site &site) const {
    for (Id t : f_.calls[site.call].sizeofTypes)
      if (p_.isPointer(t) && p_.pointeeRecord(t) == None)
        return true;
    return false;
  }

  void useWrapper(Id call) {
    const Call &c = f_.calls[call];
    if (p_.library(c)) {
      replacedAllocations_.insert(call);
      return;
    }
    if (!usedWrappers_.insert(c.callee).second)
      return;
    for (Id k : p_.callsOf(c.callee))
      if (c_.allocators.allocates(f_.calls[k]))
        useWrapper(k);
  }

  void notCovered(const char *id, Loc loc, Id function, std::string what) {
    out_.notCovered.push_back({id, loc, function, std::move(what)});
  }

  std::string callee(const Call &c) const {
    return c.callee == None ? "a function pointer"
                            : f_.functions[c.callee].name;
  }

  void allocations() {
    const auto &sites = c_.allocators.sites();
    for (size_t i = 0; i < sites.size(); ++i) {
      if (pool_[i].empty())
        continue;
      const Call &c = f_.calls[sites[i].call];
      if (!c.span.valid()) {
        if (!c.inHook)
          notCovered("uneditable-allocation", c.loc, c.function,
                     "the call of " + callee(c) +
                         " is not spelled in one place; write it out");
        continue;
      }
      Id record = None;
      for (Id r : sites[i].records)
        if (record == None && persistent_.contains(r))
          record = r;
      out_.allocations.push_back({sites[i].call, record, pool_[i]});
    }
  }

  bool inPool(Id node) const {
    if (node == None)
      return false;
    for (unsigned t : c_.flow.atNode(node)) {
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

  // Does the memory behind `node` possibly lie in the heap?
  bool pointsIntoHeap(Id node) const {
    if (node == None)
      return false;
    Id record = p_.pointeeRecord(f_.nodes[node].type);
    return (record != None && persistent_.contains(record) &&
            !isVariable(node)) ||
           inPool(node);
  }

  bool isVariable(Id node) const { return c_.flow.isVariable(node); }

  void stores() {
    llvm::DenseSet<std::pair<Id, std::pair<unsigned, unsigned>>> complained;
    for (Id i = 0; i < f_.stores.size(); ++i) {
      const StoreSite &s = f_.stores[i];
      if (s.hooked || isVariable(s.address))
        continue;
      std::string why;
      if (s.record != None && persistent_.contains(s.record))
        why = f_.records[s.record].name +
              (s.field == None ? "" : "." + f_.fields[s.field].name) +
              " is persistent";
      else if (inPool(s.address))
        why = "the address may come from a persistent block";
      else
        continue;
      if (!s.span.valid()) {
        if (complained.insert({s.loc.file, {s.loc.line, s.loc.column}}).second)
          notCovered("uneditable-store", s.loc, s.function,
                     "this store cannot be announced in place; write it out of "
                     "its macro");
        continue;
      }
      out_.stores.push_back({i, why});
    }
  }

  void calls() {
    llvm::DenseSet<Id> handlers = c_.loop.reachableFrom(c_.loop.handlerCalls);
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      const LibraryFunction *l = p_.library(c);
      if (!l || isRuntimeCall(f_.functions[c.callee].name))
        continue;
      using K = LibraryFunction;
      Id destination =
          l->destination >= 0 && size_t(l->destination) < c.args.size()
              ? c.args[l->destination]
              : None;
      bool hooked = l->destination >= 0 &&
                    size_t(l->destination) < c.argIsHooked.size() &&
                    c.argIsHooked[l->destination];
      switch (l->kind) {
      case K::Allocate:
        if (replacedAllocations_.contains(i))
          replace(i, *l, "allocates for the heap");
        break;
      case K::Reallocate:
      case K::Free:
      case K::Usable:
        if (replacedAllocations_.contains(i) ||
            (!c.args.empty() && inPool(c.args[0])))
          replace(i, *l, "the block may lie in the heap");
        break;
      case K::Input:
      case K::Write:
        if (!hooked && pointsIntoHeap(destination) && !isVariable(destination))
          replace(i, *l, "may write persistent memory");
        break;
      case K::Print:
        if (!hooked && inPool(destination))
          out_.wrapped.push_back(
              {i, uint32_t(l->destination), uint32_t(l->destination) + 1});
        break;
      case K::Unbounded:
        if (!hooked && inPool(destination))
          notCovered("unbounded-writer", c.loc, c.function,
                     callee(c) + " writes persistent memory without a bound; "
                                 "use the bounded form");
        break;
      case K::Output:
        if (c.function != None && handlers.contains(c.function))
          replace(i, *l, "output leaves after its commit");
        break;
      case K::Wait:
      case K::Chance:
      case K::Exit:
        break;
      }
    }
  }

  void replace(Id call, const LibraryFunction &l, const char *why) {
    const Call &c = f_.calls[call];
    if (!l.replacement || !c.calleeSpan.valid()) {
      notCovered(l.replacement ? "uneditable-call" : "unsupported-call", c.loc,
                 c.function,
                 callee(c) + ": " + why + ", but " +
                     (l.replacement ? "the call is not spelled in one place"
                                    : "the runtime has no form of it"));
      return;
    }
    out_.replaced.push_back({call, l.replacement, why});
  }

  void uses() {
    if (usedWrappers_.empty() && replacedAllocations_.empty())
      return;
    for (Id u = 0; u < f_.addressUses.size(); ++u) {
      Id fn = p_.functionOf(f_.addressUses[u].variable);
      if (fn == None || f_.functions[fn].hasBody || f_.addressUses[u].inHook)
        continue;
      const LibraryFunction *l = libraryFunction(f_.functions[fn].name);
      if (l && !isRuntimeCall(f_.functions[fn].name) && l->replacement &&
          (l->kind == LibraryFunction::Free ||
           l->kind == LibraryFunction::Reallocate))
        out_.replacedUses.push_back(
            {u, l->replacement, "may be given blocks of the heap"});
    }
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const Program &p_;
  const Facts &f_;
  Solution &out_;
  llvm::DenseSet<Id> persistent_, usedWrappers_, replacedAllocations_;
  std::vector<std::string>
      pool_; ///< per site: why it goes to the heap; empty: it does not
};

} // namespace

void nvmove::findSites(const SolveContext &context, const LoadedState &state,
                       Solution &solution) {
  SiteFinder(context, state, solution).run();
}
