//===- Runs.cpp - A program's runs, undisturbed and killed ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Runs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

/// That of this process, without what would make a run another one.
std::vector<std::string> environmentFor(const ScratchPlace &place,
                                        const RunRequest &request) {
  std::vector<std::string> result;
  bool sized = false;
  for (char **entry = environ; *entry; ++entry) {
    StringRef text = *entry, name = text.split('=').first;
    if (name == "NVM_POOL" || name.starts_with("NVM_CRASH") ||
        name == "NVM_FULL_AT" || name.starts_with("NVM_REPLICA") ||
        name.starts_with("NVM_VERIFY") || name == "NVM_STATS")
      continue;
    sized |= name == "NVM_SIZE" || name == "NVM_ENGINE";
    result.push_back(text.str());
  }
  result.push_back("NVM_POOL=" + place.pool());
  if (!sized)
    result.push_back("NVM_SIZE=16M");
  result.insert(result.end(), request.environment.begin(),
                request.environment.end());
  return result;
}

class Runner {
public:
  Runner(const TrialProgram &program, const RunRequest &request)
      : program(program), request(request) {}

  TrialRun run(Child &child);

private:
  void look(Child &child, unsigned lines);
  bool note(Child &child, Child::State state);
  void finish(Child &child);

  const TrialProgram &program;
  const RunRequest &request;
  TrialRun result;
};

void Runner::look(Child &child, unsigned lines) {
  if (!request.wantsMemory || !request.wantsMemory(lines))
    return;
  ProcessMemory memory(child.pid(), *program.image);
  result.memory.emplace(lines,
                        walkMemory(memory, *program.image, program.statics));
}

/// Whether it goes on.
bool Runner::note(Child &child, Child::State state) {
  if (state == Child::State::Rest) {
    result.answers.push_back(child.takeOutput());
    return true;
  }
  result.end = state == Child::State::Ended ? TrialRun::End::Died
                                            : TrialRun::End::TimedOut;
  result.status = child.status();
  return false;
}

/// The rest of the input, and its end.
void Runner::finish(Child &child) {
  for (const std::string &line : program.tail)
    if (child.feed(line, program.limit) != Child::State::Rest)
      break;
  result.outlives = child.finish(program.limit) != Child::State::Ended;
  if (!result.outlives)
    result.status = child.status();
}

TrialRun Runner::run(Child &child) {
  Clock::time_point begin = Clock::now();
  bool goesOn = note(child, child.await(program.limit));
  if (goesOn)
    look(child, request.from);
  for (unsigned i = request.from; goesOn && i < request.to; ++i) {
    Clock::time_point fed = Clock::now();
    goesOn = note(child, child.feed(program.lines[i], program.limit));
    result.longest = std::max<Seconds>(result.longest, Clock::now() - fed);
    if (goesOn)
      look(child, i + 1);
  }
  if (goesOn && request.finish)
    finish(child);
  child.kill();
  result.rest = child.takeOutput();
  result.whole = Clock::now() - begin;
  return result;
}

} // namespace

Expected<TrialRun> runProgram(const TrialProgram &program,
                              const ScratchPlace &place,
                              const RunRequest &request) {
  ::unlink(place.errors().c_str()); // each process has its own
  ChildOptions options{program.arguments, place.files(),
                       environmentFor(place, request), place.errors()};
  auto child = Child::start(options);
  if (!child)
    return child.takeError();
  TrialRun run = Runner(program, request).run(**child);
  if (auto text = MemoryBuffer::getFile(place.errors()))
    run.errors = (*text)->getBuffer().str();
  return run;
}

unsigned long countedEvents(const TrialRun &run) {
  StringRef text = run.errors;
  unsigned long count = 0;
  StringRef before = text.take_front(text.rfind(" crash events"));
  if (before.size() == text.size() ||
      before.rsplit(' ').second.getAsInteger(10, count))
    return 0;
  return count;
}

std::string runtimeError(StringRef errors) {
  std::string result;
  SmallVector<StringRef> lines;
  errors.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.starts_with("nvmove: ") && line.contains("error"))
      result = line.str();
  return result;
}

} // namespace nvmove
