//===- LoggingFunctions.cpp - What the load only logs ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/LoggingFunctions.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace nvmove;

namespace {

class LoggingFunctionFinder {
public:
  LoggingFunctionFinder(const Program &p, const FieldFlow &flow,
                        const std::vector<Id> &load)
      : p_(p), f_(p.facts), flow_(flow), load_(load) {}

  std::vector<Id> run() {
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && takesTextAlone(fn) &&
          isHandedPhrases(fn) && !llvm::is_contained(load_, fn))
        logging_[fn] = reached({fn}, true, true);
    while (dropOthers())
      ;
    std::vector<Id> result;
    for (const auto &[fn, runs] : logging_)
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
                          return isText(type) || isOfStatics(param) ||
                                 (!p_.isPointer(type) &&
                                  p_.recordOf(type) == None);
                        }) &&
           (fn.result == None || !p_.mayHoldPointer(f_.nodes[fn.result].type));
  }

  /// log(&this_module, "..", ..): all that it may lead to are statics, of a
  /// record of the program.
  bool isOfStatics(Id param) const {
    const Id record = p_.pointeeRecord(f_.nodes[param].type);
    if (record == None || !p_.isProgramRecord(record))
      return false;
    for (unsigned t : flow_.atNode(param))
      if (flow_.tokens()[t].kind != FieldFlow::Token::Static)
        return false;
    return !flow_.atNode(param).empty();
  }

  bool logsPhrase(Id call) const {
    const Call &c = f_.calls[call];
    return c.function != None && !c.phrases.empty();
  }

  bool isHandedPhrases(Id function) const {
    const std::vector<Id> &calls = p_.callersOf(function);
    size_t phrases = llvm::count_if(calls, [&](Id c) { return logsPhrase(c); });
    return phrases >= fewestCalls && phrases * 5 >= calls.size() * 4;
  }

  /// What runs from there on without a logging function that is called by its
  /// name.
  llvm::BitVector reached(const std::vector<Id> &from, bool throughPointers,
                          bool throughLogging) const {
    llvm::BitVector seen(f_.functions.size());
    const CallGraph::Reached all = CallGraph(p_, flow_).reach(
        from, {.pointers = throughPointers, .follows = [&](Id c) {
                 return throughLogging || f_.calls[c].callee == None ||
                        !logging_.contains(f_.calls[c].callee);
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
    for (const auto &[fn, runs] : logging_) {
      IdSet elsewhere;
      for (Id c : p_.callersOf(fn))
        if (logsPhrase(c) && !named.test(f_.calls[c].function))
          elsewhere.insert(f_.calls[c].function);
      llvm::BitVector own = runs;
      own.reset(load);
      if (elsewhere.size() < fewestCallers || !leavesSomething(own) ||
          setsPointer(own, variables) || hangsSomething(fn, own))
        others.push_back(fn);
    }
    for (Id fn : others)
      logging_.erase(fn);
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

  /// The functions do more than read pointers in the statics that the logging
  /// one is handed.
  bool hangsSomething(Id logging, const llvm::BitVector &functions) const {
    auto isPart = [&](Id field) {
      return p_.mayHoldPointer(f_.fields[field].type) &&
             llvm::any_of(f_.functions[logging].params, [&](Id param) {
               const Id record = p_.pointeeRecord(f_.nodes[param].type);
               return record != None &&
                      p_.contains(record, f_.fields[field].record);
             });
    };
    IdSet pointers; // addresses
    for (unsigned fn : functions.set_bits())
      for (Id k : p_.constraintsOf(fn))
        if (const Constraint &c = f_.constraints[k];
            c.flow == Flow::Member && isPart(c.extra))
          pointers.insert(c.dst);
    auto isHandedOn = [&](Id a) { return pointers.contains(a); };
    return llvm::any_of(functions.set_bits(), [&](unsigned fn) {
      return llvm::any_of(
                 p_.constraintsOf(fn),
                 [&](Id k) {
                   const Constraint &c = f_.constraints[k];
                   return (c.flow == Flow::Store && pointers.contains(c.dst)) ||
                          (c.flow != Flow::Load && c.flow != Flow::Member &&
                           pointers.contains(c.src));
                 }) ||
             llvm::any_of(p_.callsOf(fn), [&](Id k) {
               return llvm::any_of(f_.calls[k].args, isHandedOn);
             });
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
  std::map<Id, llvm::BitVector> logging_; ///< and what each may run
};

} // namespace

std::vector<Id> nvmove::findLoggingFunctions(const Program &program,
                                             const FieldFlow &flow,
                                             const std::vector<Id> &load) {
  return LoggingFunctionFinder(program, flow, load).run();
}
