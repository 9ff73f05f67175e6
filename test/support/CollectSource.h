//===- CollectSource.h - Facts of C snippets, for tests ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A snippet is written to a folder of its own and collected from there:
//
//   Facts f = collectSource("int x; void set(void) { x = 1; }");
//   EXPECT_THAT(factLines(f), Contains("static-write set: x = - at t.c:1:25
//   ..."));
//
// Fact lines are those of dump() with the folder left out and each span
// replaced by its text in back-quotes.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_SUPPORT_COLLECTSOURCE_H
#define NVMOVE_TEST_SUPPORT_COLLECTSOURCE_H

#include "passes/collect/unit/Collect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace nvmove::test {

/// A folder that vanishes with the object.
class SourceFolder {
public:
  SourceFolder() {
    llvm::SmallString<128> made;
    std::error_code error =
        llvm::sys::fs::createUniqueDirectory("nvmove-test", made);
    assert(!error && "no temporary folder");
    (void)error;
    llvm::SmallString<128> real;
    llvm::sys::fs::real_path(made, real);
    path_ = real.str().str();
  }
  ~SourceFolder() { llvm::sys::fs::remove_directories(path_); }
  SourceFolder(const SourceFolder &) = delete;
  SourceFolder &operator=(const SourceFolder &) = delete;

  const std::string &path() const { return path_; }

  std::string write(const std::string &name, const std::string &text) const {
    std::string full = path_ + "/" + name;
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(full));
    std::error_code error;
    llvm::raw_fd_ostream out(full, error);
    out << text;
    return full;
  }

  CollectResult collectFile(const std::string &name,
                            std::vector<std::string> flags = {}) const {
    CompileJob job{path_ + "/" + name, path_, {"cc"}};
    job.arguments.insert(job.arguments.end(), flags.begin(), flags.end());
    job.arguments.push_back(job.file);
    return collect(job);
  }

private:
  std::string path_;
};

/// Collects one snippet as t.c; empty facts with a printed reason if it does
/// not compile.
inline CollectResult collectResult(const SourceFolder &folder,
                                   const std::string &code,
                                   std::vector<std::string> flags = {}) {
  folder.write("t.c", code);
  CollectResult r = folder.collectFile("t.c", std::move(flags));
  if (r.failure)
    for (const std::string &m : r.failure->messages)
      llvm::errs() << m << "\n";
  return r;
}

/// The facts alone.
inline Facts factsOf(const std::string &code) {
  SourceFolder folder;
  return collectResult(folder, code).facts;
}

/// Fact lines, with text for spans and without the folder.
inline std::vector<std::string> factLines(const Facts &facts,
                                          const SourceFolder &folder) {
  std::map<std::string, std::string> contents;
  auto textOf = [&](const std::string &span) -> std::string {
    // "path:begin-end"
    size_t colon = span.rfind(':'), dash = span.rfind('-');
    std::string path = span.substr(0, colon);
    if (!contents.count(path)) {
      auto buffer = llvm::MemoryBuffer::getFile(path);
      contents[path] = buffer ? (*buffer)->getBuffer().str() : "";
    }
    size_t begin = std::stoul(span.substr(colon + 1)),
           end = std::stoul(span.substr(dash + 1));
    return contents[path].substr(begin, end - begin);
  };
  std::vector<std::string> lines;
  std::istringstream in(dump(facts));
  for (std::string line; std::getline(in, line);) {
    for (size_t at = 0; (at = line.find("[/", at)) != std::string::npos;) {
      size_t end = line.find(']', at);
      std::string text = "`" + textOf(line.substr(at + 1, end - at - 1)) + "`";
      line.replace(at, end - at + 1, text);
      at += text.size();
    }
    for (size_t at; (at = line.find(folder.path() + "/")) != std::string::npos;)
      line.erase(at, folder.path().size() + 1);
    lines.push_back(line);
  }
  return lines;
}

/// Fact lines of a snippet whose text begins with `kind`; positions are cut off
/// ("store f: lvalue *%1 ... `p->x`"), because most tests do not care for them.
inline std::vector<std::string> linesOf(const std::string &code,
                                        const std::string &kind,
                                        std::vector<std::string> flags = {}) {
  SourceFolder folder;
  CollectResult r = collectResult(folder, code, std::move(flags));
  std::vector<std::string> result;
  for (std::string line : factLines(r.facts, folder)) {
    if (!llvm::StringRef(line).starts_with(kind))
      continue;
    size_t at = line.find(" at ");
    if (at != std::string::npos && kind != "field") {
      size_t end = line.find(' ', at + 4);
      line.erase(at, end == std::string::npos ? end : end - at);
    }
    result.push_back(line);
  }
  return result;
}

} // namespace nvmove::test

#endif // NVMOVE_TEST_SUPPORT_COLLECTSOURCE_H
