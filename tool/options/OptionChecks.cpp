//===- OptionChecks.cpp - Options that do not go together -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/Diagnostics.h"
#include "tool/options/Options.h"

using namespace llvm;

namespace nvmove {

static Error usage(const char *text) {
  return makeError(MessageId::Usage, text);
}

bool namesNoFiles(const Options &o) {
  return o.files.empty() && o.database.empty() && o.make.empty();
}

static Error checkExplain(const Options &o) {
  const SolveOptions &solve = o.solve;
  if (o.subject.empty())
    return usage("explain needs a name: nvmove explain TYPE");
  if (o.print)
    return usage("explain and --print exclude each other");
  bool reads = namesNoFiles(o);
  if (!reads)
    return o.outNamed
               ? usage("explain either analyses the given files or reads the "
                       "report in --out: leave one of the two out")
               : Error::success();
  if (!solve.load.empty() || !solve.stop.empty() || !solve.section.empty() ||
      !solve.afresh.empty() || !solve.keep.empty() || solve.keepAll ||
      !solve.save.empty() || !solve.withoutRules.empty())
    return makeError(MessageId::NoFiles, "no C files given");
  return Error::success();
}

/// What is said of an output that is not asked for.
static Error checkOutput(const Options &o) {
  if (o.print && (o.outNamed || o.force))
    return usage("--print writes no folder: it excludes --out and --force");
  if (o.print && o.notes)
    return usage("--print prints only one list: it excludes --notes");
  if (o.print && o.solve.noSerialization)
    return usage("--print writes no patches, and --no-serialization is one: "
                 "they exclude each other");
  if (o.analyzeOnly && o.solve.noSerialization)
    return usage("--analyze-only writes no patches, and --no-serialization is "
                 "one: they exclude each other");
  if (o.solve.commitAtOutput && o.solve.restartPoints)
    return usage(
        "--commit-at-output commits before each output, and --restart-points "
        "when all threads are at a restart point: they exclude each other");
  if (!o.solve.emulate.empty() &&
      (o.print || o.analyzeOnly || o.solve.noSerialization || o.solve.lineLogs))
    return usage(
        "--emulate writes one patch instead of all others: it excludes "
        "--print, --analyze-only, --no-serialization and --line-logs");
  if (o.verb == Verb::Verify && o.force && !o.outNamed)
    return usage("verify writes a folder only with --out: --force needs it");
  return Error::success();
}

static Error checkCompilation(const Options &o) {
  if (o.verb == Verb::Link) {
    if (o.flags)
      return usage("link takes no compiler flags: give them to collect");
    if (o.files.empty())
      return makeError(MessageId::NoFiles, "no files of facts given", {}, {},
                       "name the files that nvmove collect wrote: nvmove link "
                       "--load FUNCTION FILE.facts...");
  }
  if (o.flags && o.files.empty())
    return makeError(MessageId::NoFiles, "flags after -- but no C files");
  if (o.noCache && !o.cache.empty())
    return usage("--cache and --no-cache exclude each other");
  if (o.flags && !o.database.empty())
    return usage(
        "-p and -- exclude each other: the flags come from one or the other");
  if (!o.make.empty() && (o.flags || !o.database.empty()))
    return usage(
        "--make excludes -p and --: the flags come from one or the other");
  return Error::success();
}

static Error checkTrial(const Options &o) {
  if (!o.files.empty())
    return usage("trial takes the program after --: nvmove trial --input FILE "
                 "-- ./program arguments");
  if (o.trialInput.empty() && o.driver.empty())
    return usage("trial needs --input FILE, the lines that the program is "
                 "given, or --driver PROGRAM, which asks a server");
  if (!o.trialInput.empty() && !o.driver.empty())
    return usage("--input and --driver exclude each other: a program gets "
                 "lines, or a server is asked");
  if (!o.flags || o.flags->empty())
    return usage("trial needs a program: nvmove trial --input FILE -- "
                 "./program arguments");
  return Error::success();
}

/// What nvmove-cc --load hands over.
static Error checkCompile(const Options &o) {
  if (!o.flags || o.flags->empty())
    return makeError(MessageId::NoCompiler, "no compiler is named");
  if (!o.database.empty() || !o.make.empty() || !o.extraArguments.empty() ||
      o.outNamed)
    return usage(
        "nvmove-cc knows how each file is compiled, and where the report "
        "goes: without -p, --make, --extra-arg and --out");
  if (o.solve.load.empty())
    return makeError(MessageId::NoLoadFunction, "no load function given");
  return Error::success();
}

Error checkOptions(const Options &o) {
  if (o.verb == Verb::Trial)
    return checkTrial(o);
  if (o.verb == Verb::Compile)
    return checkCompile(o);
  if (o.verb == Verb::Explain)
    if (Error error = checkExplain(o))
      return error;
  if (Error error = checkCompilation(o))
    return error;
  if (o.verb == Verb::Collect) {
    if (o.files.size() != 1)
      return usage("collect needs one C file: nvmove collect FILE.c -o "
                   "FILE.facts");
    return o.output.empty() ? usage("collect needs -o FILE") : Error::success();
  }
  if (Error error = checkOutput(o))
    return error;
  if (!o.observed.empty() && o.solve.algorithm != Algorithm::PointsTo)
    return usage("--observed supports only --algorithm points-to");
  if (o.verb == Verb::Verify && o.solve.algorithm != Algorithm::PointsTo)
    return usage("verify supports only --algorithm points-to");
  bool noFiles = namesNoFiles(o);
  if (o.verb == Verb::Explain && noFiles)
    return Error::success();
  if (o.solve.load.empty())
    return makeError(MessageId::NoLoadFunction, "no load function given");
  if (noFiles)
    return makeError(MessageId::NoFiles, "no C files given");
  return Error::success();
}

} // namespace nvmove
