//===- Analysis.h - The passes in their order -------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_ANALYSIS_H
#define NVMOVE_TOOL_ANALYSIS_H

#include "tool/input/FactsFile.h"
#include "tool/report/Report.h"

namespace nvmove {

/// Compile commands, facts, solution, and unless `options.analyzeOnly` the
/// patches. Writes nothing to the file system.
llvm::Expected<Report> analyse(const Options &options, Diagnostics &diagnostics,
                               Progress &progress);

/// As analyse(), of units that were collected from `texts`: of the program's
/// files none is read.
llvm::Expected<Report> analyseUnits(llvm::ArrayRef<FactsFile> units,
                                    const FileTexts &texts,
                                    const Options &options,
                                    Diagnostics &diagnostics,
                                    Progress &progress);

/// The text of every editable file, by index into facts.files; fails if one is
/// not what was analysed, by this run or, `fromFacts`, by nvmove collect. With
/// `texts` those of the program come from there.
llvm::Expected<std::vector<std::string>>
readContents(const Facts &facts, llvm::StringRef root, bool fromFacts = false,
             const FileTexts *texts = nullptr);

} // namespace nvmove

#endif // NVMOVE_TOOL_ANALYSIS_H
