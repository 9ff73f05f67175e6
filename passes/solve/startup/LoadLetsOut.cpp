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

#include "passes/solve/flow/Streams.h"
#include "passes/solve/startup/SkippedCalls.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

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
  void report(std::vector<Id> calls) {
    load_.clear();
    for (Id i : calls)
      load_.insert(f_.calls[i].function);
    llvm::erase_if(calls, [&](Id i) { return !letsOut(f_.calls[i]); });
    if (calls.empty())
      return;
    const Call &first = f_.calls[calls.front()];
    a_.findings.report({FindingId::LoadLetsOut, first.loc, first.function,
                        "the load also lets something out, by " +
                            listOfCalls(p_, calls) +
                            ": a later start skips the load, and tells "
                            "nobody"});
  }

  bool letsOut(const Call &c) {
    const LibraryFunction *l = rowOf(p_, c);
    if (!l)
      return false;
    if (l->printsTo != -1)
      return prints(c, *l);
    if (l->kind != LibraryFunction::Output || isToThreads(c, *l))
      return false;
    if (l->traits & (LibraryFunction::Answers | LibraryFunction::HandsOver))
      return true;
    return l->form && toDescriptor(c);
  }

  /// sem_post(&todo), where that is a static of the program.
  bool isToThreads(const Call &c, const LibraryFunction &l) const {
    if (l.written[0].argument != 0 || c.args.empty())
      return false;
    Id to = p_.variableAt(c.args[0]);
    return to != None && f_.nodes[to].kind == NodeKind::Global;
  }

  /// Not what is only flushed or closed.
  bool prints(const Call &c, const LibraryFunction &l) {
    if (l.kind == LibraryFunction::Output)
      return false;
    if (l.printsTo == LibraryFunction::StandardStream)
      return true;
    if (size_t(l.printsTo) >= c.args.size())
      return false;
    Stream to = streams_.of(c, l.printsTo);
    return to.answers() || (to.file && !to.out && toFile(c.args[l.printsTo]));
  }

  /// A file that was open before the load, and is not a log.
  bool toFile(Id stream) {
    bool isOpen = false;
    for (const ValueOrigins::Origin &o : origins_.ofVariable(stream)) {
      if (o.call == None)
        continue;
      const Call &opens = f_.calls[o.call];
      if (!p_.hasTraitOf(opens, LibraryFunction::OpensStream))
        continue;
      if (opens.appends)
        return false;
      isOpen |= !load_.contains(opens.function);
    }
    for (const auto &[variable, from] : origins_.outside())
      if (f_.nodes[variable].name == "stderr")
        return false;
    return isOpen;
  }

  /// Of write(), send() and the like: the first argument.
  bool toDescriptor(const Call &c) {
    if (c.args.empty())
      return false;
    for (const ArgValue &v : c.argValues)
      if (v.arg == 0 && v.param == None)
        return v.value == 1;
    bool isOpen = false, isKnown = false;
    for (const ValueOrigins::Origin &o : origins_.ofVariable(c.args[0])) {
      if (o.call == None)
        continue;
      const Call &opens = f_.calls[o.call];
      isKnown = true;
      if (opens.appends)
        return false;
      isOpen |= !p_.hasTraitOf(opens, LibraryFunction::OpensFile) ||
                !load_.contains(opens.function);
    }
    return isOpen || !isKnown;
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
