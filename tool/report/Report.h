//===- Report.h - What a run found, ready to be written down ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_REPORT_H
#define NVMOVE_TOOL_REPORT_REPORT_H

#include "passes/rewrite/Rewrite.h"
#include "passes/solve/Solution.h"
#include "tool/files/OutputFolder.h"
#include "tool/input/Collection.h"
#include "tool/options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace nvmove {

/// Everything that the emitters may say. Paths are canonical; emitters show
/// them relative to `root`.
struct Report {
  SolveOptions options;
  std::string root;
  Collection input;
  Solution solution;
  bool analyzeOnly = false;
  bool fromFacts = false;     ///< the sources were read by nvmove collect
  EditResult edits;           ///< empty with analyzeOnly
  std::vector<Patch> patches; ///< likewise
  std::string patchRoot;      ///< where `patch -p1` has to run
  double seconds = 0;         ///< of the whole run
};

/// A file that was analysed has the body of that function.
inline bool isDefined(const Facts &facts, llvm::StringRef name) {
  return llvm::any_of(facts.functions, [&](const Function &f) {
    return f.name == name && f.hasBody;
  });
}

/// One form of the report. A new form is a class and a line in emitters().
class Emitter {
public:
  virtual ~Emitter() = default;
  virtual llvm::StringRef fileName() const = 0;
  virtual void emit(const Report &report, llvm::raw_ostream &os) const = 0;
};

/// Those that write into the output folder.
std::vector<std::unique_ptr<Emitter>> emitters();

/// Those of nvmove verify, for a report that was made with
/// SolveOptions::verify.
std::vector<std::unique_ptr<Emitter>> verifyEmitters();

/// What the output folder gets: the report in these forms, and the patches.
std::vector<OutputFile>
outputFiles(const Report &report,
            const std::vector<std::unique_ptr<Emitter>> &emitters);

/// A terminal gets the time that the run took; a file has to be the same for
/// the same input. It lists every finding, as a terminal does with the notes.
std::unique_ptr<Emitter> makeTextEmitter(bool forTerminal, bool withNotes);
std::unique_ptr<Emitter> makeJsonEmitter();
std::unique_ptr<Emitter> makeSarifEmitter();
std::unique_ptr<Emitter> makeHtmlEmitter();

/// The report as the JSON emitter writes it; what `explain` reads.
llvm::json::Object toJson(const Report &report);

/// Incremented when a reader of the JSON report would have to change.
inline constexpr int reportSchemaVersion = 3;

/// --print: one thing a line, nothing else.
void printList(const Report &report, Print what, llvm::raw_ostream &os);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_REPORT_H
