//===- OutputFiles.cpp - A report in all its forms, and the patches -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Report.h"

using namespace llvm;

namespace nvmove {

std::vector<OutputFile>
outputFiles(const Report &report,
            const std::vector<std::unique_ptr<Emitter>> &emitters) {
  std::vector<OutputFile> files;
  for (const std::unique_ptr<Emitter> &emitter : emitters) {
    std::string text;
    raw_string_ostream os(text);
    emitter->emit(report, os);
    files.push_back({emitter->fileName().str(), std::move(text)});
  }
  for (const Patch &patch : report.patches)
    files.push_back({"patches/" + patch.name, patch.text});
  return files;
}

} // namespace nvmove
