//===- main.cpp - The nvmove command --------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   options --> compile commands --> collect --> merge --> solve --> rewrite
//                                                             |         |
//                                                             +--> report and
//                                                             patches
//
// Exit codes: 0 done, 1 the input cannot be handled, 2 wrong use, 3 verify or
// trial found something, 4 done, and the report has findings to act on. On 1
// and 2 nothing is written. nvmove compile ends as the compiler does.
//
//===----------------------------------------------------------------------===//

#include "tool/Analysis.h"
#include "tool/compiler/RunCompiler.h"
#include "tool/explain/Explain.h"
#include "tool/files/OutputFolder.h"
#include "tool/files/Paths.h"
#include "tool/input/FactsFile.h"
#include "tool/report/Findings.h"
#include "tool/trial/Trial.h"
#include "tool/verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace nvmove {

namespace {

enum ExitCode : int {
  Done = 0,
  BadInput = 1,
  BadUse = 2,
  FoundSomething = 3,
  ToActOn = 4
};

/// See https://no-color.org: any value turns colours off.
bool wantsColours() {
  return errs().is_displayed() && !sys::Process::GetEnv("NO_COLOR");
}

/// As a shell needs it.
std::string quoted(StringRef path) {
  if (path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789_./+-=,@%") == StringRef::npos)
    return path.str();
  std::string result = "'";
  for (char c : path)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

void printWhatWasWritten(const Report &report, const Options &options) {
  outs() << "\nwrote " << options.out
         << ": report.html report.txt report.json report.sarif";
  if (!report.patches.empty()) {
    std::string out = canonicalPath(options.out);
    std::string here = currentDirectory();
    bool moved = report.patchRoot != here;
    outs() << " patches/*.patch\napply with: ";
    if (moved)
      outs() << "cd " << quoted(relativePath(report.patchRoot, here)) << " && ";
    outs() << "for p in " << quoted(relativePath(out, report.patchRoot))
           << "/patches/*.patch; do patch -p1 < \"$p\"; done";
    std::vector<std::string> others = patchedElsewhere(report).programs;
    if (!others.empty())
      outs() << "\nthese also contain patched files, and need $(pkg-config "
                "--cflags --libs nvmove): "
             << join(others, ", ");
  }
  outs() << '\n';
}

Error run(const Options &options, Diagnostics &diagnostics, Progress &progress,
          ExitCode &code) {
  if (!options.print)
    if (Error error = checkOutputFolder(options.out, options.force))
      return error;
  auto report = analyse(options, diagnostics, progress);
  if (!report)
    return report.takeError();
  if (options.print) {
    printList(*report, *options.print, outs());
    return Error::success();
  }
  if (Error error = writeOutputFolder(options.out, options.force,
                                      outputFiles(*report, emitters())))
    return error;
  makeTextEmitter(/*forTerminal=*/true, options.notes)->emit(*report, outs());
  printWhatWasWritten(*report, options);
  if (hasActFinding(*report))
    code = ToActOn;
  return Error::success();
}

Error runVerify(const Options &options, Diagnostics &diagnostics,
                Progress &progress, ExitCode &code) {
  if (options.outNamed)
    if (Error error = checkOutputFolder(options.out, options.force))
      return error;
  auto report = analyse(options, diagnostics, progress);
  if (!report)
    return report.takeError();
  if (!findings(*report).empty())
    code = FoundSomething;
  std::vector<std::unique_ptr<Emitter>> emitters = verifyEmitters();
  emitters.front()->emit(*report, outs());
  return options.outNamed ? writeOutputFolder(options.out, options.force,
                                              outputFiles(*report, emitters))
                          : Error::success();
}

Error runExplain(Options options, Diagnostics &diagnostics,
                 Progress &progress) {
  if (namesNoFiles(options)) {
    auto report = readReport(options.out);
    if (!report)
      return report.takeError();
    return explain(*report, options.subject, outs());
  }
  options.analyzeOnly = true;
  auto report = analyse(options, diagnostics, progress);
  if (!report)
    return report.takeError();
  return explain(toJson(*report), options.subject, outs());
}

Error runTrialAndPrint(const Options &options, Diagnostics &diagnostics,
                       Progress &progress, ExitCode &code) {
  if (Error error = checkOutputFolder(options.out, /*force=*/true))
    return error;
  auto result = runTrial(options, diagnostics, progress);
  if (!result)
    return result.takeError();
  progress.clear();
  printTrial(*result, options, outs());
  if (!result->losses.empty())
    code = FoundSomething;
  return writeTrial(*result, options);
}

Error runCompile(const Options &options, Diagnostics &diagnostics,
                 Progress &progress, ExitCode &code) {
  auto status = runCompiler(options, analyseUnits, diagnostics, progress);
  if (!status)
    return status.takeError();
  code = ExitCode(*status);
  return Error::success();
}

/// What was printed has to get there too.
ExitCode checkStandardOutput(ExitCode code, Diagnostics &diagnostics) {
  outs().flush();
  if (!outs().has_error())
    return code;
  std::string reason = outs().error().message();
  outs().clear_error();
  diagnostics.report(makeError(MessageId::OutputFailed,
                               "cannot write to standard output: " + reason, {},
                               {}, "redirect it to a place with free space"),
                     MessageId::OutputFailed);
  return code == Done || code == ToActOn ? BadInput : code;
}

ExitCode runCommand(ArrayRef<std::string> arguments, Diagnostics &diagnostics) {
  auto options = parseOptions(arguments);
  if (!options) {
    diagnostics.report(options.takeError(), MessageId::Usage);
    return BadUse;
  }
  if (options->verb == Verb::Help) {
    outs() << helpText;
    return Done;
  }
  if (options->verb == Verb::Version) {
    outs() << "nvmove " << NVMOVE_VERSION << '\n';
    return Done;
  }
  Progress progress(errs(), errs().is_displayed());
  ExitCode code = Done;
  Error error = [&] {
    switch (options->verb) {
    case Verb::Explain:
      return runExplain(*options, diagnostics, progress);
    case Verb::Verify:
      return runVerify(*options, diagnostics, progress, code);
    case Verb::Collect:
      return collectToFile(*options, diagnostics, progress);
    case Verb::Compile:
      return runCompile(*options, diagnostics, progress, code);
    case Verb::Trial:
      return runTrialAndPrint(*options, diagnostics, progress, code);
    default:
      return run(*options, diagnostics, progress, code);
    }
  }();
  progress.clear();
  if (!error)
    return code;
  diagnostics.report(std::move(error), MessageId::RewriteFailed);
  return BadInput;
}

} // namespace

} // namespace nvmove

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  using namespace nvmove;
  Diagnostics diagnostics(errs(), wantsColours());
  ExitCode code = checkStandardOutput(
      runCommand(std::vector<std::string>(argv + 1, argv + argc), diagnostics),
      diagnostics);
  errs().clear_error(); // nowhere is left to say it
  return code;
}
