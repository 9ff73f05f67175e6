//===- ChangedWithState.cpp - What handlers alone set beside the state ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static unsigned added; static struct item *current;
//   void on_add(const char *key) { ++added; insert(table, key); }
//   void on_drop(struct item *i) { if (current == i) current = NULL; .. }
//
// Neither the load nor start-up sets these. What comes back by itself:
//
//   a pointer to persistent objects that is cleared where one of these goes
//   the head of a list that objects of the load are moved to, with its tail
//   a number beside others that come back, in one record, each change of which
//   comes with one of what is kept
//
// Of another number nobody can tell whether it belongs to the state or counts
// what ends with the process, connections or commands, and a list may be a log
// for people. So with what is made of the state, and with what threads change:
// they are reported, and come back where that is asked for (--keep).
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/program/Library.h"
#include "passes/solve/roots/PerRequestCounters.h"
#include "passes/solve/scalars/RequestedStatics.h"
#include "passes/solve/scalars/StaticReads.h"
#include "passes/solve/state/JointChanges.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

REPORTS(CannotKeep)

using namespace nvmove;

namespace {

using ChangedWithStateParts = View<Types, ServedStatics, UnknownKeep>;

class ChangedWithState {
public:
  explicit ChangedWithState(const ChangedWithStateParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), joint_(a),
        reads_(joint_, a), scratch_(c_), pointers_(a), requested_(a, pointers_),
        lasting_(c_.phases.lasting()) {
    lasting_.insert(joint_.threads().begin(), joint_.threads().end());
  }

  void run() {
    collect();
    keepAskedFor();
    reads_.collect(lasting_);
    if (c_.options.keepAll)
      keepAll();
    dropOthers();
    for (bool isMore = true; isMore;) {
      isMore = false;
      joint_.update();
      for (auto &[place, sites] : sites_)
        if (isOpen(place) && isOfState(place, sites))
          isMore |= isPointer(place) ? addRoot(place, sites.front())
                                     : note(place, sites.front(),
                                            Evidence::ChangedWithState);
    }
    const IdSet beside = joint_.besideInRounds();
    for (auto &[place, sites] : sites_)
      if (isOpen(place) && !isScratch(place, sites)) {
        auto at = llvm::find_if(
            sites, [&](const Site &s) { return joint_.isJointSomewhere(s); });
        const bool isFree =
            isFlag(sites) || (isPointer(place) &&
                              !pointers_.leadsToState(place) && !isOwn(place));
        const bool isApart = at == sites.end() || isFree;
        if (isApart && !isFree && noteBeside(place, sites, beside))
          continue;
        const bool isLoss =
            !isApart &&
            (isPointer(place)
                 ? isOwn(place) &&
                       saysMoreThanText(p_.pointeeRecord(typeOf(place)))
                 : reads_.isAnswered(place) && !made_.count(place));
        note(place, isApart ? sites.front() : *at,
             isLoss    ? Evidence::AnsweredLater
             : isApart ? Evidence::SetByHandlers
                       : Evidence::ChangedApart);
      }
  }

private:
  using Site = JointChanges::Site;

  /// What the loop itself changes as well, is judged there.
  bool noteBeside(const StaticPlace &place, llvm::ArrayRef<Site> sites,
                  const IdSet &beside) {
    if (llvm::any_of(sites, [&](const Site &s) { return joint_.isInRound(s); }))
      return false;
    auto at = llvm::find_if(
        sites, [&](const Site &s) { return beside.contains(s.function); });
    return at != sites.end() && note(place, *at, Evidence::ChangedApart);
  }

  void collect() {
    for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
      for (const StaticWrite &w : *writes)
        if (w.function != None)
          sites_[{w.variable, w.path}].push_back(
              {.function = w.function, .write = &w});
    for (Id i = 0; i < f_.stores.size(); ++i)
      add(f_.stores[i].address,
          {.function = f_.stores[i].function, .store = i});
    const WrittenParameters written(p_, c_.flow, c_.values);
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &call = f_.calls[i];
      const llvm::SmallVector<int, 8> filled = argumentsFilled(p_, call);
      const Site site{.function = call.function, .call = i};
      // Of what the load leads to, the program's own function may write
      // nothing.
      const bool isSure = joint_.isHandled(site) && !isOfLoad(site);
      for (size_t k = 0; k < call.args.size(); ++k)
        if (call.args[k] != None && llvm::is_contained(filled, int(k)))
          add(call.args[k], site);
        else if (call.args[k] != None && written.isWritten(i, k))
          add(call.args[k], site, isSure);
    }
  }

  /// A text that nothing reads but what ends the process says why it ends.
  bool isUnread(const StaticPlace &place) const {
    StaticPlace at = place;
    while (!reads_.isRead(at) && !at.path.empty())
      at.path.pop_back();
    return p_.kind(p_.typeOf(place.variable, place.path)) == TypeKind::Byte &&
           !reads_.isRead(at);
  }

  void add(Id address, Site site, bool isSure = true) {
    const AccessPath path(p_, address);
    joint_.eachStatic(address, [&](const StaticPlace &place) {
      // An item's member is no text that the pointer might lead to as well.
      site.isSure = isSure && (path.isAddress ||
                               (path.member() != None && !place.path.empty()));
      sites_[place].push_back(site);
    });
  }

  /// What is written as a whole, is so in all of its parts. What start-up or
  /// the load sets, too, is not for this rule; before the load a constant makes
  /// it ready, as an initialiser does.
  void dropOthers() {
    for (auto &[place, sites] : sites_)
      for (size_t n = 0; n < place.path.size(); ++n) {
        StaticPlace whole{place.variable,
                          {place.path.begin(), place.path.begin() + n}};
        if (auto at = sites_.find(whole); at != sites_.end())
          llvm::append_range(sites, std::vector<Site>(at->second));
      }
    for (auto &[place, sites] : sites_)
      if (llvm::any_of(sites, [&](const Site &s) {
            return s.function != None && !joint_.isHandled(s) && makesReady(s);
          }))
        made_.insert(place);
    for (auto &[place, sites] : sites_)
      std::erase_if(sites, [&](const Site &s) {
        return s.function != None &&
               (joint_.isHandled(s)
                    ? !isAtStart(s) && !lasting_.contains(s.function)
                    : makesReady(s) || !(s.isSure || isOfLoad(s)));
      });
    std::erase_if(sites_, [&](const auto &of) {
      return !mayBelong(of.first) || isUnread(of.first) ||
             (!pointers_.isOfFilledList(of.first) &&
              llvm::none_of(of.second,
                            [](const Site &s) { return s.isSure; })) ||
             llvm::any_of(of.second, [&](const Site &s) {
               return s.function == None ||
                      (s.isSure &&
                       (!joint_.isHandled(s) ||
                        (isAtStart(s) && !makesReady(s)) || isOfLoad(s))) ||
                      endsWithProcess(s);
             });
    });
    for (auto &[place, sites] : sites_)
      llvm::stable_sort(sites, [](const Site &a, const Site &b) {
        return a.isSure && !b.isSure; // to be told of
      });
  }

  bool isOfLoad(const Site &site) const {
    return c_.pointsTo.reached().contains(site.function);
  }
  bool isAtStart(const Site &site) const {
    return c_.phases.atStart.contains(site.function) ||
           (c_.loop.startUp.contains(site.function) && !joint_.isHandled(site));
  }
  bool makesReady(const Site &site) const {
    return isAtStart(site) && (isConstant(site) || emptiesList(site)) &&
           !c_.phases.isAfterLoad(site.function, locOf(site), None);
  }

  /// list.last = &list.first;
  bool emptiesList(const Site &site) const {
    return site.write && site.write->value != None &&
           AccessPath(p_, site.write->value).variable() == site.write->variable;
  }

  bool isOfState(const StaticPlace &place, llvm::ArrayRef<Site> sites) {
    if (isPointer(place))
      return pointers_.leadsToState(place) &&
             (isOfList(place) || isCleared(sites));
    return !place.path.empty() && !isFlag(sites) &&
           a_.statics.restored().holds(
               place.variable, {place.path.begin(), place.path.end() - 1}) &&
           llvm::all_of(sites, [&](const Site &s) {
             return (s.isSure || !isOfLoad(s)) && !isByThread(s) &&
                    joint_.isJoint(s);
           });
  }
  /// Where the state changes; not what is handed to a thread, which clears it
  /// when it is done.
  bool isCleared(llvm::ArrayRef<Site> sites) {
    return llvm::none_of(sites, [&](const Site &s) { return isByThread(s); }) &&
           llvm::any_of(sites, [&](const Site &s) {
             return s.write && s.write->value == None && joint_.isJoint(s);
           });
  }
  /// Head and tail come back together.
  bool isOfList(const StaticPlace &place) const {
    return pointers_.isOfFilledList(place) &&
           llvm::all_of(pointers_.besides(place), [&](const StaticPlace &at) {
             return a_.statics.restored().holds(at.variable, at.path) ||
                    (sites_.count(at) && isOpen(at) &&
                     pointers_.leadsToState(at));
           });
  }
  bool isByThread(const Site &site) const {
    return joint_.threads().contains(site.function) &&
           !c_.phases.handled.contains(site.function);
  }

  void keepAskedFor() {
    for (llvm::StringRef name : c_.options.keep) {
      bool isKnown = false;
      for (auto &[place, sites] : sites_) {
        const std::string path = p_.nameOf(place.variable, place.path);
        llvm::StringRef rest = path;
        if (!rest.consume_front(name) || !(rest.empty() || rest[0] == '.') ||
            p_.recordOf(p_.typeOf(place.variable, place.path)) != None)
          continue;
        isKnown = true;
        if (a_.statics.restored().holds(place.variable, place.path))
          continue;
        if (!requested_.keep(place, changeAt(sites.front()),
                             Evidence::AskedFor))
          a_.findings.report(
              Finding{FindingId::CannotKeep, locOf(sites.front()),
                      sites.front().function,
                      path + " may point to what ends with the process, or is "
                             "not created only by handlers"}
                  .about(path));
      }
      if (!isKnown)
        a_.unknownKeep.push_back(name.str());
    }
  }

  /// Whatever handlers change and somebody may look at later.
  void keepAll() {
    for (const auto &[place, sites] : sites_) {
      const Node &n = f_.nodes[place.variable];
      auto at = llvm::find_if(sites, [&](const Site &s) {
        return s.isSure && s.function != None && joint_.isHandled(s) &&
               lasting_.contains(s.function);
      });
      if (at != sites.end() && isOfProgram(n) && !isUnread(place) &&
          !isScratch(place, sites) && llvm::none_of(sites, [&](const Site &s) {
            return s.function != None && endsWithProcess(s);
          }))
        requested_.keepAll(place, changeAt(*at));
    }
  }

  bool addRoot(const StaticPlace &place, const Site &site) {
    requested_.addRoot(place, changeAt(site));
    return true;
  }
  RequestedStatics::Change changeAt(const Site &site) const {
    return {locOf(site), site.function};
  }
  bool isOwn(const StaticPlace &place) const { return requested_.isOwn(place); }

  /// A list of nothing but texts may be a log for people.
  bool saysMoreThanText(Id record) const {
    return record != None &&
           !llvm::all_of(f_.records[record].fields, [&](Id field) {
             const Id type = f_.fields[field].type, to = p_.pointee(type);
             return p_.pointeeRecord(type) == record ||
                    p_.kind(to == None ? p_.element(type) : to) ==
                        TypeKind::Byte;
           });
  }

  Id typeOf(const StaticPlace &place) const {
    return p_.typeOf(place.variable, place.path);
  }
  bool isPointer(const StaticPlace &place) const {
    return p_.isPointer(typeOf(place));
  }

  bool isOfProgram(const Node &n) const {
    return n.kind == NodeKind::Global && n.isDefined && !n.isConst &&
           !n.isThreadLocal && n.loc.file != None &&
           f_.files[n.loc.file].editable;
  }

  /// A number or text at file scope, or a pointer.
  bool mayBelong(const StaticPlace &place) const {
    const Node &n = f_.nodes[place.variable];
    if (n.kind == NodeKind::Local
            ? !a_.statics.restored().holdsPartOf(place.variable)
            : !isOfProgram(n))
      return false;
    const Id type = p_.typeOf(place.variable, place.path);
    if (place.path.empty() && p_.recordOf(n.type) != None)
      return false;
    if (llvm::any_of(place.path,
                     [&](Id field) {
                       return f_.fields[field].width_bits ||
                              f_.records[f_.fields[field].record].isUnion;
                     }) ||
        (!place.path.empty() && p_.kind(n.type) == TypeKind::Array))
      return false;
    return p_.kind(type) == TypeKind::Integer ||
           p_.kind(type) == TypeKind::Byte ||
           p_.kind(type) == TypeKind::Floating ||
           (p_.isPointer(type) && !p_.isFunctionPointer(type) &&
            n.kind == NodeKind::Global);
  }

  bool isOpen(const StaticPlace &place) const {
    return !a_.statics.restored().holds(place.variable, place.path) &&
           a_.statics.of(place).verdict == Verdict::Open;
  }

  /// A descriptor, or the id of a process.
  bool endsWithProcess(const Site &site) const {
    const Id call = !site.write || site.write->value == None
                        ? None
                        : c_.values.call(site.write->value);
    if (call == None || f_.calls[call].callee == None)
      return false;
    const std::string &name = f_.functions[f_.calls[call].callee].name;
    return hasTrait(name, LibraryFunction::GivesDescriptor) ||
           hasTrait(name, LibraryFunction::GivesProcess);
  }

  /// It may say how the process stands.
  bool isFlag(llvm::ArrayRef<Site> sites) const {
    return llvm::all_of(sites, [&](const Site &s) { return isConstant(s); });
  }
  bool isConstant(const Site &site) const {
    return site.write ? site.write->value == None
           : site.store != None
               ? f_.stores[site.store].stored == Stored::Constant
               : isFill(f_.calls[site.call]);
  }
  /// memset(&w, 0, sizeof w)
  bool isFill(const Call &call) const {
    const LibraryFunction *l = p_.library(call);
    const int fill = l ? l->fill : -1;
    return fill == LibraryFunction::Zeros ||
           (fill >= 0 && size_t(fill) < call.args.size() &&
            call.args[fill] == None);
  }

  /// Begun anew for each request.
  bool isScratch(const StaticPlace &place, llvm::ArrayRef<Site> sites) {
    return llvm::all_of(sites, [&](const Site &s) {
      return scratch_.isScratch(s.function, s.call, place.variable, place.path);
    });
  }

  bool note(const StaticPlace &place, const Site &site, Evidence seen) {
    return a_.statics.note(place, {seen, locOf(site), site.function});
  }

  Loc locOf(const Site &site) const {
    return site.write           ? site.write->loc
           : site.store != None ? f_.stores[site.store].loc
                                : f_.calls[site.call].loc;
  }

  ChangedWithStateParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  JointChanges joint_;
  StaticReads reads_;
  PerRequestCounters scratch_;
  const StatePointers pointers_;
  RequestedStatics requested_;
  IdSet lasting_;              ///< functions
  std::set<StaticPlace> made_; ///< that each start sets to a constant
  std::map<StaticPlace, std::vector<Site>> sites_;
};

} // namespace

namespace nvmove {

void findChangedWithState(ChangedWithStateParts a) {
  if (a.context.loop.loop != None)
    ChangedWithState(a).run();
}

} // namespace nvmove
