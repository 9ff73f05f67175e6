//===- Sections.cpp - What becomes durable together ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/CallDominators.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/phases/LoopSection.h"
#include "passes/solve/sections/Changes.h"
#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/sections/NamedSections.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(LoopWithoutSection, NoSections, SectionNotBracketed,
        StoreOutsideSection)

using namespace nvmove;

namespace {

using SectionsParts =
    View<const Roots, const Scalars, const Allocations, const Stores,
         const Threads, Sections, ReplacedCalls>;

class SectionFinder {
public:
  explicit SectionFinder(const SectionsParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), out_(a), named_(c_),
        storesIn_(f_.functions.size(), 0), changesIn_(f_.functions.size(), 0) {
    for (const MainLoop &loop : c_.loop.loops)
      bodies_.push_back({LoopSection(p_, c_.loop, loop), {}, false});
    for (const Change &change : changesOf(out_)) {
      storesIn_[change.function] += change.isInHeap;
      ++changesIn_[change.function];
      note(change.function, change.span);
    }
    // Of main's own records only main changes members by name.
    const RestoredStatics kept(out_.roots, out_.scalars);
    for (const StaticWrite &w : f_.localWrites)
      if (w.function != None && kept.holds(w)) {
        ++changesIn_[w.function];
        note(w.function, w.statement.span);
      }
  }

  void run() {
    for (size_t i = 0; i < bodies_.size(); ++i)
      body(bodies_[i], c_.loop.loops[i]);
    dispatcher();
    inner();
    user();
    callbacks();
    if (llvm::none_of(out_.sections, isWritten)) {
      if (out_.threads.empty())
        noSections();
    } else {
      handedOver();
      leftLoops();
    }
  }

private:
  /// Not one of a function that is only called through pointers.
  static bool isWritten(const Section &s) {
    return s.hasBody() || !s.calls.empty() || !s.locks.empty();
  }

  void noSections() {
    if (!out_.sections.empty()) {
      Id fn = out_.sections.front().function;
      out_.findings.report({FindingId::NoSections, f_.functions[fn].loc, fn,
                            "there is no call of " +
                                out_.sections.front().name +
                                " that a section could be put around"});
      return;
    }
    bool found = c_.loop.loop != None;
    Id fn = found ? f_.loops[c_.loop.loop].function : None;
    out_.findings.report(
        {FindingId::NoSections, found ? f_.loops[c_.loop.loop].loc : Loc(), fn,
         (found ? "the loop that waits for input has no call that changes "
                  "persistent state and could be a section"
                : "no loop that waits for input was found below main")});
  }

  /// A main loop of a library calls what it, or the library before it, was
  /// handed: pcap_loop(p, -1, got_packet, 0). Each such call is a section.
  void callbacks() {
    IdSet loops;
    for (const Call &c : f_.calls)
      if (c.callee != None && !f_.functions[c.callee].hasBody &&
          hasTrait(f_.functions[c.callee].name, LibraryFunction::MainLoop))
        loops.insert(c.callee);
    if (loops.empty())
      return;
    const IdSet inside = c_.calledBy(out_.sections);
    const std::set<Id> bracketed = this->bracketed();
    IdSet found;
    IdSet together = c_.phases.handled;
    const size_t first = out_.sections.size();
    eachHandedOver([&](const Call &c, Id handler) {
      if (inside.contains(handler) || !changesOutside(handler, bracketed) ||
          llvm::none_of(loops,
                        [&](Id l) { return isOfOneLibrary(l, c.callee); }) ||
          p_.definitionsOf(handler).size() != 1 ||
          !found.insert(handler).second)
        return;
      IdSet below = belowOf(handler);
      together.insert(below.begin(), below.end());
      Section s{};
      s.kind = Section::Kind::Callback;
      s.function = handler;
      s.calls = p_.callsOf(handler);
      s.name = f_.functions[handler].name;
      if (llvm::none_of(s.calls, [&](Id k) {
            Id callee = f_.calls[k].callee;
            return callee != None &&
                   f_.functions[callee].name == RuntimeCall::SectionBegin;
          }))
        s.body = p_.definitionsOf(handler).front()->body;
      out_.sections.push_back(std::move(s));
    });
    if (out_.sections.size() > first)
      replaceOutputs(a_, together);
    const unsigned all = std::max(1u, reached(changesIn_, together));
    for (size_t i = first; i < out_.sections.size(); ++i)
      out_.sections[i].share =
          double(reached(changesIn_, belowOf(out_.sections[i].function))) / all;
  }

  /// The function, and what its calls lead to.
  IdSet belowOf(Id function) const {
    IdSet below = c_.loop.reachableFrom(p_.callsOf(function));
    below.insert(function);
    return below;
  }

  /// They are declared in one header or folder of a library, or begin with one
  /// word: event_new(), event_base_dispatch().
  bool isOfOneLibrary(Id function, Id other) const {
    auto header = [&](Id fn) {
      Id file = f_.functions[fn].loc.file;
      return file == None ? llvm::StringRef() : f_.files[file].path;
    };
    auto word = [&](Id fn) {
      return llvm::StringRef(f_.functions[fn].name).split('_').first;
    };
    llvm::StringRef a = header(function), b = header(other),
                    folder = a.rsplit('/').first;
    return a == b || word(function) == word(other) ||
           (folder == b.rsplit('/').first && !folder.ends_with("/include"));
  }

  /// A loop of a library calls handlers that no loop of the program does:
  /// watch(fd, got_packet); run().
  void handedOver() {
    IdSet inside = c_.calledBy(out_.sections);
    for (const Section &s : out_.sections)
      if (s.kind == Section::Kind::Callback)
        inside.insert(s.function);
    const std::set<Id> bracketed = this->bracketed();
    IdSet reported;
    eachHandedOver([&](const Call &c, Id handler) {
      if (inside.contains(c.function) || inside.contains(handler) ||
          !changesOutside(handler, bracketed) ||
          !reported.insert(handler).second)
        return;
      out_.findings.report(
          {FindingId::StoreOutsideSection, c.loc, c.function,
           f_.functions[handler].name + " is passed to " +
               f_.functions[c.callee].name +
               "(), and may change persistent state outside of sections: the "
               "change becomes durable with the next commit, if there is one",
           "name what it calls with --section"});
    });
  }

  /// Functions that library calls are handed, but for those that load.
  void eachHandedOver(
      llvm::function_ref<void(const Call &, Id handler)> visit) const {
    auto see = [&](const Call &c, Id handler) {
      if (!c_.pointsTo.reached().contains(handler) &&
          f_.functions[handler].hasBody)
        visit(c, handler);
    };
    for (const Call &c : f_.calls) {
      if (c.callee == None || f_.functions[c.callee].hasBody ||
          c.function == None || c_.pointsTo.reached().contains(c.function) ||
          hasTrait(f_.functions[c.callee].name, LibraryFunction::RunsAtExit) ||
          hasTrait(f_.functions[c.callee].name,
                   LibraryFunction::RunsOnSignal) ||
          libraryFact(f_.functions[c.callee].name, &LibraryFunction::thread)
                  .function >= 0)
        continue; // it may be called at once, or last; or is reported
      for (Id a : c.args) {
        if (a == None)
          continue;
        if (p_.isFunctionPointer(f_.nodes[a].type))
          for (Id fn : c_.flow.functionsIn(c_.flow.atNode(a)))
            see(c, fn);
        for (Id fn : c_.flow.functionsInTable(a))
          see(c, fn);
      }
    }
  }

  /// Loops that wait otherwise than the main loop, and do half of what it does:
  /// not one that reads a text to show it.
  void leftLoops() {
    const std::set<Id> bracketed = this->bracketed();
    const unsigned all = reached(changesIn_, c_.phases.handled);
    for (Id loop : c_.loop.left) {
      std::vector<Id> calls = c_.loop.callsIn(loop);
      if (reached(changesIn_, c_.loop.reachableFrom(calls)) * 2 < all)
        continue;
      llvm::erase_if(calls, [&](Id i) { return bracketed.count(i) != 0; });
      if (!changesOutside(calls, bracketed))
        continue;
      const Loop &l = f_.loops[loop];
      out_.findings.report(
          {FindingId::LoopWithoutSection, l.loc, l.function,
           "this loop after the load waits or reads, but is not the main loop, "
           "and may change persistent state outside of sections: the change "
           "becomes durable with the next commit, if there is one",
           "name what it calls with --section"});
    }
  }

  std::set<Id> bracketed() const {
    std::set<Id> result;
    for (const Section &s : out_.sections)
      result.insert(s.calls.begin(), s.calls.end());
    return result;
  }

  /// Below it, and not below calls that are sections.
  bool changesOutside(const std::vector<Id> &calls,
                      const std::set<Id> &bracketed) const {
    return llvm::any_of(calls, [&](Id i) {
      return llvm::any_of(c_.flow.callees(i),
                          [&](Id fn) { return changesOutside(fn, bracketed); });
    });
  }
  bool changesOutside(Id function, const std::set<Id> &bracketed) const {
    return CallGraph(p_, c_.flow)
               .reach({function},
                      {.follows = [&](Id i) { return !bracketed.count(i); },
                       .until = [&](Id fn) { return changesIn_[fn] != 0; }})
               .last() != None;
  }

  static unsigned reached(const std::vector<unsigned> &in,
                          const IdSet &functions) {
    unsigned n = 0;
    for (Id fn : functions)
      n += in[fn];
    return n;
  }

  unsigned storesReached(const IdSet &functions) const {
    return reached(storesIn_, functions);
  }

  unsigned changesBelow(Id call) {
    return reached(changesIn_, c_.loop.reachableFrom({call}));
  }

  /// Of a loop.
  struct Body {
    LoopSection part;
    std::vector<Span> places; ///< where its function makes changes
    bool isSection;
  };
  void note(Id function, Span place) {
    for (Body &b : bodies_)
      if (function == b.part.function)
        b.places.push_back(place);
  }

  /// The loop carries out commands by itself, or calls what does where no
  /// statement could be bracketed.
  void body(Body &b, const MainLoop &loop) {
    const LoopSection &part = b.part;
    if (named_.encloses(part.function))
      return;
    unsigned own =
        llvm::count_if(b.places, [&](Span s) { return part.covers(s); });
    std::vector<Id> calls;
    bool isNeeded = own;
    for (Id i : loop.handlerCalls)
      if (part.covers(i) && changesBelow(i)) {
        calls.push_back(i);
        isNeeded |= !f_.calls[i].statement.span.valid();
      }
    isNeeded =
        isNeeded || (part.loop != None && severalBetweenWaits(calls, loop));
    // Where what waits serves events, too, the loop does no more than the rest.
    for (Id i : loop.handlerCalls)
      isNeeded &= f_.calls[i].function == part.function || !changesBelow(i);
    for (Id fn : loop.dispatcher)
      isNeeded &= changesIn_[fn] == 0;
    if ((isNeeded || part.isSection) && part.loop != None) {
      unsigned below = reached(changesIn_, c_.loop.reachableFrom(calls)),
               all = reached(changesIn_,
                             c_.loop.reachableFrom(loop.handlerCalls));
      Section s{};
      s.kind = Section::Kind::Body;
      s.function = part.function;
      s.loop = part.loop;
      s.calls = std::move(calls);
      s.body = part.span;
      s.share = double(own + below) / std::max(1u, own + all);
      s.name = "loop of " + f_.functions[s.function].name;
      out_.sections.push_back(std::move(s));
      b.isSection = true;
    }
    for (Span s : b.places)
      if (part.isBeside(s) || (!b.isSection && part.covers(s)))
        return out_.findings.report(
            {FindingId::StoreOutsideSection, f_.loops[loop.loop].loc,
             part.function,
             "the loop that waits for input may itself change persistent "
             "state, and no section can be put around that: the change becomes "
             "durable with the next commit, if there is one",
             "do it in a function"});
  }

  /// One input is answered by several of the calls, or by one again and again:
  /// x = pop(); push(x + pop()); by themselves they do not wait for more.
  bool severalBetweenWaits(std::vector<Id> calls, const MainLoop &loop) const {
    const CallOrder &order = c_.phases.order();
    llvm::erase_if(calls, [&](Id i) {
      return readsInput(i) || !order.isInBlock(i); // the process ends
    });
    return llvm::any_of(calls, [&](Id a) {
      return llvm::any_of(
          calls, [&](Id b) { return order.mayPrecede(a, b, loop.waits); });
    });
  }

  bool readsInput(Id call) const {
    auto reads = [&](Id fn) {
      return llvm::any_of(p_.callsOf(fn), [&](Id i) {
        return p_.isLibrary(f_.calls[i], LibraryFunction::Input) ||
               p_.isLibrary(f_.calls[i], LibraryFunction::Wait);
      });
    };
    return llvm::any_of(c_.loop.reachableFrom({call}), reads);
  }

  void dispatcher() {
    if (c_.loop.loop == None)
      return;
    unsigned total = std::max(1u, reached(changesIn_, c_.phases.handled));
    for (Id i : c_.loop.handlerCalls) {
      const Call &c = f_.calls[i];
      unsigned n = changesBelow(i);
      if (n == 0 || named_.encloses(c.function) ||
          llvm::any_of(bodies_, [&](const Body &b) {
            return b.isSection && b.part.covers(i);
          }))
        continue;
      if (!c.statement.span.valid()) {
        out_.findings.report({FindingId::SectionNotBracketed, c.loc, c.function,
                              "this call may change persistent state, but is "
                              "not in a statement of its own"});
        continue;
      }
      Section s{};
      s.kind = Section::Kind::Dispatcher;
      s.call = i;
      s.function = c.function;
      s.calls = {i};
      s.share = double(n) / total;
      s.name = nameOf(c);
      out_.sections.push_back(std::move(s));
    }
    llvm::sort(out_.sections, [](const Section &a, const Section &b) {
      return a.share > b.share;
    });
    // Functions below the loop must not store outside the sections.
    IdSet dispatchers;
    for (const MainLoop &loop : c_.loop.loops)
      dispatchers.insert(loop.dispatcher.begin(), loop.dispatcher.end());
    for (Id fn : dispatchers)
      if (storesIn_[fn] && !named_.encloses(fn))
        out_.findings.report(
            {FindingId::StoreOutsideSection, f_.functions[fn].loc, fn,
             f_.functions[fn].name +
                 " may change persistent state between sections; the change "
                 "becomes durable with the next commit"});
  }

  // Output inside a handler commits what the handler has done so far. So that
  // it never commits half an update, the function that most updates go through
  // is a section inside the handler's. Shared primitives (a hash table's
  // insert) are dominated by nothing but the loop, so no share of all stores
  // decides: from the heaviest subtree of the dominator tree the walk goes down
  // as long as one child keeps half of it and still reaches nearly all stores.
  void inner() {
    if (c_.loop.loop == None)
      return;
    CallDominators dominators(p_, c_.flow, c_.loop.handlerCalls);
    IdMap<unsigned> below;
    IdMap<Id> heaviest; // child of each function
    auto offer = [&](Id parent, Id child) {
      auto [at, fresh] = heaviest.try_emplace(parent, child);
      if (!fresh && below[child] > below[at->second])
        at->second = child;
    };
    Id entry = None;
    for (auto i = dominators.order().rbegin(); i != dominators.order().rend();
         ++i) {
      below[*i] += storesIn_[*i];
      Id up = dominators.immediate(*i);
      if (up != None) {
        below[up] += below[*i];
        offer(up, *i);
      } else if (entry == None || below[*i] > below[entry]) {
        entry = *i;
      }
    }
    if (entry == None)
      return;
    unsigned total = std::max(1u, storesReached(c_.phases.handled));
    auto share = [&](Id fn) {
      IdSet reached = c_.loop.reachableFrom(p_.callsOf(fn));
      reached.insert(fn);
      return double(storesReached(reached)) / total;
    };
    Id best = entry;
    for (auto child = heaviest.find(best);
         child != heaviest.end() && below[child->second] * 2 >= below[best] &&
         share(child->second) >= 0.9 * share(best);
         child = heaviest.find(best))
      best = child->second;
    if (share(best) < 0.5 || !mayOutput(best))
      return;
    Section s{};
    s.kind = Section::Kind::Inner;
    s.function = best;
    s.share = share(best);
    s.name = f_.functions[best].name;
    for (Id i : p_.callersOf(best))
      if (f_.calls[i].statement.span.valid())
        s.calls.push_back(i);
      else
        out_.findings.report({FindingId::SectionNotBracketed, f_.calls[i].loc,
                              f_.calls[i].function,
                              "the call of " + s.name +
                                  " is not in a statement of its own; an "
                                  "output in it may commit half an update"});
    out_.sections.push_back(std::move(s));
  }

  bool mayOutput(Id function) const {
    IdSet below = c_.loop.reachableFrom(p_.callsOf(function));
    below.insert(function);
    return llvm::any_of(out_.replaced, [&](const ReplacedCall &r) {
      const Call &c = f_.calls[r.call];
      return p_.isLibrary(c, LibraryFunction::Output) &&
             below.contains(c.function);
    });
  }

  std::string nameOf(const Call &c) const {
    if (c.callee != None)
      return f_.functions[c.callee].name;
    Id d = p_.definition(c.target);
    if (d != None && f_.constraints[d].flow == Flow::Load)
      d = p_.definition(f_.constraints[d].src);
    if (d != None && f_.constraints[d].flow == Flow::Member)
      return f_.fields[f_.constraints[d].extra].name;
    return f_.nodes[c.target].name.empty() ? "call at " + p_.describe(c.loc)
                                           : f_.nodes[c.target].name;
  }

  void user() {
    for (const std::string &name : c_.options.section) {
      Id fn = p_.functionNamed(name);
      if (fn == None)
        continue; // solve() has complained
      Section s{};
      s.kind = Section::Kind::User;
      s.function = fn;
      s.name = name;
      for (Id i : p_.callersOf(fn))
        if (f_.calls[i].statement.span.valid())
          s.calls.push_back(i);
        else
          out_.findings.report(
              {FindingId::SectionNotBracketed, f_.calls[i].loc,
               f_.calls[i].function,
               "the call of " + name + " is not in a statement of its own"});
      out_.sections.push_back(std::move(s));
    }
  }

  SectionsParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  SectionsParts out_;
  const NamedSections named_;
  std::vector<unsigned> storesIn_;  ///< the heap, by function
  std::vector<unsigned> changesIn_; ///< these, and roots and scalars
  std::vector<Body> bodies_;        ///< of EventLoop::loops
};

} // namespace

namespace nvmove {

void findSections(SectionsParts a) { SectionFinder(a).run(); }

} // namespace nvmove
