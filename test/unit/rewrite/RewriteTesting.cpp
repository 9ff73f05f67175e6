//===- RewriteTesting.cpp - What the rewriter's tests share ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/rewrite/RewriteTesting.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace nvmove::test {

std::string apply(const std::vector<Edit> &edits, Id file,
                  const std::string &content, Layer layer) {
  std::string result;
  uint32_t done = 0;
  for (const Edit &edit : edits) {
    if (edit.file != file || edit.layer > layer)
      continue;
    EXPECT_LE(done, edit.offset);
    result += content.substr(done, edit.offset - done) + edit.text;
    done = edit.offset + edit.removed;
  }
  return result + content.substr(done);
}

EditResult editsOf(const FactsBuilder &builder) {
  Expected<EditResult> result =
      makeEdits(builder.facts, builder.solution, builder.contents);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << toString(result.takeError());
  return {};
}

std::string rewritten(const FactsBuilder &builder, Id file) {
  EditResult result = editsOf(builder);
  std::string text = apply(result.edits, file, builder.contents[file]);
  const std::string include = "#include <nvmove/nvm.h>\n";
  if (size_t at = text.find(include); at != std::string::npos)
    text.erase(at, include.size());
  return text;
}

std::vector<std::string> refusals(const EditResult &result) {
  std::vector<std::string> ids;
  for (const Finding &entry : result.findings)
    ids.push_back(entry.kind().id.str());
  return ids;
}

TemporaryDirectory::TemporaryDirectory() {
  SmallString<128> made;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("nvmove-rewrite", made))
    ADD_FAILURE() << error.message();
  directory = made.str().str();
}

TemporaryDirectory::~TemporaryDirectory() {
  sys::fs::remove_directories(directory);
}

std::string TemporaryDirectory::write(const std::string &name,
                                      const std::string &content) const {
  SmallString<128> path(directory);
  sys::path::append(path, name);
  sys::fs::create_directories(sys::path::parent_path(path));
  std::error_code error;
  raw_fd_ostream out(path, error);
  out << content;
  EXPECT_FALSE(error) << error.message();
  return path.str().str();
}

std::string TemporaryDirectory::read(const std::string &name) const {
  auto buffer = MemoryBuffer::getFile(directory + "/" + name);
  if (buffer)
    return (*buffer)->getBuffer().str();
  ADD_FAILURE() << name << ": " << buffer.getError().message();
  return "";
}

int run(const std::vector<std::string> &command, std::string &output,
        const std::string &input) {
  ErrorOr<std::string> program = sys::findProgramByName(command.front());
  if (!program) {
    output = command.front() + " is not installed";
    return -1;
  }
  TemporaryDirectory directory;
  std::string in = directory.write("in", input),
              out = directory.path() + "/out";
  std::vector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(in), StringRef(out),
                                          StringRef(out)};
  int code = sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects);
  output = directory.read("out");
  return code;
}

std::string runtimeInclude() { return NVMOVE_SOURCE_DIR "/runtime/include"; }

void expectCompiles(const std::map<std::string, std::string> &files) {
  TemporaryDirectory directory;
  for (const auto &[name, text] : files)
    directory.write(name, text);
  for (const auto &[name, text] : files) {
    if (!StringRef(name).ends_with(".c"))
      continue;
    for (const char *compiler : {"gcc", "clang-19"}) {
      std::string output, path = directory.path() + "/" + name;
      int code = run({compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra",
                      "-Werror", "-D_POSIX_C_SOURCE=200809L", "-I",
                      runtimeInclude(), "-c", path, "-o", path + ".o"},
                     output);
      EXPECT_EQ(code, 0) << compiler << ":\n" << output << "\n" << text;
    }
  }
}

} // namespace nvmove::test
