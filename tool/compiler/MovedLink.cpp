//===- MovedLink.cpp - The link of a program, which moves it --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/MovedLink.h"
#include "tool/compiler/Libraries.h"
#include "tool/compiler/LinkInputs.h"
#include "tool/compiler/MovedText.h"
#include "tool/compiler/Recompile.h"
#include "tool/compiler/Scratch.h"
#include "tool/files/Parallel.h"
#include "tool/files/Paths.h"
#include "tool/input/ShellRun.h"
#include "tool/report/Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include <mutex>
#include <set>

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

Expected<Words> askPkgConfig(StringRef what) {
  auto answer =
      runShell(("pkg-config " + what + " nvmove").str(), currentDirectory());
  if (!answer)
    return answer.takeError();
  if (answer->status)
    return makeError(MessageId::NoRuntime, "pkg-config does not find nvmove",
                     {}, {StringRef(answer->complaints).trim().str()});
  Words words;
  SmallVector<StringRef> parts;
  StringRef(answer->output).trim().split(parts, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    words.push_back(part.str());
  return words;
}

bool asksForNvmStart(StringRef object) {
  auto binary = object::ObjectFile::createObjectFile(object);
  if (!binary) {
    consumeError(binary.takeError());
    return false;
  }
  for (const object::SymbolRef &symbol : binary->getBinary()->symbols())
    if (auto name = symbol.getName(); !name)
      consumeError(name.takeError());
    else if (*name == "nvm_start")
      return true;
  return false;
}

/// One link.
class MovedLink {
public:
  MovedLink(const CompilerCommand &command, const Options &given,
            const UnitAnalysis &analysis, Diagnostics &diagnostics,
            Progress &progress)
      : command(command), options(given), analysis(analysis),
        diagnostics(diagnostics), progress(progress),
        output(command.output.empty() ? "a.out" : command.output) {}

  Expected<int> run() {
    SmallString<128> plain;
    if (Error error = makeFileBeside(output, plain))
      return error;
    FileRemover removePlain(plain);
    // An older one must not pass for what this command has made.
    sys::fs::remove(output);
    auto trace = linkTracing(command.withOutput(plain));
    if (!trace)
      return trace.takeError();
    if (status)
      return status;
    auto inputs = readLinkInputs(*trace);
    if (!inputs)
      return inputs.takeError();
    units = std::move(inputs->units);
    if (!hasLoad() || command.isPartial)
      return finishPlain(plain);
    if (command.isShared)
      return makeError(MessageId::LoadInLibrary,
                       "a shared library has " + join(options.solve.load, ", "),
                       {output});
    if (Error error = checkUnits(*inputs))
      return error;
    if (Error error = readConfiguration())
      return error;
    auto report = decide();
    if (!report)
      return report.takeError();
    if (Error error = show(*report))
      return error;
    return linkAgain(*report);
  }

private:
  /// Runs a link; what the linker took. `status` is its exit code.
  Expected<std::vector<LinkInput>> linkTracing(Words words) {
    words.push_back("-Wl,--trace,--trace");
    words.insert(words.begin(), {"env", "LC_ALL=C"});
    std::string text, rest;
    auto ended = runCaptured(words, ".", /*complaintsToo=*/false, text);
    if (!ended)
      return ended.takeError();
    status = *ended;
    std::vector<LinkInput> inputs = readTrace(text, rest);
    outs() << rest;
    outs().flush();
    return inputs;
  }

  bool hasLoad() const {
    return any_of(units, [&](const LinkedUnit &u) {
      return any_of(options.solve.load, [&](const std::string &f) {
        return is_contained(u.unit.file.unit.symbols.functions, f);
      });
    });
  }

  Expected<int> finishPlain(StringRef plain) {
    const bool isProgram = !command.isShared && !command.isPartial;
    if (auto ec = sys::fs::rename(plain, output))
      return makeError(MessageId::OutputFailed, ec.message(), {output});
    if (isProgram)
      diagnostics.note(MessageId::LinkedAsIs,
                       "no object of it has " +
                           join(options.solve.load, " or ") +
                           ": linked as it is",
                       {output});
    return 0;
  }

  /// What cannot be moved is an error, what cannot be seen a warning.
  Error checkUnits(const LinkInputs &inputs) {
    Error errors = Error::success();
    auto wrong = [&](MessageId id, std::string text, std::string where) {
      errors = joinErrors(std::move(errors),
                          makeError(id, std::move(text), {std::move(where)}));
    };
    for (const LinkInput &input : inputs.combined)
      wrong(MessageId::CombinedObject,
            "this object was made of several units by ld -r", input.shown());
    std::map<std::string, std::string> sources;
    for (const LinkedUnit &u : units) {
      const FactsFile &file = u.unit.file;
      auto [first, isNew] = sources.try_emplace(file.source, u.from.shown());
      if (!isNew)
        wrong(MessageId::TwiceInProgram,
              "this file is in the program twice, by " + first->second +
                  " and " + u.from.shown(),
              file.source);
      for (const UnitText &text : u.unit.texts)
        if (auto [first, isNew] = texts.try_emplace(text.canonical, text.text);
            !isNew && first->second != text.text)
          wrong(MessageId::TwoVersions,
                "two objects were compiled from two versions of this file",
                text.canonical);
    }
    if (errors)
      return errors;
    for (const LinkInput &input : inputs.without)
      diagnostics.warning(MessageId::NoFacts, "this object has no facts",
                          {input.shown()});
    for (const LinkedUnit &u : units)
      if (!u.unit.failure.empty())
        diagnostics.warning(MessageId::NoFacts,
                            "this unit has no facts: " + u.unit.failure,
                            {u.unit.file.source});
    return Error::success();
  }

  /// The nearest nvmove.conf above the sources.
  Error readConfiguration() {
    std::vector<std::string> files;
    for (const LinkedUnit &u : units)
      files.push_back(u.unit.file.source);
    for (std::string folder = commonDirectory(files);;
         folder = path::parent_path(folder).str()) {
      const std::string file = folder + "/nvmove.conf";
      if (!folder.empty() && sys::fs::exists(file)) {
        auto more = withOptionsOf(file, options);
        if (!more)
          return more.takeError();
        options = std::move(*more);
        return Error::success();
      }
      if (folder.size() <= 1)
        return Error::success();
    }
  }

  Expected<Report> decide() {
    auto found = Libraries::find(units, options.solve.load, options.libraries);
    if (!found)
      return found.takeError();
    libraries = std::move(*found);
    for (;;) {
      std::vector<FactsFile> files;
      for (const LinkedUnit &u : units)
        if (u.unit.failure.empty() && !libraries.has(u.from))
          files.push_back(u.unit.file);
      // What it says of an attempt is not the last word.
      std::string said;
      raw_string_ostream os(said);
      Diagnostics ofAttempt(os, /*colours=*/false);
      auto report = analysis(files, texts, options, ofAttempt, progress);
      if (report && libraries.takeIn(*report))
        continue;
      errs() << said;
      return report;
    }
  }

  Error show(const Report &report) {
    if (std::vector<std::string> names = libraries.names(); !names.empty())
      diagnostics.note(
          MessageId::Library,
          "taken as libraries, which need nothing of the program: " +
              join(names, ", "),
          {output});
    const std::vector<ShownFinding> all = allFindings(report);
    for (Severity severity : {Severity::Act, Severity::Check})
      for (const ShownQuestion &q : questionsOf(all, severity)) {
        const ShownFinding &f = q.first();
        errs() << (f.path.empty() ? output : f.place())
               << ": warning: " << q.what;
        if (q.places > 1)
          errs() << " (and " << q.places - 1 << " more places)";
        errs() << " [" << f.kind().id << "]\n  -> " << f.advice << '\n';
      }
    if (Error error = writeOutputFolder(output + ".nvmove", /*force=*/true,
                                        outputFiles(report, emitters())))
      return error;
    if (options.stopOnAct && hasActFinding(report))
      return makeError(MessageId::ToActOn,
                       "the program is not linked, since there is something "
                       "to act on",
                       {output});
    return Error::success();
  }

  /// The new texts by canonical path.
  FileTexts changedTexts(const Report &report) const {
    const Facts &facts = report.input.facts;
    std::map<Id, std::vector<const Edit *>> byFile;
    for (const Edit &edit : report.edits.edits)
      byFile[edit.file].push_back(&edit);
    FileTexts changed;
    for (const auto &[file, edits] : byFile) {
      const std::string &name = facts.files[file].path;
      changed[name] = movedText(texts.at(name), edits);
    }
    return changed;
  }

  Expected<int> linkAgain(const Report &report) {
    const FileTexts changed = changedTexts(report);
    ScratchFolder scratch;
    if (Error error = scratch.make())
      return error;
    if (Error error = compileAgain(changed, scratch))
      return error;
    auto words = replaceInputs(scratch);
    if (!words)
      return words.takeError();
    auto runtime = askPkgConfig("--libs");
    if (!runtime)
      return runtime.takeError();
    append_range(*words, *runtime);
    SmallString<128> whole;
    if (Error error = makeFileBeside(output, whole))
      return error;
    FileRemover removeWhole(whole);
    words->insert(words->end(), {"-o", whole.str().str()});
    auto trace = linkTracing(std::move(*words));
    if (!trace)
      return trace.takeError();
    if (status)
      return status;
    if (Error error = checkReplaced(*trace))
      return error;
    if (auto ec = sys::fs::rename(whole, output))
      return makeError(MessageId::OutputFailed, ec.message(), {output});
    diagnostics.note(
        MessageId::Moved,
        "moved: " +
            counted(report.solution.records.types.size(), "persistent types") +
            ", " + counted(objects.size(), "units") + " of " +
            utostr(units.size()) + " changed; report: " + output +
            ".nvmove/report.html",
        {output});
    return 0;
  }

  Error compileAgain(const FileTexts &changed, const ScratchFolder &scratch) {
    auto flags = askPkgConfig("--cflags");
    if (!flags)
      return flags.takeError();
    for (std::string &flag : *flags)
      if (StringRef(flag).starts_with("-I"))
        flag.replace(0, 2, "-idirafter");
    auto cache = openCache(options);
    if (!cache)
      return cache.takeError();
    MirrorTree tree(scratch.file("tree"), changed);
    std::vector<size_t> again;
    for (size_t i = 0; i < units.size(); ++i)
      if (!libraries.has(units[i].from) && tree.changes(units[i].unit)) {
        again.push_back(i);
        if (Error error = tree.write(units[i].unit))
          return error;
      }
    std::mutex mutex;
    Error errors = Error::success();
    std::atomic<size_t> done = 0;
    inParallel(again.size(), options.jobs, [&](size_t k) {
      const std::string object = scratch.file(utostr(again[k]) + ".o");
      Error error = tree.compile(units[again[k]].unit, *flags, *cache, object);
      progress.show("compiling", ++done, again.size());
      std::lock_guard<std::mutex> lock(mutex);
      objects[again[k]] = object;
      errors = joinErrors(std::move(errors), std::move(error));
    });
    progress.clear();
    cache->prune();
    if (errors)
      return errors;
    if (none_of(objects,
                [](const auto &o) { return asksForNvmStart(o.second); }))
      return makeError(MessageId::NotStarted,
                       "no unit of the program calls nvm_start()", {output});
    return Error::success();
  }

  /// The command with the new objects, and archives with the new members.
  Expected<Words> replaceInputs(const ScratchFolder &scratch) {
    NewFiles files;
    std::map<std::string, std::map<std::string, std::string>> archives;
    for (const auto &[unit, object] : objects) {
      const LinkInput &from = units[unit].from;
      if (from.member.empty())
        files[canonicalPath(from.file)] = object;
      else
        archives[from.file][from.member] = object;
    }
    for (const auto &[archive, members] : archives) {
      std::string copy =
          scratch.file(utostr(files.size()) + "-" + path::filename(archive));
      if (Error error = writeArchiveWith(archive, members, copy))
        return error;
      files[canonicalPath(archive)] = copy;
    }
    return withInputs(command, files);
  }

  /// The linker has taken each new object, and none that it replaces.
  Error checkReplaced(ArrayRef<LinkInput> trace) const {
    std::set<std::pair<std::string, std::string>> taken;
    for (const LinkInput &input : trace)
      taken.emplace(canonicalPath(input.file), input.member);
    auto has = [&](StringRef file, const std::string &member) {
      return taken.count({canonicalPath(file), member});
    };
    for (const auto &[unit, object] : objects) {
      const LinkInput &from = units[unit].from;
      if (has(from.file, from.member) ||
          (from.member.empty() && !has(object, "")))
        return makeError(MessageId::NotReplaced,
                         "the linker takes this, not what nvmove has made of "
                         "it",
                         {from.shown()});
    }
    return Error::success();
  }

  const CompilerCommand &command;
  Options options;
  const UnitAnalysis &analysis;
  Diagnostics &diagnostics;
  Progress &progress;
  const std::string output;
  int status = 0;
  std::vector<LinkedUnit> units;
  FileTexts texts;
  Libraries libraries;
  std::map<size_t, std::string> objects; ///< of units that change
};

} // namespace

Expected<int> linkMoved(const CompilerCommand &command, const Options &options,
                        const UnitAnalysis &analysis, Diagnostics &diagnostics,
                        Progress &progress) {
  return MovedLink(command, options, analysis, diagnostics, progress).run();
}

} // namespace nvmove
