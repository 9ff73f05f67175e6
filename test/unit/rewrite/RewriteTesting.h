//===- RewriteTesting.h - What the rewriter's tests share -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_UNIT_REWRITE_REWRITETESTING_H
#define NVMOVE_TEST_UNIT_REWRITE_REWRITETESTING_H

#include "passes/rewrite/Rewrite.h"
#include "test/support/FactsBuilder.h"
#include <gtest/gtest.h>
#include <map>

namespace nvmove::test {

/// `content` with the edits of `file` up to `layer`.
std::string apply(const std::vector<Edit> &edits, Id file,
                  const std::string &content, Layer layer = Layer::Stores);

/// Runs makeEdits; a failure is a test failure with the error's text.
EditResult editsOf(const FactsBuilder &builder);

/// The text of `file` after all edits, without the #include at its top.
std::string rewritten(const FactsBuilder &builder, Id file = 0);

/// The ids of what was refused, in order.
std::vector<std::string> refusals(const EditResult &result);

/// A directory that goes away with the test.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string write(const std::string &name,
                    const std::string &content) const; ///< returns the path
  std::string read(const std::string &name) const;
  const std::string &path() const { return directory; }

private:
  std::string directory;
};

/// Exit code of a command found on PATH; what it prints goes to `output`.
int run(const std::vector<std::string> &command, std::string &output,
        const std::string &input = "");

/// The directory that holds nvmove/nvm.h.
std::string runtimeInclude();

/// Compiles each ".c" among the files, which are texts by name, with gcc and
/// clang as strict C99 against the runtime's header; a warning is a failure.
void expectCompiles(const std::map<std::string, std::string> &files);
inline void expectCompiles(const std::string &source) {
  expectCompiles({{"source.c", source}});
}

} // namespace nvmove::test

#endif // NVMOVE_TEST_UNIT_REWRITE_REWRITETESTING_H
