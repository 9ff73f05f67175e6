//===- ReturnSummary.cpp - What a load says when it has loaded ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// if (!load("state")) create();
//
// A restart skips the load and must answer for it. What the first run was told
// will not do where there was nothing to load then. So two answers are looked
// for:
//
//   f = fopen(name, "r");
//   if (!f) return 0;      nothing was there: nothing is read before it
//   while (read_one(f)) ..
//   return 1;              loaded: its own block reads before it
//
// A count is what it is of a file that is there and empty, 0:
//
//   int n = 0; if (!f) return -1; for (; read_one(f); n++) ..; return n;
//
// Answers that an error gives stand in blocks of their own, which do not read:
// if (damaged(f)) { log(); return 0; }.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/ReturnSummary.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

constexpr unsigned MostCalls = 8;

class ReturnSummaryFinder {
public:
  ReturnSummaryFinder(const Program &program, const EventLoop &loop,
                      const PreLoadNullness &nullness,
                      const std::vector<Id> &load)
      : p_(program), f_(program.facts), loop_(loop), nullness_(nullness) {
    loads_.insert(load.begin(), load.end());
  }

  LoadAnswer answerOf(Id function, unsigned depth = 0) {
    if (depth > MostCalls)
      return {};
    DefinitionIndex all, loaded, outermost, nothing, initial;
    for (const Definition *d : p_.definitionsOf(function))
      for (const ReturnedValue &a : d->answers) {
        LoadAnswer one = answer(a, *d, depth);
        all.push_back(one.isConstant ? one.loaded : std::nullopt);
        if (one.nothing)
          nothing.push_back(one.nothing);
        if (a.isConstant && !isBehindReading(d->loc, a, function))
          (a.isInitial ? initial : nothing).push_back(a.constant);
        if (a.isInitial || a.counts || !isBehindReading(a.from, a, function))
          continue;
        loaded.push_back(one.loaded);
        if (a.arms.empty())
          outermost.push_back(one.loaded);
      }
    if (auto always = only(all))
      return {always, always, true};
    LoadAnswer result;
    result.loaded = only(loaded) ? only(loaded) : only(outermost);
    result.nothing = only(nothing.empty() ? initial : nothing);
    result.isCount = result.loaded && counts(function);
    if (result.isCount && result.loaded == result.nothing)
      result.loaded.reset(); // an empty file gives that, too
    return result;
  }

private:
  using DefinitionIndex = llvm::SmallVector<std::optional<int64_t>, 8>;

  static std::optional<int64_t> only(const DefinitionIndex &values) {
    return !values.empty() && llvm::all_equal(values) ? values.front()
                                                      : std::nullopt;
  }

  LoadAnswer answer(const ReturnedValue &a, const Definition &d,
                    unsigned depth) {
    if (a.isConstant)
      return {std::nullopt, a.constant, true};
    if (a.value == None)
      return {};
    if (f_.nodes[a.value].kind == NodeKind::Local)
      return {std::nullopt, valueOf(a.value, d, depth), false};
    for (Id k : p_.callsOf(d.function))
      if (f_.calls[k].callee != None && f_.calls[k].result != None &&
          p_.isCopyOf(a.value, f_.calls[k].result))
        return answerOf(f_.calls[k].callee, depth + 1);
    return {};
  }

  bool counts(Id function) const {
    return llvm::any_of(p_.definitionsOf(function), [](const Definition *d) {
      return llvm::any_of(d->answers,
                          [](const ReturnedValue &a) { return a.counts; });
    });
  }

  /// What a local that is returned holds behind reading: what it was given
  /// there, else what it starts as, unless that may have changed.
  std::optional<int64_t> valueOf(Id local, const Definition &d,
                                 unsigned depth) {
    if (depth > MostCalls)
      return std::nullopt;
    DefinitionIndex given, initial;
    for (const ReturnedValue &a : d.answers) {
      if (a.local != local || a.counts)
        continue;
      auto value = answer(a, d, depth + 1).loaded;
      if (a.isInitial)
        initial.push_back(value);
      else if (isBehindReading(a.from, a, d.function))
        given.push_back(value);
      else if (isBehindReading(d.loc, a, d.function) &&
               !isInsteadOfReading(a, d.function))
        initial.push_back(std::nullopt);
    }
    return only(given.empty() ? initial : given);
  }

  bool isBehindReading(Loc from, const ReturnedValue &a, Id function) {
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      const Call &c = f_.calls[k];
      return c.loc.file == a.at.file && from <= c.loc && c.loc <= a.at &&
             !Program::exclude(c.arms, a.arms) && reads(k);
    });
  }

  bool isInsteadOfReading(const ReturnedValue &a, Id function) {
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      return Program::exclude(f_.calls[k].arms, a.arms) && reads(k);
    });
  }

  bool reads(Id call) {
    auto isReading = [&](Id k) {
      const Call &c = f_.calls[k];
      return p_.isLibrary(c, LibraryFunction::Input) ||
             (nullness_.isReading(c) &&
              !givesStatus(f_.functions[c.callee].name)) ||
             loads_.contains(c.callee);
    };
    if (isReading(call))
      return true;
    auto [at, fresh] = reads_.try_emplace(call, false);
    if (fresh)
      for (Id fn : loop_.reachableFrom({call}))
        at->second |=
            loads_.contains(fn) || llvm::any_of(p_.callsOf(fn), isReading);
    return at->second;
  }

  const Program &p_;
  const Facts &f_;
  const EventLoop &loop_;
  const PreLoadNullness &nullness_;
  IdSet loads_;
  IdMap<bool> reads_; ///< calls
};

} // namespace

LoadAnswer nvmove::answerOf(const Program &program, const EventLoop &loop,
                            const PreLoadNullness &nullness,
                            const std::vector<Id> &load, Id function) {
  return ReturnSummaryFinder(program, loop, nullness, load).answerOf(function);
}
