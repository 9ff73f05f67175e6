//===- LineFeed.cpp - Lines on the standard input -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Feed.h"

using namespace llvm;

namespace nvmove {

namespace {

class LineFeed : public Feed {
public:
  explicit LineFeed(const TrialProgram &program) : program(program) {}

  Fed begin(Child &child) override {
    return note(child, child.await(program.limit));
  }

  Expected<Fed> give(Child &child, unsigned line) override {
    return note(child, child.feed(program.lines[line], program.limit));
  }

  Child::State end(Child &child) override {
    for (const std::string &line : program.tail)
      if (child.feed(line, program.limit) != Child::State::Rest)
        break;
    return child.finish(program.limit);
  }

private:
  static Fed note(Child &child, Child::State state) {
    Fed fed;
    fed.state = state;
    fed.answered = state == Child::State::Rest;
    if (fed.answered)
      fed.answer = child.takeOutput();
    return fed;
  }

  const TrialProgram &program;
};

} // namespace

std::unique_ptr<Feed> makeLineFeed(const TrialProgram &program) {
  return std::make_unique<LineFeed>(program);
}

} // namespace nvmove
