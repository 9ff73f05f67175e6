//===- MissingHeaders.cpp - What #include would not find ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Collect.h"
#include "passes/collect/unit/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;
using namespace nvmove;
using namespace clang::dependency_directives_scan;

namespace {

/// Runs the preprocessor over the directives of each file.
class ScanAction : public PreprocessOnlyAction {
public:
  explicit ScanAction(std::vector<std::string> &missing) : missing_(missing) {}

protected:
  bool BeginInvocation(CompilerInstance &ci) override {
    ci.getPreprocessorOpts().DependencyDirectivesForFile =
        [this, &ci](FileEntryRef file) { return directivesOf(ci, file); };
    return true;
  }
  bool BeginSourceFileAction(CompilerInstance &ci) override {
    ci.getPreprocessor().addPPCallbacks(noteMissingHeaders(missing_));
    return true;
  }

private:
  struct Scanned {
    llvm::SmallVector<dependency_directives_scan::Token, 0> tokens;
    llvm::SmallVector<Directive, 0> directives;
  };
  std::optional<llvm::ArrayRef<Directive>> directivesOf(CompilerInstance &ci,
                                                        FileEntryRef file) {
    auto [at, fresh] = scanned_.try_emplace(&file.getFileEntry());
    if (fresh) {
      auto buffer = ci.getFileManager().getBufferForFile(file);
      auto scanned = std::make_unique<Scanned>();
      // What the scanner does not understand is read in full.
      if (buffer && !scanSourceForDependencyDirectives((*buffer)->getBuffer(),
                                                       scanned->tokens,
                                                       scanned->directives))
        at->second = std::move(scanned);
    }
    if (!at->second)
      return std::nullopt;
    return llvm::ArrayRef(at->second->directives);
  }

  std::vector<std::string> &missing_;
  llvm::DenseMap<const FileEntry *, std::unique_ptr<Scanned>> scanned_;
};

} // namespace

std::vector<std::string> nvmove::findMissingHeaders(
    const CompileJob &job,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  std::vector<std::string> missing;
  IgnoringDiagConsumer messages;
  // What else is wrong with the file, collect() will say.
  (void)runClang(job, std::move(files), std::make_unique<ScanAction>(missing),
                 messages);
  return missing;
}
