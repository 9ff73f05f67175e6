//===- LoggingFunctions.cpp - What the load only says ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/LoggingFunctions.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace nvmove;

namespace {

class SpeakerFinder {
public:
  SpeakerFinder(const Program &p, const FieldFlow &flow,
                const std::vector<Id> &load)
      : p_(p), f_(p.facts), flow_(flow), load_(load) {}

  std::vector<Id> run() {
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && takesTextAlone(fn) &&
          isHandedPhrases(fn) && !llvm::is_contained(load_, fn))
        speakers_[fn] = reached({fn}, true, true);
    while (dropOthers())
      ;
    std::vector<Id> result;
    for (const auto &[fn, runs] : speakers_)
      result.push_back(fn);
    return result;
  }

private:
  static constexpr size_t fewestCalls = 6, fewestCallers = 3;

  bool isText(Id type) const {
    return p_.isPointer(type) && p_.kind(p_.pointee(type)) == TypeKind::Byte;
  }

  /// There is nowhere else that it could put something.
  bool takesTextAlone(Id function) const {
    const Function &fn = f_.functions[function];
    return llvm::all_of(fn.params,
                        [&](Id param) {
                          Id type = f_.nodes[param].type;
                          return isText(type) || (!p_.isPointer(type) &&
                                                  p_.recordOf(type) == None);
                        }) &&
           (fn.result == None || !p_.mayHoldPointer(f_.nodes[fn.result].type));
  }

  bool saysPhrase(Id call) const {
    const Call &c = f_.calls[call];
    return c.function != None && !c.phrases.empty();
  }

  bool isHandedPhrases(Id function) const {
    const std::vector<Id> &calls = p_.callersOf(function);
    size_t phrases = llvm::count_if(calls, [&](Id c) { return saysPhrase(c); });
    return phrases >= fewestCalls && phrases * 5 >= calls.size() * 4;
  }

  /// What runs from there on without a speaker that is called by its name.
  llvm::BitVector reached(const std::vector<Id> &from, bool throughPointers,
                          bool throughSpeakers) const {
    llvm::BitVector seen(f_.functions.size());
    const CallGraph::Reached all = CallGraph(p_, flow_).reach(
        from, {.pointers = throughPointers, .follows = [&](Id c) {
                 return throughSpeakers || f_.calls[c].callee == None ||
                        !speakers_.contains(f_.calls[c].callee);
               }});
    for (Id fn : all.functions())
      seen.set(fn);
    return seen;
  }

  /// Those that the load needs for itself, and those that leave nothing.
  bool dropOthers() {
    const llvm::BitVector load = reached(load_, true, false);
    const llvm::BitVector named = reached(load_, false, false);
    const IdSet variables = namedBy(load);
    std::vector<Id> others;
    for (const auto &[fn, runs] : speakers_) {
      IdSet elsewhere;
      for (Id c : p_.callersOf(fn))
        if (saysPhrase(c) && !named.test(f_.calls[c].function))
          elsewhere.insert(f_.calls[c].function);
      llvm::BitVector own = runs;
      own.reset(load);
      if (elsewhere.size() < fewestCallers || !leavesSomething(own) ||
          setsPointer(own, variables))
        others.push_back(fn);
    }
    for (Id fn : others)
      speakers_.erase(fn);
    return !others.empty();
  }

  IdSet namedBy(const llvm::BitVector &functions) const {
    IdSet result;
    auto add = [&](Id node) {
      if (node != None && f_.nodes[node].kind == NodeKind::Global)
        result.insert(node);
    };
    for (unsigned fn : functions.set_bits()) {
      for (Id k : p_.constraintsOf(fn))
        add(f_.constraints[k].src);
      for (Id c : p_.callsOf(fn))
        llvm::for_each(f_.calls[c].args, add);
    }
    return result;
  }

  bool setsPointer(const llvm::BitVector &functions,
                   const IdSet &variables) const {
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.function != None && functions.test(w.function) &&
             variables.contains(w.variable) &&
             p_.mayHoldPointer(p_.typeOf(w.variable, w.path));
    });
  }

  bool leavesSomething(const llvm::BitVector &functions) const {
    return llvm::any_of(
               functions.set_bits(),
               [&](unsigned fn) { return !p_.storesOf(fn).empty(); }) ||
           llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
             return w.function != None && functions.test(w.function);
           });
  }

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const std::vector<Id> &load_;
  std::map<Id, llvm::BitVector> speakers_; ///< and what each may run
};

} // namespace

std::vector<Id> nvmove::findSpeakers(const Program &program,
                                     const FieldFlow &flow,
                                     const std::vector<Id> &load) {
  return SpeakerFinder(program, flow, load).run();
}

/// A phrase is said, and so is other text, but for text of the file: add(line)
/// may restore what a log keeps.
bool PointsTo::isSaid(Id call) {
  const Call &c = callAt(call);
  if (c.callee == None || !options_.speakers.contains(c.callee))
    return false;
  bool isFileText = false;
  if (c.phrases.empty())
    for (Id a : c.args)
      if (a != None && p_.isPointer(nodeAt(a).type)) {
        Id marks = marksOf(a, /*behind=*/true);
        isFileText |= holdsFileBytes(pool_[sets_[find(marks)]]);
        awaitOnce(marks, call);
      }
  if (!isFileText)
    said_.insert(callInText(call));
  return !isFileText;
}

/// Of the load; one for each function, at the first of its calls.
std::vector<std::pair<Id, Id>> PointsTo::notSaid() const {
  IdSet made;
  for (Id call : made_)
    made.insert(callInText(call));
  std::map<Id, Id> first;
  for (Id call : said_)
    if (!made.contains(call)) {
      Id &known =
          first.try_emplace(p_.facts.calls[call].callee, call).first->second;
      if (p_.facts.calls[call].loc < p_.facts.calls[known].loc)
        known = call;
    }
  return {first.begin(), first.end()};
}
