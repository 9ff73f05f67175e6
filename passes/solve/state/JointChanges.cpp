//===- JointChanges.cpp - What changes whenever the state does ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/ChangedWithState-joint.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/JointChanges.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/Threads.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

static constexpr unsigned MaxJointCallerDepth = 6; ///< of callers

JointChanges::JointChanges(const Parts &a)
    : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), graph_(p_, c_.flow),
      threads_(reachedBy(threadsOf(c_), c_)) {
  update();
}

void JointChanges::update() {
  known_.clear();
  auto noteLocal = [&](Id variable) {
    if (f_.nodes[variable].kind == NodeKind::Local)
      locals_.insert(variable);
  };
  for (const RestoredScalar &s : a_.statics.restored().scalars())
    noteLocal(s.variable);
  for (const Root &r : a_.statics.restored().roots())
    if (r.kept() && r.container == None)
      noteLocal(r.variable);
  const PersistentParts parts(p_, a_.types);
  IdSet blocks; // sites that roots lead to
  for (const Root &r : a_.statics.restored().roots())
    if (r.kept())
      for (unsigned t : c_.flow.inSlot(r.variable, r.fields))
        if (c_.flow.tokens()[t].kind == FieldFlow::Token::Site)
          blocks.insert(c_.flow.tokens()[t].ref);
  auto isKept = [&](Id address) {
    bool found = false;
    eachStatic(address, [&](const StaticPlace &at) {
      found |= a_.statics.restored().holds(at.variable, at.path);
    });
    const AccessPath path(p_, address);
    if (!found && path.base != None && !path.isAddress)
      for (unsigned t : c_.flow.atNode(path.base))
        found |= c_.flow.tokens()[t].kind == FieldFlow::Token::Site &&
                 blocks.contains(c_.flow.tokens()[t].ref);
    return found;
  };
  std::vector<Id> changing;
  auto add = [&](Id function) {
    if (!changing_.contains(function))
      changing.push_back(function);
  };
  for (Id i = 0; i < f_.stores.size(); ++i)
    if (const StoreSite &s = f_.stores[i];
        (s.record != None && parts.contains(s.record)) || isKept(s.address)) {
      stores_.insert(i);
      add(s.function);
    }
  for (Id i = 0; i < f_.staticWrites.size(); ++i)
    if (const StaticWrite &w = f_.staticWrites[i];
        w.function != None && a_.statics.restored().holds(w)) {
      writes_.insert(i);
      add(w.function);
    }
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Call &call = f_.calls[i];
    const LibraryFunction *l = p_.library(call);
    auto changes = [&](int k) {
      return k >= 0 && size_t(k) < call.args.size() && call.args[k] != None &&
             (parts.contains(p_.pointeeRecord(f_.nodes[call.args[k]].type)) ||
              isKept(call.args[k]));
    };
    if (l && (changes(l->destination) ||
              llvm::any_of(l->written, [&](const WrittenArg &w) {
                return changes(w.argument);
              }))) {
      calls_.insert(i);
      add(call.function);
    }
  }
  auto leads = [&](Id call) {
    calls_.insert(call);
    return true;
  };
  auto isNew = [&](Id fn) { return !changing_.contains(fn); };
  const CallGraph::Reached reached =
      graph_.reachedBy(changing, {.follows = leads, .enters = isNew});
  changing_.insert(reached.functions().begin(), reached.functions().end());
}

void JointChanges::eachStatic(
    Id address, llvm::function_ref<void(const StaticPlace &)> see) const {
  const AccessPath path(p_, address);
  if (path.base == None)
    return;
  const Id member = path.member();
  // *last = item, where last is a struct item **, changes members of that type.
  const Id type = f_.nodes[address].type,
           written = type == None ? None : p_.pointee(type);
  const bool isTyped =
      written != None &&
      (p_.isPointer(written) || p_.kind(written) == TypeKind::Floating ||
       p_.kind(written) == TypeKind::Integer);
  auto at = [&](Id variable) {
    if (f_.nodes[variable].kind != NodeKind::Global &&
        !locals_.contains(variable))
      return;
    const Id record = p_.recordOf(f_.nodes[variable].type);
    if (record == None || (member == None && !isTyped))
      return see({variable, {}});
    auto seeAll = [&](Id field) {
      for (std::vector<Id> &way : p_.memberPaths(record, field))
        see({variable, std::move(way)});
    };
    if (member != None)
      return seeAll(member);
    for (Id part : p_.nested(record))
      for (Id field : f_.records[part].fields)
        if (p_.element(f_.fields[field].type) == written)
          seeAll(field);
  };
  if (path.isAddress)
    return at(path.base);
  for (unsigned t : c_.flow.atNode(path.base))
    if (const FieldFlow::Token &token = c_.flow.tokens()[t];
        token.kind == FieldFlow::Token::Static)
      at(token.ref);
  if (member == None || llvm::none_of(locals_, [&](Id local) {
        const Id record = p_.recordOf(f_.nodes[local].type);
        return record != None && p_.contains(record, f_.fields[member].record);
      }))
    return;
  HandedLocals slice(c_, locals_, graph_.callers());
  slice.run(path.base);
  llvm::for_each(slice.found, at);
}

/// Of the block, which is run as a whole; by something else than this call.
bool JointChanges::changes(const Definition &d, const Block &block,
                           Id except) const {
  return llvm::any_of(block.calls,
                      [&](uint32_t k) {
                        const Id call = d.calls.begin + k;
                        return call != except && calls_.contains(call);
                      }) ||
         llvm::any_of(block.stores, [&](const BlockStore &s) {
           return stores_.contains(d.stores.begin + s.store);
         });
}

/// Those that the site is in; none where that is not known.
std::vector<uint32_t> JointChanges::blocksOf(const Definition &d,
                                             const Site &site) const {
  std::vector<uint32_t> result;
  auto isOf = [&](const FlowWrite &w) {
    const StaticWrite &s = *site.write;
    return s.path.empty()
               ? w.variable == s.variable
               : w.field != None &&
                     f_.fields[w.field].cell == f_.fields[s.path.back()].cell;
  };
  for (uint32_t b = 0; b < d.blocks.size(); ++b)
    if (const Block &block = d.blocks[b];
        (site.call != None &&
         llvm::is_contained(block.calls, site.call - d.calls.begin)) ||
        (site.store != None && llvm::any_of(block.stores,
                                            [&](const BlockStore &s) {
                                              return d.stores.begin + s.store ==
                                                     site.store;
                                            })) ||
        (site.write && llvm::any_of(block.writes, isOf)))
      result.push_back(b);
  return result;
}

/// Control comes from one block to the other, through none of those to avoid.
static bool meets(const Definition &d, uint32_t from, uint32_t to,
                  const std::vector<bool> *avoided, bool isForward) {
  auto eachNext = [&](uint32_t at, auto go) {
    for (uint32_t b = 0; b < d.blocks.size(); ++b)
      if (isForward ? llvm::is_contained(d.blocks[at].successors, b)
                    : llvm::is_contained(d.blocks[b].successors, at))
        go(b);
  };
  std::vector<bool> seen(d.blocks.size());
  std::vector<uint32_t> work{from};
  while (!work.empty() && !seen[to]) {
    const uint32_t at = work.back();
    work.pop_back();
    eachNext(at, [&](uint32_t b) {
      if (!seen[b] && !(avoided && (*avoided)[b])) {
        seen[b] = true;
        work.push_back(b);
      }
    });
  }
  return seen[to];
}

/// Every way through the block leads through one that changes what is kept; in
/// a loop that never ends, every way back to it. The last block is the entry,
/// the first one the end.
bool JointChanges::isPassed(const Definition &d,
                            const std::vector<bool> &changing,
                            uint32_t block) const {
  if (changing[block])
    return true;
  const uint32_t end = 0, entry = uint32_t(d.blocks.size()) - 1;
  const bool isEndless = block != end && !meets(d, block, end, nullptr, true);
  const bool avoidsBehind =
      block == end || meets(d, block, isEndless ? block : end, &changing, true);
  const bool avoidsBefore =
      block == entry || meets(d, block, entry, &changing, false);
  return !avoidsBehind || !avoidsBefore;
}

bool JointChanges::isHandled(const Site &site) const {
  const Id loop = site.write          ? site.write->loop
                  : site.call != None ? f_.calls[site.call].loop
                                      : None;
  return c_.phases.isHandled(site.function, loop) ||
         threads_.contains(site.function) ||
         (site.store != None &&
          llvm::any_of(c_.loop.loops, [&](const MainLoop &main) {
            const Loop &l = f_.loops[main.loop];
            return l.function == site.function &&
                   llvm::any_of(l.body, [&](Span s) {
                     return s.holds(f_.stores[site.store].span);
                   });
          }));
}

/// By block: whether it changes what is kept, by something else than this call.
std::vector<bool> JointChanges::changingIn(const Definition &d,
                                           Id except) const {
  std::vector<bool> changing;
  for (const Block &block : d.blocks)
    changing.push_back(changes(d, block, except));
  for (Id w : writes_)
    if (d.staticWrites.begin <= w && w < d.staticWrites.end)
      for (uint32_t b :
           blocksOf(d, {.function = d.function, .write = &f_.staticWrites[w]}))
        changing[b] = true;
  return changing;
}

bool JointChanges::isJointSomewhere(const Site &site) {
  if (isJoint(site))
    return true;
  const auto &definitions = p_.definitionsOf(site.function);
  if (definitions.size() != 1 || !isHandled(site))
    return false;
  const Definition &d = *definitions.front();
  const std::vector<bool> changing = changingIn(d);
  return llvm::any_of(blocksOf(d, site),
                      [&](uint32_t b) { return isPassed(d, changing, b); });
}

IdSet JointChanges::besideInRounds() const {
  std::vector<Id> beside;
  for (const MainLoop &main : c_.loop.loops)
    if (c_.loop.takesInputs(main))
      for (Id call : c_.loop.callsIn(main.loop))
        if (isPassedInRound(call))
          beside.push_back(call);
  return graph_.reachFrom(beside, {.pointers = false}).set();
}

bool JointChanges::isInRound(const Site &site) const {
  return isHandled(site) && llvm::any_of(c_.loop.loops, [&](const MainLoop &m) {
           return f_.loops[m.loop].function == site.function;
         });
}

/// Each way from the call round to it leads through something else that may
/// change what is kept.
bool JointChanges::isPassedInRound(Id call) const {
  const auto &definitions = p_.definitionsOf(f_.calls[call].function);
  if (definitions.size() != 1)
    return false;
  const Definition &d = *definitions.front();
  const std::vector<bool> changing = changingIn(d, call);
  return llvm::any_of(blocksOf(d, {.call = call}), [&](uint32_t b) {
    return changing[b] || !meets(d, b, b, &changing, true);
  });
}

bool JointChanges::isJoint(const Site &site, unsigned depth) {
  const auto &definitions = p_.definitionsOf(site.function);
  // What stands in a main loop itself is of one section with the rest of its
  // body, calls there are not.
  if (definitions.size() != 1 || depth > MaxJointCallerDepth ||
      !(depth ? c_.phases.handled.contains(site.function) ||
                    threads_.contains(site.function)
              : isHandled(site)))
    return false;
  const Definition &d = *definitions.front();
  auto within = [](Range range, const IdSet &some) {
    return llvm::any_of(
        some, [&](Id i) { return range.begin <= i && i < range.end; });
  };
  if (d.blocks.empty()) {
    if (within(d.stores, stores_) || within(d.staticWrites, writes_))
      return true;
  } else {
    const std::vector<bool> changing = changingIn(d);
    std::vector<uint32_t> at = blocksOf(d, site);
    // Not known where: all of the function.
    if (at.empty())
      at.push_back(0);
    if (llvm::all_of(at, [&](uint32_t b) { return isPassed(d, changing, b); }))
      return true;
  }
  const std::vector<Id> &callers = p_.callersOf(site.function);
  return !callers.empty() &&
         !p_.isAddressTaken(f_.functions[site.function].node) &&
         llvm::all_of(callers, [&](Id k) {
           auto [known, fresh] = known_.try_emplace(k, false);
           if (fresh) {
             bool joint = f_.calls[k].function != None &&
                          isJoint({.function = f_.calls[k].function, .call = k},
                                  depth + 1);
             known_[k] = joint;
             return joint;
           }
           return known->second;
         });
}
