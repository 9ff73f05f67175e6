//===- LoopSection.cpp - What the main loop does with what came in --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/phases/LoopSection.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// From the first to the last.
static Span joined(llvm::ArrayRef<Span> statements) {
  if (statements.empty() || statements.front().file != statements.back().file)
    return {};
  return {statements.front().file, statements.front().begin,
          statements.back().end};
}

LoopSection::LoopSection(const Program &program, const EventLoop &events,
                         const MainLoop &loop)
    : p_(program), events_(events) {
  const Facts &f = p_.facts;
  if (loop.waits.empty())
    return;
  function = f.loops[loop.loop].function;
  all_ = joined(f.loops[loop.loop].body);
  Id wait = *llvm::min_element(
      loop.waits, [&](Id a, Id b) { return f.calls[a].loc < f.calls[b].loc; });
  findPart(loop, wait);
}

void LoopSection::findPart(const MainLoop &main, Id wait) {
  const Facts &f = p_.facts;
  Id inner = f.calls[wait].loop;
  const Loop &l = f.loops[inner];
  for (Id k : p_.callsOf(function))
    if (const Call &c = f.calls[k];
        c.callee != None && c.loop == inner &&
        f.functions[c.callee].name == RuntimeCall::SectionBegin)
      begin_ = k;
  isSection = begin_ != None;
  if (isSection) {
    loop = inner;
    return;
  }
  Span at = f.calls[wait].span;
  if (l.isEntered || !at.valid() || !llvm::all_of(main.waits, [&](Id k) {
        return events_.within(f.calls[k].loop, inner);
      }))
    return;
  llvm::ArrayRef<Span> statements = l.body;
  for (size_t i = 0; i < l.body.size(); ++i)
    if (l.body[i].holds(at)) {
      if (f.calls[wait].statement.span != l.body[i])
        return; // it need not wait
      statements = statements.drop_front(i + 1);
    }
  span = joined(statements);
  if (span.valid() && (l.isCompound || statements.size() == l.body.size()))
    loop = inner;
}

bool LoopSection::covers(Span place) const {
  return loop != None && span.holds(place);
}

bool LoopSection::covers(Id call) const {
  const Call &c = p_.facts.calls[call];
  if (isSection)
    return c.function == function && events_.within(c.loop, loop) &&
           p_.facts.calls[begin_].loc < c.loc;
  return c.function == function && covers(c.span);
}

bool LoopSection::isBeside(Span place) const {
  return all_.holds(place) && !isSection && !covers(place);
}
