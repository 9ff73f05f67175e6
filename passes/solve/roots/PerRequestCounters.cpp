//===- PerRequestCounters.cpp - Numbers that count anew each time ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/roots/HandlerFilledTables-filled_tables.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/PerRequestCounters.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

static constexpr unsigned MaxCallerDepth = 5; ///< of callers

bool PerRequestCounters::isNumber(const FlowWrite &w) const {
  return field_ == None ? w.variable == variable_
                        : w.field != None &&
                              f_.fields[w.field].cell == f_.fields[field_].cell;
}

/// begin();  and no more.
bool PerRequestCounters::setsConstant(Id call) const {
  Id callee = f_.calls[call].callee;
  if (callee == None)
    return false;
  bool any = false;
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function == callee && w.variable == variable_ &&
        (w.path.empty() ? None : w.path.back()) == field_) {
      if (w.value != None)
        return false;
      any = true;
    }
  return any;
}

bool PerRequestCounters::waits(Id call) const {
  return llvm::any_of(c_.loop.loops, [&](const MainLoop &l) {
    return llvm::is_contained(l.waits, call);
  });
}

/// From a place in a function, to where it begins or to where it ends.
class PerRequestCounters::Walk {
public:
  Walk(const PerRequestCounters &scratch, const Definition &definition)
      : s_(scratch), d_(definition), before_(d_.blocks.size()),
        seen_(d_.blocks.size()) {
    for (uint32_t b = 0; b < d_.blocks.size(); ++b)
      for (uint32_t to : d_.blocks[b].successors)
        before_[to].push_back(b);
  }

  /// Behind so many calls of the block, and so many of its writes.
  Met backward(uint32_t block, size_t calls, size_t writes) {
    return enter([&] { return scanBackward(block, calls, writes); });
  }
  Met forward(uint32_t block, size_t calls, size_t writes) {
    return enter([&] { return scanForward(block, calls, writes); });
  }

private:
  template <typename Scan> Met enter(Scan scan) {
    seen_.assign(d_.blocks.size(), false);
    meetsAny_ = false;
    const Met met = scan();
    // A thread's loop that never ends meets nothing.
    return meetsAny_ ? met : Met::End;
  }

  Met call(uint32_t k) const {
    Id call = d_.calls.begin + k;
    return s_.waits(call)          ? Met::Wait
           : s_.setsConstant(call) ? Met::Constant
                                   : Met::End;
  }

  Met write(const FlowWrite &w) const {
    return w.how == FlowWrite::Constant && s_.isNumber(w) ? Met::Constant
                                                          : Met::End;
  }

  Met scanBackward(uint32_t b, size_t calls, size_t writes) {
    const Block &block = d_.blocks[b];
    while (calls || writes) {
      bool isWrite = writes && block.writes[writes - 1].calls >= calls;
      Met met =
          isWrite ? write(block.writes[--writes]) : call(block.calls[--calls]);
      if (met != Met::End)
        return meet(met);
    }
    Met result = b + 1 == d_.blocks.size() ? meet(Met::End) : Met::Constant;
    for (uint32_t from : before_[b])
      if (!seen_[from]) {
        seen_[from] = true;
        const Block &other = d_.blocks[from];
        result = worse(result, scanBackward(from, other.calls.size(),
                                            other.writes.size()));
      }
    return result;
  }

  Met scanForward(uint32_t b, size_t calls, size_t writes) {
    const Block &block = d_.blocks[b];
    while (calls < block.calls.size() || writes < block.writes.size()) {
      bool isWrite =
          writes < block.writes.size() && block.writes[writes].calls <= calls;
      Met met =
          isWrite ? write(block.writes[writes++]) : call(block.calls[calls++]);
      if (met != Met::End)
        return meet(met);
    }
    Met result = b == 0 ? meet(Met::End) : Met::Constant;
    for (uint32_t to : block.successors)
      if (!seen_[to]) {
        seen_[to] = true;
        result = worse(result, scanForward(to, 0, 0));
      }
    return result;
  }

  Met meet(Met met) {
    meetsAny_ = true;
    return met;
  }
  static Met worse(Met a, Met b) {
    return a == Met::Wait || b == Met::Wait ? Met::Wait : a == Met::End ? a : b;
  }

  const PerRequestCounters &s_;
  const Definition &d_;
  std::vector<std::vector<uint32_t>> before_; ///< by block
  std::vector<bool> seen_;
  bool meetsAny_ = false;
};

bool PerRequestCounters::isScratch(Id function, Id call, Id variable,
                                   const std::vector<Id> &path) {
  variable_ = variable;
  field_ = path.empty() ? None : path.back();
  seen_.clear();
  return isScratch(function, call, 0);
}

bool PerRequestCounters::isScratch(Id function, Id call, unsigned depth) {
  const auto &definitions = p_.definitionsOf(function);
  if (definitions.size() != 1 || depth > MaxCallerDepth)
    return false;
  const Definition &d = *definitions.front();
  Walk walk(*this, d);
  bool isFound = d.blocks.empty(), isOpen = isFound;
  for (uint32_t b = 0; b < d.blocks.size(); ++b) {
    const Block &block = d.blocks[b];
    auto isDone = [&](size_t calls, size_t writes, bool isCall) {
      isFound = true;
      Met before = walk.backward(b, calls, writes);
      if (before == Met::Constant)
        return true;
      Met behind = walk.forward(b, calls + isCall, writes + !isCall);
      if (behind == Met::Constant)
        return true;
      isOpen |= before == Met::End || behind == Met::End;
      return isOpen;
    };
    auto writesBefore = [&](size_t calls) {
      return llvm::count_if(block.writes,
                            [&](const auto &w) { return w.calls <= calls; });
    };
    for (size_t k = 0; k < block.calls.size(); ++k)
      if (call == d.calls.begin + block.calls[k] &&
          !isDone(k, writesBefore(k), true))
        return false;
    for (size_t w = 0; call == None && w < block.writes.size(); ++w)
      if (isNumber(block.writes[w]) &&
          block.writes[w].how != FlowWrite::Constant &&
          !isDone(block.writes[w].calls, w, false))
        return false;
  }
  if (!isFound || !isOpen) // a loop that never ends is in no block
    return isFound;
  const std::vector<Id> &callers = p_.callersOf(function);
  return !callers.empty() && !p_.isAddressTaken(f_.functions[function].node) &&
         llvm::all_of(callers, [&](Id k) {
           return f_.calls[k].function != None &&
                  (!seen_.insert(k).second ||
                   isScratch(f_.calls[k].function, k, depth + 1));
         });
}
