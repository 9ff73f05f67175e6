//===- SectionEscapes.cpp - What leaves a section before its end ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/phases/LoopSection.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(OutputByStdio, SectionLeftByJump)

using namespace nvmove;

namespace {

using SectionEscapesParts = View<const Sections, JumpTargets, HoldsOutput>;

class WayFinder {
public:
  WayFinder(const SolveContext &c, ValueOrigins &origins,
            const SectionEscapesParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), streams_(c.program, origins),
        out_(found) {
    for (const Section &s : out_.sections) {
      bracketed_.insert(bracketed_.end(), s.calls.begin(), s.calls.end());
      if (s.hasBody())
        extents_.push_back(s.body);
      else
        for (Id i : s.calls)
          extents_.push_back(f_.calls[i].statement.span);
      if (s.kind == Section::Kind::Body)
        addBody(s);
    }
    inside_ = c_.loop.reachableFrom(bracketed_);
  }

  void run() {
    jumps();
    output();
  }

private:
  /// Calls of anything in it.
  void addBody(const Section &s) {
    for (const MainLoop &loop : c_.loop.loops) {
      LoopSection body(p_, c_.loop, loop);
      if (body.loop != s.loop)
        continue;
      for (Id i : p_.callsOf(s.function))
        if (body.covers(i))
          bracketed_.push_back(i);
    }
  }

  /// The first call within sections of a function without a body that `holds`.
  const Call *first(llvm::function_ref<bool(const Call &)> holds) const {
    const Call *known = nullptr;
    auto look = [&](Id i) {
      const Call &c = f_.calls[i];
      if (c.callee != None && !f_.functions[c.callee].hasBody &&
          (!known || c.loc < known->loc) && holds(c))
        known = &c;
    };
    for (Id i : bracketed_)
      look(i);
    for (Id fn : inside_)
      for (Id i : p_.callsOf(fn))
        look(i);
    return known;
  }

  const std::string &nameOf(const Call &c) const {
    return f_.functions[c.callee].name;
  }

  /// A section of its own function holds the call, of which only the arguments
  /// may be spelled in the program.
  bool isBracketed(const Call &c) const {
    Span inner = c.argSpans.empty() ? c.span : c.argSpans.front();
    if (!inner.valid())
      return llvm::any_of(
          bracketed_, [&](Id i) { return f_.calls[i].function == c.function; });
    return llvm::any_of(extents_,
                        [&](const Span &outer) { return outer.holds(inner); });
  }

  /// What `function` calls may begin a section.
  bool opensSections(Id function) const {
    IdSet below = c_.loop.reachableFrom(p_.callsOf(function));
    below.insert(function);
    return llvm::any_of(
        bracketed_, [&](Id i) { return below.contains(f_.calls[i].function); });
  }

  void jumps() {
    const Call *jump = first([&](const Call &c) {
      return hasTrait(nameOf(c), LibraryFunction::LongJump);
    });
    if (!jump)
      return;
    const Call *unsure = nullptr;
    bool any = false;
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      if (c.function == None || c.callee == None ||
          !hasTrait(nameOf(c), LibraryFunction::SetJump))
        continue;
      any = true;
      if (!opensSections(c.function))
        continue;
      if (inside_.contains(c.function) || isBracketed(c))
        unsure = unsure ? unsure : &c;
      else
        out_.jumpTargets.push_back(i);
    }
    if (!any)
      unsure = jump;
    if (unsure)
      out_.findings.report(Finding{
          FindingId::SectionLeftByJump, unsure->loc, unsure->function,
          "a jump from within a section to outside of it leaves the section "
          "open, and nothing is committed any more",
          "call nvm_end() where setjmp() does not return 0, if the jump came "
          "from a section"}
                               .as(Severity::Check));
  }

  bool printsToOut(const Call &c) {
    int stream = streamArgument(nameOf(c), false);
    return stream == StandardStream ||
           (stream >= 0 && streams_.of(c, stream).out);
  }

  /// Somebody may have to see what was printed before it goes on.
  bool waits(const Call &c) {
    if (hasTrait(nameOf(c), LibraryFunction::HandsOver))
      return true;
    int stream = streamArgument(nameOf(c), true);
    if (stream >= 0)
      return streams_.of(c, stream).mayBeIn();
    if (stream == StandardStream)
      return true;
    const LibraryFunction *l = p_.library(c);
    using K = LibraryFunction;
    if (l && l->kind == K::Input)
      return !hasTrait(nameOf(c), LibraryFunction::InputAtHand);
    return l && (l->kind == K::Wait || l->kind == K::Sleep);
  }

  void output() {
    const Call *print = first([&](const Call &c) { return printsToOut(c); });
    const Call *wait = first([&](const Call &c) { return waits(c); });
    out_.holdsOutput = print && !wait;
    if (print && wait) {
      const Call *sure = unbuffersOut();
      return report(
          *print,
          (sure ? nameOf(*sure) +
                      "() limits the buffer of stdout to a line: what is "
                : std::string(
                      "if stdout is a terminal or unbuffered, what is ")) +
              "printed to it here is written out before the section is "
              "committed; it cannot be held back, because " +
              nameOf(*wait) + "() may wait in the section",
          sure ? Severity::Act : Severity::Check);
    }
    const Call *flush = first([&](const Call &c) {
      if (!hasTrait(nameOf(c), LibraryFunction::Flushes) ||
          isRuntimeCall(nameOf(c)))
        return false;
      Stream s = streams_.of(c, 0);
      return s.mayBeOut() && !s.answers();
    });
    if (flush)
      // Nobody is known to read the file back.
      return report(
          *flush,
          "what fflush() writes within a section is written out before "
          "the section is committed",
          Severity::Note);
    const Call *lines = nullptr;
    for (const Call &c : f_.calls)
      if (!lines && c.callee != None && isForLines(c))
        lines = &c;
    if (lines)
      report(*lines, "what sections print to this stream is written out before "
                     "they are committed");
  }

  /// setvbuf(stdout, NULL, _IOLBF, 0) at each start, whatever it is asked for.
  const Call *unbuffersOut() {
    for (const Call &c : f_.calls)
      if (c.function != None && c.callee != None && c.arms.empty() &&
          c.loop == None && isSureAtStart(c.function) && setsLines(c, true))
        if (Stream s = streams_.of(c, 0); s.out && !s.other && !s.file && !s.in)
          return &c;
    return nullptr;
  }

  bool isSureAtStart(Id function) const {
    return c_.phases.alwaysAtStart.contains(function) ||
           llvm::is_contained(c_.loop.mains, function);
  }

  /// It has the stream written at each line, or at once. `isSure`: not where
  /// no constant says so.
  bool setsLines(const Call &c, bool isSure) const {
    const StreamBuffering b =
        libraryFact(nameOf(c), &LibraryFunction::buffering);
    switch (b.says) {
    case StreamBuffering::Nothing:
      return false;
    case StreamBuffering::Mode:
      if (auto mode = c.constantAt(uint32_t(b.argument)))
        return *mode != 0; // _IOFBF
      return !isSure;
    case StreamBuffering::Buffer:
      return size_t(b.argument) < c.args.size() && c.args[b.argument] == None;
    case StreamBuffering::Lines:
      return true;
    }
    llvm_unreachable("covered");
  }

  /// setlinebuf(client->stream): not of a file.
  bool isForLines(const Call &c) {
    if (!setsLines(c, false))
      return false;
    Stream s = streams_.of(c, 0);
    return s.other && !s.out && !s.file && !s.in;
  }

  void report(const Call &at, const std::string &what,
              Severity severity = Severity::Check) {
    out_.findings.report(
        Finding{FindingId::OutputByStdio, at.loc, at.function, what}.as(
            severity));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Streams streams_;
  SectionEscapesParts out_;
  std::vector<Id> bracketed_; ///< calls
  std::vector<Span> extents_; ///< of sections
  IdSet inside_;              ///< functions
};

} // namespace

namespace nvmove {

void findSectionEscapes(SectionEscapesParts a) {
  WayFinder(a.context, a.origins(), a).run();
}

} // namespace nvmove
