//===- SharedMemory.cpp - What other processes see at once ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store to memory that is mapped for sharing leaves the process as an output
// does, but no call says so: nothing commits before it.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(SharedMemory)

using namespace nvmove;

namespace {

using SharedMemoryParts = View<const PlacedStores, const Sections>;

class SharedStores {
public:
  explicit SharedStores(const SharedMemoryParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), origins_(a.origins()),
        out_(a) {
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (mapsShared(f_.calls[i]))
        mappings_.insert(i);
    for (const AnnouncedStore &s : out_.stores)
      announced_.insert(s.store);
  }

  void run() {
    if (mappings_.empty())
      return;
    for (Id fn : c_.calledBy(out_.sections))
      look(fn, {});
    for (const Section &s : out_.sections)
      if (s.hasBody() && s.body.valid())
        look(s.function, s.body);
  }

private:
  /// Where the flags are not known, it may.
  bool mapsShared(const Call &c) const {
    if (c.callee == None || f_.functions[c.callee].hasBody)
      return false;
    const std::string &name = f_.functions[c.callee].name;
    if (hasTrait(name, LibraryFunction::SharesMemory))
      return true;
    constexpr uint64_t writes = 2, shared = 1; // PROT_WRITE, MAP_SHARED
    return hasTrait(name, LibraryFunction::MapsMemory) &&
           (c.constantAt(2).value_or(writes) & writes) &&
           (c.constantAt(3).value_or(shared) & shared);
  }

  /// In a part of the function, or in all of it.
  void look(Id function, Span part) {
    auto covers = [&](Span s) { return !part.valid() || part.holds(s); };
    for (Id i : p_.storesOf(function))
      if (const StoreSite &s = f_.stores[i];
          !announced_.contains(i) && covers(s.span))
        store(s.address, s.loc, function);
    for (Id i : p_.callsOf(function)) {
      const Call &c = f_.calls[i];
      const LibraryFunction *l = p_.library(c);
      if (l && l->destination >= 0 && size_t(l->destination) < c.args.size() &&
          covers(c.span))
        store(c.args[l->destination], c.loc, function);
    }
  }

  void store(Id address, Loc loc, Id function) {
    const AccessPath path(p_, address);
    if (path.base == None || path.isAddress)
      return;
    for (const ValueOrigins::Origin &o : origins_.ofVariable(path.base)) {
      const Id mapping = o.call == None || o.isBehind ? None : madeBy(o.call);
      if (mapping == None)
        continue;
      mappings_.erase(mapping);
      const Call &c = f_.calls[mapping];
      out_.findings.report(
          {FindingId::SharedMemory, loc, function,
           "what is written here is in memory that " +
               f_.functions[c.callee].name + "() maps (" + p_.describe(c.loc) +
               "): other processes may see it before the section is committed, "
               "and after a crash without the rest of the section"});
    }
  }

  /// The call itself, or one below a function of the program that it calls.
  Id madeBy(Id call) const {
    if (mappings_.contains(call))
      return call;
    const Id callee = f_.calls[call].callee;
    if (callee == None || !f_.functions[callee].hasBody)
      return None;
    const IdSet below = c_.loop.reachableFrom({call});
    for (Id i : mappings_)
      if (below.contains(f_.calls[i].function))
        return i;
    return None;
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ValueOrigins &origins_;
  SharedMemoryParts out_;
  IdSet mappings_, announced_;
};

} // namespace

namespace nvmove {

void reportSharedMemory(SharedMemoryParts a) { SharedStores(a).run(); }

} // namespace nvmove
