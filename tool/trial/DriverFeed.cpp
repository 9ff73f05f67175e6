//===- DriverFeed.cpp - Parts of a driver, for a server -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Driver.h"
#include "tool/trial/Feed.h"
#include "tool/trial/Sockets.h"
#include <thread>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

/// A server that waits, but has no socket to which a driver could come, is up
/// after that.
constexpr Seconds socketLimit(1);
/// Who finds his server gone may end before its end is known.
constexpr Seconds endLimit(0.2);
constexpr Seconds stopLimit(5);

class DriverFeed : public Feed {
public:
  DriverFeed(const TrialProgram &program, const ScratchPlace &place)
      : program(program), driver(program.driver, place) {}

  Fed begin(Child &server) override;
  Expected<Fed> give(Child &server, unsigned part) override;
  Child::State end(Child &server) override {
    return program.outlives
               ? Child::State::TimedOut
               : server.terminate(std::min<Seconds>(program.limit, stopLimit));
  }

private:
  const TrialProgram &program;
  Driver driver;
  bool restless = false; ///< it did not wait when it should
};

/// It is up when it listens and waits.
Fed DriverFeed::begin(Child &server) {
  constexpr Seconds look(0.25);
  Seconds passed(0);
  Fed fed;
  fed.answered = true;
  for (;;) {
    Clock::time_point begin = Clock::now();
    fed.state = server.await(look);
    passed += std::min<Seconds>(Clock::now() - begin, look);
    fed.waits = fed.state == Child::State::Rest;
    if (fed.state == Child::State::Ended)
      break;
    bool isUp = listens(server.pid());
    if (fed.waits ? isUp || passed > socketLimit
                  : isUp && passed > program.restLimit) {
      fed.state = Child::State::Rest;
      restless = !fed.waits;
      return fed;
    }
    if (passed > program.limit) {
      fed.state = Child::State::TimedOut;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    passed += Seconds(0.005);
  }
  fed.answered = false;
  return fed;
}

Expected<Fed> DriverFeed::give(Child &server, unsigned part) {
  auto done = driver.doPart(program.lines[part], &server, program.limit);
  if (!done)
    return done.takeError();
  Fed fed;
  fed.answer = std::move(done->answer);
  fed.failed = done->failed;
  fed.errors = std::move(done->errors);
  Clock::time_point begin = Clock::now();
  while (done->failed && !server.hasEnded() &&
         Seconds(Clock::now() - begin) < endLimit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!server.hasEnded() && !done->ended) {
    fed.state = Child::State::TimedOut;
    return fed;
  }
  fed.state = server.await(restless ? Seconds(0) : program.restLimit);
  fed.waits = fed.state == Child::State::Rest;
  restless |= !fed.waits;
  // One that has ended may have done so before it had answered all.
  fed.answered = fed.state != Child::State::Ended;
  if (fed.answered)
    fed.state = Child::State::Rest;
  return fed;
}

} // namespace

std::unique_ptr<Feed> makeDriverFeed(const TrialProgram &program,
                                     const ScratchPlace &place) {
  return std::make_unique<DriverFeed>(program, place);
}

} // namespace nvmove
