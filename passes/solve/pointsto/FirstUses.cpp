//===- FirstUses.cpp - What the load sets up as the first to use it -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/FirstUses.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

class FirstUseFinder {
public:
  FirstUseFinder(const Program &p, const FieldFlow &flow,
                 const ProgramPhases &phases, const std::vector<Id> &load)
      : p_(p), f_(p.facts), flow_(flow), phases_(phases), load_(load),
        graph_(p, flow) {}

  std::vector<Id> run() {
    behindFlags();
    byLibrary();
    behindRecords();
    enclose();
    for (Id k : calls_)
      if (const Call &c = f_.calls[k];
          c.callee != None && f_.functions[c.callee].hasBody &&
          !p_.isNoReturn(c.callee) && isHandedConstants(c))
        setUps_.insert(k);
    while (dropOthers())
      ;
    std::vector<Id> result(setUps_.begin(), setUps_.end());
    llvm::sort(result);
    return result;
  }

private:
  /// Start-up or a handler comes there without the load, too.
  bool isUsedElsewhere(Id function) const {
    return phases_.atStart.contains(function) ||
           phases_.handled.contains(function);
  }

  /// if (!started) { started = true; .. }
  void behindFlags() {
    using Flag = std::pair<Id, std::vector<Id>>;
    std::map<Flag, bool> flags; // set for good, behind their test
    for (const StaticWrite &w : f_.staticWrites) {
      const bool isSet = w.value == None && !w.isZero && !w.readModifyWrite &&
                         isZero(w.statics, w.variable, w.path);
      if (w.function != None)
        flags.try_emplace({w.variable, w.path}, true).first->second &= isSet;
    }
    for (Id k = 0; k < f_.calls.size(); ++k)
      for (const StaticTest &t : f_.calls[k].statics)
        if (auto at = flags.find({t.variable, t.path});
            t.isZero && at != flags.end() && at->second &&
            isUsedElsewhere(f_.calls[k].function))
          calls_.insert(k);
  }

  static bool isZero(llvm::ArrayRef<StaticTest> tests, Id variable,
                     const std::vector<Id> &path) {
    return llvm::any_of(tests, [&](const StaticTest &t) {
      return t.isZero && t.variable == variable && t.path == path;
    });
  }

  /// pthread_once(&once, start);
  void byLibrary() {
    for (const Call &c : f_.calls)
      if (c.callee != None && c.function != None && c.args.size() == 2 &&
          hasTrait(f_.functions[c.callee].name, LibraryFunction::RunsOnce) &&
          c.args[1] != None && isUsedElsewhere(c.function))
        for (Id fn : flow_.functionsIn(flow_.atNode(c.args[1])))
          if (p_.callersOf(fn).empty())
            addBody(fn);
  }

  void addBody(Id function) {
    whole_.insert(function);
    calls_.insert(p_.callsOf(function).begin(), p_.callsOf(function).end());
  }

  /// if (once_start(&once)) { .. once_done(&once); }: no other place has the
  /// address of the static, and the second function sets for good what the
  /// first one reads.
  void behindRecords() {
    IdMap<std::vector<Id>> uses; // by static
    for (Id k = 0; k < f_.calls.size(); ++k)
      for (Id a : f_.calls[k].args)
        if (Id v = a == None ? None : p_.variableAt(a); v != None)
          uses[v].push_back(k);
    for (const auto &[once, calls] : uses) {
      const Node &n = f_.nodes[once];
      if (!n.isFunctionScope || calls.size() != 2 ||
          p_.recordOf(n.type) == None || !isUsedElsewhere(n.function))
        continue;
      const Call *test = &f_.calls[calls[0]], *done = &f_.calls[calls[1]];
      if (done->arms.size() < test->arms.size())
        std::swap(test, done);
      if (done->arms.size() != test->arms.size() + 1 ||
          !Program::isAlongside(test->arms, done->arms) ||
          done->arms.back() % 2 != 0 || !setsWhatIsRead(*done, *test))
        continue;
      for (Id k : p_.callsOf(n.function))
        if (Program::isAlongside(done->arms, f_.calls[k].arms))
          calls_.insert(k);
    }
  }

  bool setsWhatIsRead(const Call &done, const Call &test) const {
    if (done.callee == None || test.callee == None || test.result == None)
      return false;
    const IdSet read = membersIn(test.callee);
    return llvm::any_of(p_.storesOf(done.callee), [&](Id i) {
      const StoreSite &s = f_.stores[i];
      return s.field != None && read.contains(s.field) && isSetForGood(s.field);
    });
  }

  IdSet membersIn(Id function) const {
    IdSet result;
    for (unsigned fn : graph_.below(function).set_bits())
      for (Id i : p_.constraintsOf(fn))
        if (f_.constraints[i].flow == Flow::Member)
          result.insert(f_.constraints[i].extra);
    return result;
  }

  /// Nothing but a constant is put there, by one store.
  bool isSetForGood(Id field) const {
    size_t stores = 0;
    for (const StoreSite &s : f_.stores) {
      stores += s.field == field;
      if (s.field == field && s.stored != Stored::Constant)
        return false;
    }
    return stores == 1;
  }

  /// What nothing but these calls run is of it.
  void enclose() {
    std::vector<Id> work(calls_.begin(), calls_.end());
    while (!work.empty()) {
      const Id g = f_.calls[work.back()].callee;
      work.pop_back();
      if (g == None || !f_.functions[g].hasBody || whole_.contains(g) ||
          !llvm::all_of(p_.callersOf(g),
                        [&](Id k) { return calls_.contains(k); }))
        continue;
      for (Id k : p_.callsOf(g))
        if (!calls_.contains(k))
          work.push_back(k);
      addBody(g);
    }
  }

  bool isHandedConstants(const Call &c) const {
    return llvm::all_of(c.args, [&](Id a) {
      if (a == None)
        return true;
      if (p_.copied(a) != None) // a cast of one
        a = p_.origin(a);
      const Id d = p_.definition(a);
      return d != None && f_.constraints[d].flow == Flow::AddressOf &&
             (p_.functionOf(f_.constraints[d].src) != None ||
              f_.nodes[f_.constraints[d].src].kind == NodeKind::Global ||
              f_.nodes[f_.constraints[d].src].kind == NodeKind::Literal);
    });
  }

  /// Those that change what else the load names.
  bool dropOthers() {
    const CallGraph::Reached rest =
        graph_.reach(load_, {.bodies = true, .follows = [&](Id k) {
                               return !setUps_.contains(k) && !p_.isDeadEnd(k);
                             }});
    const IdSet named = namedBy(rest.functions());
    std::vector<Id> others;
    for (Id k : setUps_)
      if (changes(k, rest, named) || keepsResult(f_.calls[k], named))
        others.push_back(k);
    for (Id k : others)
      setUps_.erase(k);
    return !others.empty();
  }

  IdSet namedBy(const std::vector<Id> &functions) const {
    IdSet result;
    auto add = [&](Id n) {
      if (n != None && f_.nodes[n].kind == NodeKind::Global)
        result.insert(n);
    };
    IdSet among;
    for (Id fn : functions) {
      if (whole_.contains(fn))
        continue;
      among.insert(fn);
      for (Id i : p_.constraintsOf(fn)) {
        add(f_.constraints[i].src);
        add(f_.constraints[i].dst);
      }
      for (Id k : p_.callsOf(fn)) {
        llvm::for_each(f_.calls[k].args, add);
        llvm::for_each(f_.calls[k].nonNull, add);
        add(f_.calls[k].target);
        for (const StaticTest &t : f_.calls[k].statics)
          add(t.variable);
      }
    }
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && among.contains(w.function))
        add(w.variable);
    return result;
  }

  /// What is saved, perhaps: itself, or by what it calls for that.
  bool reads(Id function) const {
    auto isInput = [&](Id k) {
      const LibraryFunction *l = p_.library(f_.calls[k]);
      return l &&
             (l->isInput() || (l->traits & LibraryFunction::OpensForReading));
    };
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      const Id callee = f_.calls[k].callee;
      return isInput(k) ||
             (callee != None && llvm::any_of(p_.callsOf(callee), isInput));
    });
  }

  /// In what nothing else of the load runs; or they read something.
  bool changes(Id call, const CallGraph::Reached &rest,
               const IdSet &named) const {
    const CallGraph::Reached runs =
        graph_.reach({f_.calls[call].callee},
                     {.deadEnds = false, .bodies = true, .enters = [&](Id fn) {
                        return !p_.isNoReturn(fn);
                      }});
    auto isOwn = [&](Id fn) {
      return fn != None && runs.contains(fn) && !rest.contains(fn);
    };
    for (Id fn : runs.functions())
      if (isOwn(fn) && reads(fn))
        return true;
    for (Id fn : runs.functions())
      if (isOwn(fn))
        for (Id i : p_.constraintsOf(fn))
          if (const Constraint &c = f_.constraints[i];
              c.flow == Flow::AddressOf && named.contains(c.src) &&
              !f_.nodes[c.src].isConst)
            return true;
    for (Id a : f_.calls[call].args)
      if (Id v = a == None ? None : p_.variableAt(a); v != None)
        if (named.contains(v) && !f_.nodes[v].isConst)
          return true;
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return isOwn(w.function) && named.contains(w.variable);
    });
  }

  /// It goes elsewhere than to a static that the load does not name.
  bool keepsResult(const Call &c, const IdSet &named) const {
    return c.result != None &&
           llvm::any_of(p_.constraintsOf(c.function), [&](Id i) {
             const Constraint &to = f_.constraints[i];
             return to.src == c.result &&
                    (to.dst == None ||
                     f_.nodes[to.dst].kind != NodeKind::Global ||
                     named.contains(to.dst));
           });
  }

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const ProgramPhases &phases_;
  const std::vector<Id> &load_;
  const CallGraph graph_;
  IdSet calls_;  ///< that are made once
  IdSet whole_;  ///< functions of which that holds for all
  IdSet setUps_; ///< calls
};

} // namespace

std::vector<Id> nvmove::findFirstUses(const Program &program,
                                      const FieldFlow &flow,
                                      const ProgramPhases &phases,
                                      const std::vector<Id> &load) {
  return FirstUseFinder(program, flow, phases, load).run();
}
