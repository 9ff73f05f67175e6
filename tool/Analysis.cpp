//===- Analysis.cpp - The passes in their order ---------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Analysis.h"
#include "passes/collect/unit/FieldAccesses.h"
#include "tool/files/Paths.h"
#include "tool/input/FactsFile.h"
#include "tool/input/ObservedFile.h"
#include "tool/message/NearNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <set>

REPORTS(NoBody)

using namespace llvm;

namespace nvmove {

namespace {

/// Solving again takes a fraction of the time that reading the sources does, so
/// this many times stay within a few times of it.
constexpr unsigned cutsTried = 48;

/// The solver's words, with the files that were left out: the function may
/// well be in one of them.
Error unknownLoadFunction(const Report &report, std::string text) {
  std::vector<std::string> details;
  for (const OmittedFile &omitted : report.input.omitted)
    details.push_back(
        "not analysed: " + relativePath(omitted.file, report.root) + ": " +
        omitted.why);
  return makeError(MessageId::UnknownLoadFunction, std::move(text), {},
                   std::move(details));
}

Error checkNames(const Facts &facts, StringRef option,
                 ArrayRef<std::string> names) {
  std::vector<std::string> known;
  for (const Function &f : facts.functions)
    known.push_back(f.name);
  Error errors = Error::success();
  for (const std::string &name : names)
    if (!is_contained(known, name))
      errors = joinErrors(
          std::move(errors),
          makeError(
              MessageId::UnknownFunction,
              (option + ": the program has no function '" + name + "'").str() +
                  didYouMean(name, known)));
  return errors;
}

/// Functions, or "file.c:12" for the calls in that line.
Error checkStops(const Facts &facts, ArrayRef<std::string> stops) {
  std::vector<std::string> names;
  Error errors = Error::success();
  for (const std::string &stop : stops)
    if (!StringRef(stop).contains(':'))
      names.push_back(stop);
    else if (callsAt(facts, stop).empty())
      errors = joinErrors(std::move(errors),
                          makeError(MessageId::UnknownFunction,
                                    "--stop: there is no call at " + stop));
  return joinErrors(std::move(errors), checkNames(facts, "--stop", names));
}

Error checkAfresh(const Report &report) {
  std::vector<std::string> known;
  for (const Root &root : report.solution.restored.roots)
    known.push_back(root.path);
  for (const RestoredScalar &scalar : report.solution.restored.scalars)
    known.push_back(scalar.path);
  Error errors = Error::success();
  for (const std::string &name : report.solution.restored.unknownAfresh)
    errors = joinErrors(
        std::move(errors),
        makeError(MessageId::UnknownRoot,
                  "--afresh: there is no root or restored scalar named '" +
                      name + "'" + didYouMean(name, known)));
  for (const std::string &name : report.solution.restored.unknownKeep)
    errors = joinErrors(std::move(errors),
                        makeError(MessageId::UnknownRoot,
                                  "--keep: the program writes no static, or "
                                  "member of a static, named '" +
                                      name + "'"));
  return errors;
}

Error lineLogRefused(const Report &report, Id record, const std::string &why) {
  const Facts &facts = report.input.facts;
  const Record &r = facts.records[record];
  SourcePlace place{relativePath(facts.files[r.loc.file].path, report.root),
                    r.loc.line, r.loc.column};
  return makeError(MessageId::LineLogRefused,
                   "'" + r.spelling + "' cannot have a line log: " + why,
                   place);
}

Error checkLineLogs(const Report &report) {
  std::vector<std::string> known;
  for (const PersistentType &type : report.solution.records.types)
    known.push_back(report.input.facts.records[type.record].name);
  Error errors = Error::success();
  for (const std::string &name : report.solution.contents.unknownLineLogs)
    errors = joinErrors(
        std::move(errors),
        makeError(MessageId::UnknownType,
                  "--line-logs: there is no persistent type named '" + name +
                      "'" + didYouMean(name, known)));
  for (const LineLog &log : report.solution.contents.lineLogs)
    if (log.asked && !log.refused.empty())
      errors = joinErrors(std::move(errors),
                          lineLogRefused(report, log.record, log.refused));
  return errors;
}

bool isTooLarge(const Report &report) {
  return report.options.algorithm != report.solution.load.algorithm;
}

Error runSolver(Report &report) {
  const Facts &facts = report.input.facts;
  if (Error error = joinErrors(
          joinErrors(checkStops(facts, report.options.stop),
                     checkNames(facts, "--save", report.options.save)),
          checkNames(facts, "--section", report.options.section)))
    return error;
  auto solution = solve(facts, report.options);
  if (solution) {
    report.solution = std::move(*solution);
    if (Error error = joinErrors(checkAfresh(report), checkLineLogs(report)))
      return error;
    if (isTooLarge(report) && report.options.verify)
      return makeError(MessageId::TooLarge,
                       "the points-to analysis, which verify requires, exceeds "
                       "--points-to-limit");
    return Error::success();
  }
  std::string text = toString(solution.takeError());
  if (all_of(report.options.load,
             [&](const std::string &f) { return isDefined(facts, f); }))
    return makeError(MessageId::SolveFailed, std::move(text));
  return unknownLoadFunction(report, std::move(text));
}

/// Who calls the load functions, by direct calls: they may keep what it reads.
std::string callersOfLoad(const Report &report) {
  const Facts &facts = report.input.facts;
  std::set<std::string> names;
  for (const Call &c : facts.calls)
    if (c.function != None &&
        is_contained(report.solution.load.functions, c.callee) &&
        facts.functions[c.function].name != "main")
      names.insert(facts.functions[c.function].name);
  return names.empty() ? ""
                       : "; what it returns to its callers counts as loaded "
                         "with --load " +
                             join(names, ",");
}

/// Functions that the load calls and whose files were not given: these may
/// load.
std::string withoutBody(const Report &report) {
  std::set<std::string> names;
  for (const Finding &n : report.solution.findings)
    if (n.id == FindingId::NoBody)
      names.insert(report.input.facts.nodes[n.subjectNode].name);
  return names.empty() ? ""
                       : "; these files do not define " + join(names, ", ") +
                             ", which it calls";
}

void remark(const Report &report, Diagnostics &diagnostics) {
  const Facts &facts = report.input.facts;
  const Solution &s = report.solution;
  if (s.records.types.empty() && s.restored.roots.empty() &&
      s.restored.scalars.empty())
    diagnostics.warning(MessageId::NothingPersistent,
                        "nothing that " + join(report.options.load, " or ") +
                            " creates is reachable from static memory when it "
                            "returns, and it restores no static variable" +
                            callersOfLoad(report) + withoutBody(report));
  else if (s.load.callersKeep)
    diagnostics.warning(
        MessageId::CallersKeep,
        "nothing that " + join(report.options.load, " or ") +
            " creates is reachable from static memory or a variable of main "
            "when it returns: what it gets from and returns to its callers is "
            "assumed to be persistent");
  if (!report.options.withoutRules.empty())
    diagnostics.warning(MessageId::RuleLeftOut,
                        "without " + join(report.options.withoutRules, ", ") +
                            ": these patches may lose data");
  if (isTooLarge(report))
    diagnostics.warning(
        MessageId::TooLarge,
        "the points-to analysis exceeds --points-to-limit; the types are those "
        "of the worklist, and no patches are written");
  if (!isDefined(facts, "main"))
    diagnostics.note(MessageId::NoMain, "none of the files defines main()");
}

/// The owner's write permission counts even for one who may write everything:
/// a read-only source is read-only on purpose.
bool isWritable(const std::string &file) {
  sys::fs::file_status status;
  return sys::fs::can_write(file) && !sys::fs::status(file, status) &&
         (status.permissions() & sys::fs::all_write);
}

Error checkTargets(const Report &report, const std::set<std::string> &targets) {
  Error errors = Error::success();
  for (const std::string &file : targets)
    if (!isWritable(file))
      errors = joinErrors(std::move(errors),
                          makeError(MessageId::ReadOnlyTarget,
                                    "the patches change this file, but it is "
                                    "read-only",
                                    {relativePath(file, report.root)}));
  return errors;
}

Error sourceChanged(StringRef file, StringRef root, bool fromFacts) {
  SourcePlace place{relativePath(file, root)};
  if (!fromFacts)
    return makeError(MessageId::SourceChanged,
                     "this file changed while nvmove ran", place);
  return makeError(
      MessageId::SourceChanged,
      "this file has changed since its facts were collected", place, {},
      "collect again from this file and each file that includes it");
}

/// Each source is parsed once more: what is read is no fact.
Expected<EditResult> emulate(const Report &report,
                             const std::vector<std::string> &contents) {
  std::set<std::string> records;
  for (const PersistentType &t : report.solution.records.types)
    records.insert(report.input.facts.records[t.record].key);
  Accesses accesses;
  for (const CompileJob &job : report.input.jobs)
    if (!collectFieldAccesses(job, report.input.facts, records, accesses))
      return sourceChanged(job.file, report.root, false);
  return makeEmulation(report.input.facts, report.solution, contents, accesses,
                       report.options.emulate == "pcm" ? "PCM" : "STT_RAM");
}

Error runRewriter(Report &report, const FileTexts *texts) {
  const Facts &facts = report.input.facts;
  auto contents = readContents(facts, report.root, report.fromFacts, texts);
  if (!contents)
    return contents.takeError();
  auto edits = report.options.emulate.empty()
                   ? makeEdits(facts, report.solution, *contents)
                   : emulate(report, *contents);
  if (!edits)
    return edits.takeError();
  report.edits = std::move(*edits);
  if (report.options.verify)
    return Error::success();
  Error refused = Error::success();
  for (const auto &[record, why] : report.edits.withoutLineLog)
    refused =
        joinErrors(std::move(refused), lineLogRefused(report, record, why));
  if (refused)
    return refused;

  std::set<std::string> targets;
  for (const Edit &edit : report.edits.edits)
    targets.insert(facts.files[edit.file].path);
  if (!texts)
    if (Error error = checkTargets(report, targets))
      return error;
  report.patchRoot = targets.empty() ? report.root
                                     : displayRoot(std::vector<std::string>(
                                           targets.begin(), targets.end()));
  auto patches =
      makePatches(facts, report.edits.edits, *contents, report.patchRoot);
  if (!patches)
    return patches.takeError();
  report.patches = std::move(*patches);
  return Error::success();
}

} // namespace

/// All of them in one message: they usually lie in one folder that is gone.
static Error sourcesMissing(ArrayRef<std::string> files, StringRef root) {
  constexpr size_t shown = 5;
  std::vector<std::string> details;
  for (const std::string &file : files.take_front(shown))
    details.push_back("looked for " + file);
  if (files.size() > shown)
    details.push_back("... and " + utostr(files.size() - shown) + " more");
  return makeError(MessageId::SourceMissing,
                   "facts were collected from this file, but it does not exist",
                   {relativePath(files.front(), root)}, std::move(details));
}

Expected<std::vector<std::string>> readContents(const Facts &facts,
                                                StringRef root, bool fromFacts,
                                                const FileTexts *texts) {
  std::vector<std::string> contents(facts.files.size());
  std::set<Id> spelled; // some code, also in macros of system headers
  for (const StoreSite &store : facts.stores)
    spelled.insert(store.span.file);
  for (const Call &call : facts.calls)
    for (const auto &spans : {call.argSpans, {call.span, call.calleeSpan}})
      for (Span span : spans)
        spelled.insert(span.file);
  Error errors = Error::success();
  std::vector<std::string> missing;
  for (size_t i = 0; i < facts.files.size(); ++i) {
    const File &file = facts.files[i];
    if (!file.editable && !spelled.count(i))
      continue;
    if (texts && texts->count(file.path)) {
      contents[i] = texts->at(file.path);
      continue;
    }
    auto buffer = MemoryBuffer::getFile(file.path);
    if (buffer && xxh3_64bits((*buffer)->getBuffer()) == file.hash)
      contents[i] = (*buffer)->getBuffer().str();
    else if (!buffer && fromFacts)
      missing.push_back(file.path);
    else
      errors = joinErrors(std::move(errors),
                          sourceChanged(file.path, root, fromFacts));
  }
  if (!missing.empty())
    errors = joinErrors(std::move(errors), sourcesMissing(missing, root));
  if (errors)
    return errors;
  return contents;
}

/// Parses the sources; sets the report's root.
static Expected<Collection> inputFromSources(const Options &options,
                                             Report &report,
                                             Diagnostics &diagnostics,
                                             Progress &progress) {
  auto sources = checkSources(options.files);
  if (!sources)
    return sources.takeError();
  auto plan = planCompilation(options, *sources, diagnostics);
  if (!plan)
    return plan.takeError();
  std::vector<std::string> files;
  for (const PlannedJob &planned : plan->jobs)
    files.push_back(planned.job.file);
  report.root = displayRoot(files);
  return collectProgram(*plan, options, report.root, diagnostics, progress);
}

static Expected<Collection> linkUnits(ArrayRef<FactsFile> units,
                                      const Options &options, Report &report,
                                      Diagnostics &diagnostics,
                                      Progress &progress) {
  std::vector<std::string> files;
  for (const FactsFile &file : units)
    files.push_back(file.source);
  report.root = displayRoot(files);
  return linkProgram(units, options, report.root, diagnostics, progress);
}

/// Reads what nvmove collect wrote; sets the report's root.
static Expected<Collection> inputFromFacts(const Options &options,
                                           Report &report,
                                           Diagnostics &diagnostics,
                                           Progress &progress) {
  report.fromFacts = true;
  auto given = readFactsFiles(options.files, options.prefixMaps);
  if (!given)
    return given.takeError();
  return linkUnits(*given, options, report, diagnostics, progress);
}

/// verify takes what link takes too.
static bool readsFacts(const Options &options) {
  return options.verb == Verb::Link ||
         (options.verb == Verb::Verify && !options.files.empty() &&
          all_of(options.files,
                 [](StringRef file) { return file.ends_with(".facts"); }));
}

using InputReader = function_ref<Expected<Collection>(Report &)>;

static Expected<Report> analyseInput(const Options &options,
                                     InputReader readInput,
                                     const FileTexts *texts,
                                     Diagnostics &diagnostics,
                                     Progress &progress) {
  auto begin = std::chrono::steady_clock::now();
  Report report;
  report.options = options.solve;
  report.options.verify = options.verb == Verb::Verify;
  report.options.maxCuts =
      options.print || report.options.verify ? 0 : cutsTried;
  report.analyzeOnly = options.analyzeOnly;
  auto runs = readObservedFiles(options.observed, options.solve.load);
  if (!runs)
    return runs.takeError();
  report.options.observed = std::move(*runs);
  auto input = readInput(report);
  if (!input)
    return input.takeError();
  report.input = std::move(*input);
  if (Error error =
          checkObservedProgram(report.input.facts, report.options.observed))
    return error;
  report.options.progress = [&](const char *step, size_t done, size_t total) {
    progress.show(step, done, total);
  };
  if (Error error = runSolver(report))
    return error;
  report.options.progress = nullptr;
  progress.clear();
  remark(report, diagnostics);
  report.analyzeOnly |= isTooLarge(report);
  if (!report.analyzeOnly) {
    progress.show(report.options.verify ? "comparing with the patches"
                                        : "writing the patches");
    if (Error error = runRewriter(report, texts)) {
      progress.clear();
      return error;
    }
  }
  progress.clear();
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

Expected<Report> analyse(const Options &options, Diagnostics &diagnostics,
                         Progress &progress) {
  auto readInput = [&](Report &report) {
    return readsFacts(options)
               ? inputFromFacts(options, report, diagnostics, progress)
               : inputFromSources(options, report, diagnostics, progress);
  };
  return analyseInput(options, readInput, nullptr, diagnostics, progress);
}

Expected<Report> analyseUnits(ArrayRef<FactsFile> units, const FileTexts &texts,
                              const Options &options, Diagnostics &diagnostics,
                              Progress &progress) {
  auto readInput = [&](Report &report) {
    report.fromFacts = true;
    return linkUnits(units, options, report, diagnostics, progress);
  };
  return analyseInput(options, readInput, &texts, diagnostics, progress);
}

} // namespace nvmove
