//===- Runs.cpp - A program's runs, undisturbed and killed ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Runs.h"
#include "tool/trial/Feed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/uio.h>
#include <unistd.h>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

std::vector<std::string> environmentFor(const ScratchPlace &place,
                                        const RunRequest &request) {
  std::vector<std::string> result = environmentForRuns();
  const auto isGiven = [&](StringRef name) {
    return any_of(result, [&](StringRef text) {
      return text.consume_front(name) && text.starts_with("=");
    });
  };
  if (request.withPool)
    result.push_back("NVM_POOL=" + place.pool());
  if (request.withPool && !isGiven("NVM_SIZE") && !isGiven("NVM_ENGINE"))
    result.push_back("NVM_SIZE=16M");
  // What depends on addresses is lost with the next build at the latest.
  if (!isGiven("NVM_ASLR"))
    result.push_back("NVM_ASLR=1");
  if (request.countEvents)
    result.push_back("NVM_CRASH_COUNT=1");
  result.insert(result.end(), request.environment.begin(),
                request.environment.end());
  return result;
}

class Runner {
public:
  Runner(const TrialProgram &program, const RunRequest &request, Feed &feed)
      : program(program), request(request), feed(feed) {}

  Expected<TrialRun> run(Child &child);

private:
  void look(Child &child, unsigned lines);
  bool note(Child &child, Fed fed, unsigned lines);
  void countEvents(Child &child);
  void finish(Child &child);

  const TrialProgram &program;
  const RunRequest &request;
  Feed &feed;
  TrialRun result;
  std::optional<uint64_t> counter; ///< of events: its address in the child
};

void Runner::look(Child &child, unsigned lines) {
  if (!request.wantsMemory || !request.wantsMemory(lines))
    return;
  ProcessMemory memory(child.pid(), *program.image);
  result.memory.emplace(lines,
                        walkMemory(memory, *program.image, program.statics));
}

/// After so many lines. Whether it goes on.
bool Runner::note(Child &child, Fed fed, unsigned lines) {
  if (lines && lines <= program.masks.size())
    fed.answer = program.masks[lines - 1].apply(fed.answer);
  if (!result.failedPart) {
    result.failedPart = fed.failed ? lines : 0;
    result.driverErrors = std::move(fed.errors);
  }
  if (fed.answered)
    result.answers.push_back(std::move(fed.answer));
  else
    result.rest = std::move(fed.answer);
  result.waits &= fed.waits;
  if (fed.state == Child::State::Rest) {
    if (fed.waits)
      look(child, lines);
    countEvents(child);
    return true;
  }
  result.end = fed.state == Child::State::Ended ? TrialRun::End::Died
                                                : TrialRun::End::TimedOut;
  result.status = child.status();
  return false;
}

/// The runtime's own counter: runtime/src/base/event.h.
void Runner::countEvents(Child &child) {
  auto symbol = program.image->addressOf("nvmi_events_seen");
  if (!request.countEvents || !symbol)
    return;
  if (!counter)
    counter = *symbol + ProcessMemory(child.pid(), *program.image).bias();
  uint64_t seen = 0;
  iovec here{&seen, sizeof(seen)};
  iovec there{reinterpret_cast<void *>(*counter), sizeof(seen)};
  process_vm_readv(child.pid(), &here, 1, &there, 1, 0);
  result.events.push_back(seen);
}

void Runner::finish(Child &child) {
  result.outlives = feed.end(child) != Child::State::Ended;
  if (!result.outlives)
    result.status = child.status();
}

Expected<TrialRun> Runner::run(Child &child) {
  Clock::time_point begin = Clock::now();
  bool goesOn = note(child, feed.begin(child), request.from);
  for (unsigned i = request.from; goesOn && i < request.to; ++i) {
    Clock::time_point given = Clock::now();
    auto fed = feed.give(child, i);
    if (!fed)
      return fed.takeError();
    result.longest = std::max<Seconds>(result.longest, Clock::now() - given);
    goesOn = note(child, std::move(*fed), i + 1);
  }
  if (goesOn && request.finish)
    finish(child);
  child.kill();
  result.rest += child.takeOutput();
  result.whole = Clock::now() - begin;
  return std::move(result);
}

} // namespace

Expected<TrialRun> runProgram(const TrialProgram &program,
                              const ScratchPlace &place,
                              const RunRequest &request) {
  ::unlink(place.errors().c_str()); // each process has its own
  bool driven = !program.driver.empty();
  auto child = Child::start({program.arguments, place.files(),
                             environmentFor(place, request), place.errors(),
                             driven ? ChildOptions::Output::WithErrors
                                    : ChildOptions::Output::Terminal,
                             driven});
  if (!child)
    return child.takeError();
  auto feed = driven ? makeDriverFeed(program, place) : makeLineFeed(program);
  auto run = Runner(program, request, *feed).run(**child);
  if (!run)
    return run.takeError();
  if (auto text = MemoryBuffer::getFile(place.errors()))
    run->errors = (*text)->getBuffer().str();
  if (run->events.empty() && request.countEvents)
    run->events = {0, countedEvents(*run)}; // a program without symbols
  return run;
}

AnswerMask::AnswerMask(StringRef one, StringRef other) {
  SmallVector<StringRef> here, there;
  one.split(here, '\n');
  other.split(there, '\n');
  all = here.size() != there.size();
  for (size_t i = 0; !all && i < here.size(); ++i)
    if (here[i] != there[i])
      lines.insert(i);
}

std::string AnswerMask::apply(StringRef answer) const {
  if (all)
    return "...";
  SmallVector<StringRef> parts;
  answer.split(parts, '\n');
  for (size_t i : lines)
    if (i < parts.size())
      parts[i] = "...";
  return join(parts, "\n");
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
