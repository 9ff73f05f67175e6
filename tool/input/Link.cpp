//===- Link.cpp - From units to the facts of one program ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/SplitTexts.h"
#include "passes/facts/StaticPointers.h"
#include "tool/files/Paths.h"
#include "tool/input/Collection.h"
#include "tool/input/FactsFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;

namespace nvmove {

/// What they register comes too late where they are loaded after nvm_start().
static void notePlugIns(ArrayRef<std::string> files,
                        const ProgramChoice &choice, StringRef root,
                        const Facts &facts, Diagnostics &diagnostics) {
  bool loads = any_of(facts.functions, [](const Function &fn) {
    return StringSwitch<bool>(fn.name)
        .Cases("dlopen", "dlmopen", "lt_dlopen", "lt_dlopenext",
               "g_module_open", "apr_dso_load", true)
        .Default(false);
  });
  if (!loads || choice.unneeded.empty())
    return;
  constexpr size_t shown = 3;
  std::vector<std::string> names;
  for (size_t unit : ArrayRef(choice.unneeded).take_front(shown))
    names.push_back(relativePath(files[unit], root));
  std::string more =
      choice.unneeded.size() > shown
          ? " and " + std::to_string(choice.unneeded.size() - shown) + " more"
          : "";
  diagnostics.note(MessageId::PlugIn,
                   "no program needs " + join(names, ", ") + more +
                       "; if these are plug-ins, load them before nvm_start(): "
                       "what they register must be known when the pool is "
                       "opened");
}

/// As the linker does: of a static library what defines no symbol that is
/// needed.
static void leaveOutMembers(ArrayRef<std::string> files, ProgramChoice &choice,
                            Collection &out) {
  if (choice.mains.empty())
    return;
  auto isLeftOut = [&](size_t unit) {
    return is_contained(out.members, files[unit]);
  };
  for (size_t unit : choice.unneeded)
    if (isLeftOut(unit)) {
      out.omitted.push_back({files[unit],
                             MessageId::OtherProgram,
                             "in a library, and the program does not need it",
                             {}});
      erase(choice.units, unit);
    }
  erase_if(choice.unneeded, isLeftOut);
}

Error mergeProgram(ArrayRef<std::string> files, ArrayRef<const Unit *> units,
                   const Options &options, StringRef root,
                   Diagnostics &diagnostics, Progress &progress,
                   Collection &out) {
  if (units.empty())
    return makeError(MessageId::NothingToAnalyse,
                     "none of the files could be analysed");
  std::vector<Symbols> symbols;
  for (const Unit *unit : units)
    symbols.push_back(unit->symbols);
  ProgramChoice choice = chooseProgram(symbols, options.solve.load);
  for (size_t unit : choice.others)
    out.omitted.push_back(
        {files[unit], MessageId::OtherProgram, "part of another program", {}});
  leaveOutMembers(files, choice, out);
  // What the build says is more than what a linker might do.
  if (out.build.empty())
    for (const auto &[main, shared] : choice.sharing) {
      ProgramFiles &program = out.otherPrograms.emplace_back();
      program.program = files[main];
      for (size_t unit : shared)
        program.sources.push_back(files[unit]);
    }
  std::vector<std::string> mains;
  for (size_t unit : choice.mains)
    mains.push_back(relativePath(files[unit], root));
  if (choice.isPlugIn)
    diagnostics.note(MessageId::PlugIn,
                     "no program needs the files with the load functions; they "
                     "are analysed as a plug-in of " +
                         join(mains, ", "));
  if (choice.mains.size() > 1) {
    diagnostics.note(MessageId::SeveralPrograms,
                     "several programs have a load function and are analysed "
                     "together: " +
                         join(mains, ", "));
  }
  std::vector<const Unit *> chosen;
  for (size_t unit : choice.units) {
    chosen.push_back(units[unit]);
    out.analysed.push_back(files[unit]);
  }
  std::optional<BadUnit> bad;
  out.facts = mergeUnits(chosen, options.jobs, bad, [&](size_t done) {
    progress.show("joining the files", done, chosen.size());
  });
  if (bad)
    return makeError(MessageId::BadFacts, bad->why, {out.analysed[bad->index]});
  joinSplitTexts(out.facts);
  nameStatics(out.facts);
  notePlugIns(files, choice, root, out.facts, diagnostics);
#ifdef __GLIBC__
  malloc_trim(0); // the parts, and what the collector's threads took
#endif
  return Error::success();
}

Expected<Collection> linkProgram(ArrayRef<FactsFile> given,
                                 const Options &options, StringRef root,
                                 Diagnostics &diagnostics, Progress &progress) {
  Collection out;
  std::vector<std::string> files;
  std::vector<const Unit *> units;
  for (const FactsFile &file : given) {
    files.push_back(file.source);
    units.push_back(&file.unit);
    out.database = file.database;
    for (const std::string &header : file.unit.missingHeaders)
      out.tolerated.push_back({file.source, header});
    for (const IncludePath &path : file.includePaths) {
      auto known = find_if(out.includePaths, [&](const IncludePath &p) {
        return p.directory == path.directory;
      });
      if (known == out.includePaths.end()) {
        out.includePaths.push_back(path);
        continue;
      }
      for (const std::string &header : path.headers)
        if (!is_contained(known->headers, header))
          known->headers.push_back(header);
    }
  }
  if (Error error =
          mergeProgram(files, units, options, root, diagnostics, progress, out))
    return error;
  return out;
}

} // namespace nvmove
