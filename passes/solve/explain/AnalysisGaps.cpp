//===- AnalysisGaps.cpp - What the analysis could not follow --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include <algorithm>
#include <map>
#include <set>

REPORTS(AssemblyWrites, CallbackServesRequests, DispatcherReentered,
        InlineAssembly, LibraryMemory, MessageNotFollowed, NoBody, NotFollowed,
        NotYetFilled, SetUpNotFollowed, SeveralDefinitions, UnparsedBranch,
        UnresolvedCall, VariadicFlow)

using namespace nvmove;

namespace {

using AnalysisGapsParts = View<const Pool>;

/// Everything here is listed with what could hide behind it.
class GapFinder {
public:
  explicit GapFinder(const AnalysisGapsParts &a)
      : c_(a.context), s_(a.state), heap_(*a.pool), f_(c_.program.facts),
        pt_(c_.pointsTo), out_(a.findings) {}

  void run() {
    unresolvedCalls();
    reenteredDispatcher();
    notYet();
    messages();
    setUps();
    requestCallbacks();
    functionsWithoutBody();
    collectedGaps();
    severalDefinitions();
    unparsedBranches();
  }

private:
  void unresolvedCalls() {
    std::vector<Id> never = pt_.neverRun();
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.callsOf(fn)) {
        const Call &k = f_.calls[i];
        if (k.callee != None || c_.program.isDeadEnd(i))
          continue;
        bool any = false;
        for (Id l : pt_.pointsTo(k.target))
          any |= pt_.objects()[pt_.locations()[l].object].kind ==
                 PointsTo::Object::Function;
        // Proved null on the way: that is reported as not-yet-filled.
        if (!any)
          out_.report(
              Finding{FindingId::UnresolvedCall, k.loc, fn,
                      "no function is known that this pointer may call during "
                      "the load; what such a function loads is not seen"}
                  .as(llvm::is_contained(never, i) ? Severity::Note
                                                   : Severity::Check));
      }
  }

  void notYet() {
    for (Id i : pt_.neverRun())
      out_.report({FindingId::NotYetFilled, f_.calls[i].loc,
                   f_.calls[i].function,
                   "not followed: until the load has ended, a pointer or a "
                   "flag on the path to it is not set, or a parameter never "
                   "has the required value"});
  }

  void messages() {
    for (auto [fn, call] : pt_.logsNotFollowed())
      out_.report(
          {FindingId::MessageNotFollowed, f_.calls[call].loc,
           f_.calls[call].function,
           "not followed: what the load prints or logs with " +
               f_.functions[fn].name +
               " is assumed to be a message and not to restore anything"});
  }

  void setUps() {
    for (Id k : pt_.setUpsNotFollowed()) {
      const std::string &name = f_.functions[f_.calls[k].callee].name;
      out_.reportOnce(
          name,
          {FindingId::SetUpNotFollowed, f_.calls[k].loc, f_.calls[k].function,
           "not followed: " + name +
               "() sets up what the load is the first to use, as each "
               "process does when it is the first to use it"});
    }
  }

  void requestCallbacks() {
    for (auto [fn, call] : pt_.requestCallbacks())
      out_.report(
          {FindingId::CallbackServesRequests, f_.functions[fn].loc, fn,
           "not followed: the library that is called at " +
               c_.program.describe(f_.calls[call].loc) + " may call " +
               f_.functions[fn].name +
               " during the load, which executes requests of any kind"});
  }

  void reenteredDispatcher() {
    IdSet cut;
    IdSet serving = c_.loop.serving;
    serving.insert(c_.loop.reentering.begin(), c_.loop.reentering.end());
    for (Id d : serving)
      for (Id i : c_.program.callersOf(d))
        if (pt_.reached().contains(f_.calls[i].function) &&
            cut.insert(i).second)
          out_.report({FindingId::DispatcherReentered, f_.calls[i].loc,
                       f_.calls[i].function,
                       "the load runs an event loop here; what the handlers do "
                       "is not counted as loading"});
  }

  /// A record of the program, or memory that the load made or filled.
  bool handsOverState(llvm::ArrayRef<Id> args) const {
    for (Id a : args) {
      if (a == None)
        continue;
      Id record = c_.program.pointeeRecord(f_.nodes[a].type);
      if (record != None && c_.program.isProgramRecord(record))
        return true;
      if (record != None && handsOverIn(a))
        return true;
      for (Id l : pt_.pointsTo(a)) {
        Id o = pt_.locations()[l].object;
        if (pt_.objects()[o].kind == PointsTo::Object::Heap ||
            (pt_.isMemory(l) && s_.reachable(o) && s_.isLoaded(o)))
          return true;
      }
    }
    return false;
  }

  /// hsearch(entry, ENTER): in a record of the library's.
  bool handsOverIn(Id address) const {
    for (Id l : pt_.pointsTo(address))
      for (Id member : pt_.locationsOf(pt_.locations()[l].object))
        for (Id t : pt_.content(member))
          if (pt_.isMemory(t) &&
              pt_.objects()[pt_.locations()[t].object].kind ==
                  PointsTo::Object::Heap)
            return true;
    return false;
  }

  /// Pointers to const, and none comes back: rename(). It would have to keep
  /// one without a word.
  bool onlyLooks(const Call &call) const {
    bool givesPointer =
        call.result != None && c_.program.isPointer(f_.nodes[call.result].type);
    return !givesPointer &&
           llvm::all_of(call.argIsReadOnly, [](bool is) { return is; });
  }

  /// hsearch(), pthread_setspecific(): the pool keeps nothing of it.
  void keptByLibrary(const Call &call, const LibraryFunction &row) {
    for (int k : {row.keeps.first, row.keeps.second})
      if (k >= 0 && size_t(k) < call.args.size() &&
          !(row.traits & LibraryFunction::WritesLater) &&
          handsOverState(call.args[k]))
        out_.report({FindingId::LibraryMemory, call.loc, call.function,
                     f_.functions[call.callee].name +
                         " keeps a pointer to loaded state in memory of the "
                         "library, which is not restored"});
  }

  /// One entry for each function, at its first call.
  void functionsWithoutBody() {
    std::map<Id, std::vector<Id>> calls;
    IdSet handed;
    for (auto [i, callee] : pt_.libraryCallsReached()) {
      const Call &k = f_.calls[i];
      if (k.callee == None)
        continue;
      if (const LibraryFunction *row =
              libraryEntry(f_.functions[k.callee].name)) {
        keptByLibrary(k, *row);
        if (row->saysAll() || (row->traits & LibraryFunction::OnlyReads))
          continue;
      }
      if (c_.program.library(k))
        continue;
      bool isHanded = !onlyLooks(k) && handsOverState(k.args);
      if (isHanded || c_.program.isOwnWithoutBody(k.callee))
        calls[k.callee].push_back(i);
      if (isHanded)
        handed.insert(k.callee);
    }
    for (auto &[callee, sites] : calls) {
      Id first = *std::min_element(sites.begin(), sites.end(), [&](Id a, Id b) {
        return f_.calls[a].loc < f_.calls[b].loc;
      });
      std::string more =
          sites.size() == 1
              ? ""
              : " (" + std::to_string(sites.size()) + " calls in all)";
      Finding finding =
          Finding{FindingId::NoBody, f_.calls[first].loc,
                  f_.calls[first].function,
                  whatHides(callee, first, handed.contains(callee)) + more}
              .about(f_.functions[callee].name);
      finding.subjectNode = f_.functions[callee].node;
      out_.report(std::move(finding));
    }
  }

  std::string whatHides(Id function, Id call, bool isHanded) const {
    const Call &k = f_.calls[call];
    std::string what = f_.functions[function].name;
    if (isHanded)
      return what + " has no body in these files and gets loaded state; a "
                    "pointer that it keeps, or what it writes, is not seen";
    what += " has no body in these files: what it loads, or keeps, is not seen";
    Id record = k.result == None
                    ? None
                    : c_.program.pointeeRecord(f_.nodes[k.result].type);
    if (record != None)
      what += "; the " + f_.records[record].spelling +
              " that it returns counts as loaded";
    return what + "; add its source file";
  }

  void collectedGaps() {
    for (const Gap &g : f_.gaps) {
      bool loads = g.function != None && pt_.reached().contains(g.function);
      switch (g.kind) {
      case Gap::Kind::InlineAsm:
        out_.report(
            {llvm::any_of(g.handed, [&](Id p) { return heap_.liesBehind(p); })
                 ? FindingId::AssemblyWrites
                 : FindingId::InlineAssembly,
             g.loc, g.function,
             g.what + (loads ? "; the load runs it: what it writes may "
                               "be persistent without being recognised"
                             : "; a store that it makes to "
                               "persistent memory is not announced")});
        break;
      case Gap::Kind::Variadic:
        if (loads)
          out_.report({FindingId::VariadicFlow, g.loc, g.function,
                       g.what + "; because of it, types may be found "
                                "persistent that are not"});
        break;
      case Gap::Kind::Unfollowed:
        out_.report({FindingId::NotFollowed, g.loc, g.function,
                     g.what + "; a pointer that passes through it is lost"});
        break;
      case Gap::Kind::UneditableStore: // listed where the store is persistent
      case Gap::Kind::SkippedFile:     // listed with the files
      case Gap::Kind::ParseError:
      case Gap::Kind::MissingHeader:
      case Gap::Kind::ParsedBranch:
      case Gap::Kind::SkippedBranch:
      case Gap::Kind::RegisterWrite: // where a store is written so, too
      case Gap::Kind::BitFieldWrite:
        break;
      }
    }
  }

  /// Of a record that the load's functions know by its declaration alone; which
  /// is meant, nothing that they call has said (IncompleteRecords.cpp).
  void severalDefinitions() {
    std::map<llvm::StringRef, std::vector<Id>> defined;
    for (Id r = 0; r < f_.records.size(); ++r)
      if (f_.records[r].complete)
        defined[f_.records[r].name].push_back(r);
    IdSet reported;
    for (const Node &n : f_.nodes) {
      Id record = n.type == None || n.function == None ||
                          !pt_.reached().contains(n.function)
                      ? None
                      : c_.program.pointeeRecord(n.type);
      if (record == None || f_.records[record].complete ||
          f_.records[record].name.empty())
        continue;
      const std::vector<Id> &all = defined[f_.records[record].name];
      if (all.size() > 1 && reported.insert(record).second)
        out_.report(
            {FindingId::SeveralDefinitions, n.loc, n.function,
             f_.records[record].spelling + " is only declared here, and " +
                 c_.program.describe(f_.records[all[0]].loc) + " and " +
                 c_.program.describe(f_.records[all[1]].loc) +
                 " define it differently: it is not known which definition is "
                 "meant, and types reachable from it may be missing"});
    }
  }

  /// A branch counts as parsed when one of the files that see it parsed it.
  void unparsedBranches() {
    std::set<Loc> parsed;
    for (const Gap &g : f_.gaps)
      if (g.kind == Gap::Kind::ParsedBranch)
        parsed.insert(g.loc);
    for (const Gap &g : f_.gaps)
      // Our own switch: what it leaves out is parsed.
      if (g.kind == Gap::Kind::SkippedBranch && !parsed.count(g.loc) &&
          !llvm::is_contained(g.macros, "NVMOVE_NO_SERIALIZATION"))
        out_.report({FindingId::UnparsedBranch, g.loc, None, g.what});
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const PoolMembership &heap_;
  const Facts &f_;
  const PointsTo &pt_;
  FindingList &out_;
};

} // namespace

namespace nvmove {

void reportGaps(AnalysisGapsParts a) { GapFinder(a).run(); }

} // namespace nvmove
