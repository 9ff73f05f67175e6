//===- Runs.h - A program's runs, undisturbed and killed --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_RUNS_H
#define NVMOVE_TOOL_TRIAL_RUNS_H

#include "tool/trial/Child.h"
#include "tool/trial/Scratch.h"
#include "tool/trial/Walk.h"
#include <functional>
#include <map>
#include <set>

namespace nvmove {

/// Lines of an answer that undisturbed runs have otherwise; all of it if not
/// even their number is the same.
struct AnswerMask {
  bool all = false;
  std::set<size_t> lines;

  AnswerMask() = default;
  AnswerMask(llvm::StringRef one, llvm::StringRef other);
  /// The answer with "..." in the place of each of them.
  std::string apply(llvm::StringRef answer) const;
  bool empty() const { return !all && lines.empty(); }
};

/// What all runs of a trial have in common.
struct TrialProgram {
  std::vector<std::string> arguments;
  const ProgramImage *image = nullptr;
  std::vector<StaticVariable> statics;
  std::vector<std::string> lines; ///< the input, up to where the program ends
  std::vector<std::string> tail;  ///< what is left of it then
  Seconds limit{20};              ///< for a line, until it is at rest again
  std::string driver; ///< its path; the lines are its parts. "": there is none
  std::vector<AnswerMask> masks; ///< of the driver, by part; or none
  Seconds restLimit{2};  ///< how long a server is waited for after a part
  bool outlives = false; ///< the server does not end when it is asked to

  const char *unit() const { return driver.empty() ? "line" : "part"; }
};

/// One process, from its start to its end.
struct TrialRun {
  enum class End {
    Fed,     ///< it was at rest when it had got what it was to get
    Died,    ///< before that: `status`
    TimedOut ///< it did not come to rest
  };
  End end = End::Fed;
  /// [0]: before the first line; then one for each line that it has answered.
  std::vector<std::string> answers;
  /// What it printed of the next line, or after the end of its input.
  std::string rest;
  int status = 0;        ///< see waitpid(): Died, or after the end of its input
  bool outlives = false; ///< the end of its input
  std::string errors;    ///< its standard error
  /// Of the runtime, so far, by number of lines that it has answered: when it
  /// waited for the next. Of a program without symbols, only at its end.
  std::vector<unsigned long> events;
  bool waits =
      true; ///< a server did so after each part, and could be looked at
  unsigned failedPart = 0;             ///< of the driver, from 1; 0: none
  std::string driverErrors;            ///< of that part, or of the last
  std::map<unsigned, Snapshot> memory; ///< by number of lines in all
  Seconds longest{0}, whole{0};
};

struct RunRequest {
  unsigned from = 0, to = 0; ///< lines of the input: it gets those between
  bool finish = false; ///< then it gets the end of the input, else kill -9
  bool countEvents = false;
  std::vector<std::string> environment;      ///< NAME=VALUE, besides the usual
  std::function<bool(unsigned)> wantsMemory; ///< after so many lines in all
  bool withPool = true; ///< else it is the program as it was
};

/// Error: trial-failed.
llvm::Expected<TrialRun> runProgram(const TrialProgram &program,
                                    const ScratchPlace &place,
                                    const RunRequest &request);

/// How many events the runtime said at its end that it has counted; 0 if it
/// said nothing.
unsigned long countedEvents(const TrialRun &run);
/// The last message of the runtime that is an error; "" if there is none.
std::string runtimeError(llvm::StringRef errors);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_RUNS_H
