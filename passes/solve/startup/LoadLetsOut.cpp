//===- LoadLetsOut.cpp - Who is told of what is loaded --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (h = load_state(file); h; h = h->next) fprintf(firewall, "block %s\n",
//
// A later start has the state and does not load it, so that nobody is told.
// What goes to a log is no matter: stderr, syslog, a file that is appended to;
// nor what the load itself opens, writes and closes.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/startup/SkippedCalls.h"
#include "passes/solve/state/Analysis.h"
#include <map>

REPORTS(LoadLetsOut)

using namespace nvmove;

namespace {

using LoadLetsOutParts = View<const Guards>;

class LoadOutputs {
public:
  explicit LoadOutputs(const LoadLetsOutParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        origins_(a.origins()), streams_(p_, origins_), skipped_(c_) {}

  void run() {
    for (const LoadGuard &g : a_.guards)
      if (g.refused.empty())
        report(skipped_.below(g));
  }

private:
  /// Who gets it: nobody or a log; whoever sees stdout, or a file that may be a
  /// log; somebody for sure.
  enum class Reader : uint8_t { Nobody, Maybe, Somebody };

  void report(const std::vector<Id> &calls) {
    load_.clear();
    for (Id i : calls)
      load_.insert(f_.calls[i].function);
    std::map<Reader, std::vector<Id>> by;
    for (Id i : calls)
      by[readerOf(f_.calls[i])].push_back(i);
    const bool isSure = !by[Reader::Somebody].empty();
    const auto &told = by[isSure ? Reader::Somebody : Reader::Maybe];
    if (told.empty())
      return;
    const Call &first = f_.calls[told.front()];
    std::string what =
        "the load also lets something out, by " + listOfCalls(p_, told) +
        ": a later start skips the load, and does not repeat that";
    Finding found{FindingId::LoadLetsOut, first.loc, first.function, what};
    if (!isSure) {
      found.advice = "does anybody rely on it? Then print it in a function "
                     "that goes through the loaded objects, and call that "
                     "after the load at each start; else nothing";
      found.ownSeverity = Severity::Check;
    }
    a_.findings.report(std::move(found));
  }

  Reader readerOf(const Call &c) {
    const LibraryFunction *l = rowOf(p_, c);
    if (!l)
      return Reader::Nobody;
    if (l->printsTo != -1) {
      const Reader reader = readerOfStream(c, *l);
      return reader == Reader::Maybe && tellsAsHandlers(c) ? Reader::Somebody
                                                           : reader;
    }
    if (l->kind != LibraryFunction::Output || isToThreads(c, *l))
      return Reader::Nobody;
    if (l->traits & (LibraryFunction::Answers | LibraryFunction::HandsOver))
      return c.mode == FileMode::Read ? Reader::Nobody : Reader::Somebody;
    return l->form ? readerOfDescriptor(c) : Reader::Nobody;
  }

  /// What records hold is told as handlers tell of what they do, by the same
  /// call: printf("block %s\n", host->name). Not a log, which is handed words,
  /// or is for those who ask for it.
  bool tellsAsHandlers(const Call &c) const {
    return c_.phases.handled.contains(c.function) &&
           llvm::none_of(
               c.flags, [](const FlagTest &t) { return t.variable != None; }) &&
           llvm::any_of(c.args, [&](Id a) {
             return AccessPath(p_, a, AccessPath::Loads).member() != None;
           });
  }

  /// sem_post(&todo), where that is a static of the program.
  bool isToThreads(const Call &c, const LibraryFunction &l) const {
    return l.written[0].argument == 0 && isHandedStatic(p_, c);
  }

  /// Not of what is only flushed or closed.
  Reader readerOfStream(const Call &c, const LibraryFunction &l) {
    if (l.kind == LibraryFunction::Output)
      return Reader::Nobody;
    if (l.printsTo == LibraryFunction::StandardStream)
      return Reader::Maybe;
    if (size_t(l.printsTo) >= c.args.size())
      return Reader::Nobody;
    Stream to = streams_.of(c, l.printsTo);
    if (to.file)
      return to.out ? Reader::Nobody : readerOfFile(c.args[l.printsTo]);
    return to.other ? Reader::Somebody
           : to.out ? Reader::Maybe
                    : Reader::Nobody;
  }

  /// Of one that each start opens: not of a log, nor of what the load opens,
  /// writes and closes. Where it may be one of several, who knows.
  Reader readerOfFile(Id stream) {
    size_t files = 0, opened = 0;
    bool isWritten = true;
    for (const ValueOrigins::Origin &o : origins_.ofVariable(stream)) {
      if (o.call == None)
        continue;
      const FileMode mode = modeOf(o.call, 0);
      if (mode == FileMode::Append)
        return Reader::Nobody;
      ++files;
      isWritten &= mode == FileMode::Write;
      opened += mode != FileMode::Read && opensAtStart(o.call);
    }
    for (const auto &[variable, from] : origins_.outside())
      if (f_.nodes[variable].name == "stderr")
        return Reader::Nobody;
    return opened == 0                    ? Reader::Nobody
           : opened == files && isWritten ? Reader::Somebody
                                          : Reader::Maybe;
  }

  /// Of write(), send() and the like: the first argument.
  Reader readerOfDescriptor(const Call &c) {
    if (c.args.empty())
      return Reader::Nobody;
    if (auto descriptor = c.constantAt(0))
      return *descriptor == 1 ? Reader::Maybe : Reader::Nobody;
    bool isKnown = false, isFile = false, isOpen = false;
    for (const ValueOrigins::Origin &o : origins_.ofVariable(c.args[0])) {
      if (o.call == None)
        continue;
      isKnown = true;
      if (p_.hasTraitOf(f_.calls[o.call], LibraryFunction::OpensFile))
        isFile = true;
      else
        isOpen |=
            opensAtStart(o.call) || load_.contains(f_.calls[o.call].function);
    }
    if (isFile)
      return readerOfFile(c.args[0]);
    return !isKnown ? Reader::Maybe
           : isOpen ? Reader::Somebody
                    : Reader::Nobody;
  }

  /// Each start does, not the load or a handler alone.
  bool opensAtStart(Id call) const {
    Id function = f_.calls[call].function;
    return function != None &&
           (c_.phases.atStart.contains(function) ||
            (c_.loop.startUp.contains(function) && !load_.contains(function)));
  }

  /// FILE *open_file(name, mode) { .. fopen(name, mode): of those that call it
  /// to write, one may say that it appends.
  FileMode modeOf(Id call, unsigned depth) const {
    FileMode mode = f_.calls[call].mode;
    Id function = f_.calls[call].function;
    if (mode != FileMode::Unknown || function == None || depth > 2)
      return mode;
    for (Id i : p_.callersOf(function)) {
      FileMode of = modeOf(i, depth + 1);
      if (of == FileMode::Append)
        return of;
      if (mode == FileMode::Unknown || of == FileMode::Write)
        mode = of;
    }
    return mode;
  }

  const LoadLetsOutParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ValueOrigins &origins_;
  Streams streams_;
  SkippedCalls skipped_;
  IdSet load_; ///< functions below the guard
};

} // namespace

namespace nvmove {

void reportLoadLetsOut(LoadLetsOutParts a) { LoadOutputs(a).run(); }

} // namespace nvmove
