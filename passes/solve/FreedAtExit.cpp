//===- FreedAtExit.cpp - State that the program frees before it ends ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   while (serve(server)) ..
//   save(server);
//   free_all(server);
//
// A program that frees all it has before it ends, as checkers of memory want
// it, empties the pool with it: a stop loses what a crash would not.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/FreedAtExit.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class FreedAtExit {
public:
  FreedAtExit(const SolveContext &context, Solution &solution)
      : c_(context), p_(context.program), f_(p_.facts), out_(solution) {}

  void run() {
    for (const PersistentType &t : out_.types)
      persistent_.insert(t.record);
    findFrees();
    if (freeing_.empty())
      return;
    const IdSet handlers = c_.loop.reachableFrom(c_.loop.handlerCalls);
    for (Id fn = 0; fn < f_.functions.size(); ++fn) {
      if (c_.pointsTo.reached().contains(fn))
        continue;
      const Span end = endOfLoop(fn);
      for (Id i : p_.callsOf(fn)) {
        const Call &c = f_.calls[i];
        bool isBehind =
            end.valid() && c.span.file == end.file && c.span.begin >= end.end;
        if (isBehind || (handlers.contains(fn) && leadsToExit(i)))
          see(i);
      }
    }
  }

private:
  /// free_all(); exit(0); Where it is _exit() or abort(), nothing is committed.
  bool leadsToExit(Id call) const {
    const Call &c = f_.calls[call];
    return p_.isDeadEnd(call) &&
           llvm::any_of(p_.callsOf(c.function), [&](Id i) {
             const Call &last = f_.calls[i];
             return last.callee != None &&
                    f_.functions[last.callee].name == "exit" &&
                    c.loc.file == last.loc.file && c.loc < last.loc &&
                    !Program::exclude(c.arms, last.arms);
           });
  }

  /// free(), and functions that hand a parameter on to it.
  void findFrees() {
    for (bool grown = true; grown;) {
      grown = false;
      for (Id i = 0; i < f_.calls.size(); ++i) {
        const Call &c = f_.calls[i];
        Id a = freed(c);
        if (a == None || c.function == None)
          continue;
        const std::vector<Id> &params = f_.functions[c.function].params;
        auto at = llvm::find(params, origin(a));
        if (at != params.end())
          grown |= wrappers_.insert({c.function, at - params.begin()}).second;
        if (isPersistent(a))
          freeing_.insert(c.function);
      }
    }
  }

  /// The argument that the call frees; None.
  Id freed(const Call &c) const {
    if (p_.isLibrary(c, LibraryFunction::Free))
      return c.args.empty() ? None : c.args[0];
    for (size_t k = 0; c.callee != None && k < c.args.size(); ++k)
      if (wrappers_.count({c.callee, k}))
        return c.args[k];
    return None;
  }

  Id origin(Id node) const {
    for (Id from = node; from != None; from = p_.copied(node))
      node = from;
    return node;
  }

  /// By the type that it is a pointer to before it becomes a void *.
  bool isPersistent(Id node) const {
    for (; node != None; node = p_.copied(node))
      if (Id r = p_.pointeeRecord(f_.nodes[node].type); r != None)
        return persistent_.contains(r);
    return false;
  }

  /// Of the last statement in `function` that is a main loop, or leads to one.
  Span endOfLoop(Id function) const {
    Span end;
    if (!c_.loop.frames.contains(function) &&
        !llvm::is_contained(c_.loop.mains, function))
      return end;
    auto add = [&](Span s) {
      if (s.valid() && (!end.valid() || s.end > end.end))
        end = s;
    };
    auto addLoop = [&](Id loop) {
      for (Span s : f_.loops[p_.outermost(loop)].body)
        add(s);
    };
    for (const MainLoop &loop : c_.loop.loops) {
      if (loop.loop == None)
        continue;
      Id in = f_.loops[loop.loop].function;
      if (in == function) {
        addLoop(loop.loop);
        continue;
      }
      for (Id i : p_.callsOf(function))
        if (f_.calls[i].callee != None &&
            (f_.calls[i].callee == in ||
             c_.loop.reachableFrom({i}).contains(in))) {
          add(f_.calls[i].span);
          if (f_.calls[i].loop != None)
            addLoop(f_.calls[i].loop);
        }
    }
    return end;
  }

  void see(Id call) {
    const Call &c = f_.calls[call];
    Id a = freed(c);
    bool frees = a != None && isPersistent(a);
    Id by = None;
    if (!frees)
      for (Id fn : c_.loop.reachableFrom({call}))
        if (freeing_.contains(fn) && (by == None || fn < by))
          by = fn;
    if ((!frees && by == None) || !told_.insert(c.function).second)
      return;
    out_.notCovered.push_back(
        {"freed-at-exit", c.loc, c.function,
         f_.functions[c.function].name +
             " goes on to the program's end here, and frees persistent "
             "objects" +
             (by == None ? "" : " (in " + f_.functions[by].name + ")") +
             ": the pool would be without them at the next start; call "
             "nvm_detach() before"});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Solution &out_;
  IdSet persistent_;                         ///< records
  std::set<std::pair<Id, size_t>> wrappers_; ///< function, parameter
  IdSet freeing_; ///< functions that free persistent objects themselves
  IdSet told_;    ///< functions
};

} // namespace

void nvmove::tellFreedAtExit(const SolveContext &context, Solution &solution) {
  FreedAtExit(context, solution).run();
}
