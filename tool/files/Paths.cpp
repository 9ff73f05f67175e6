//===- Paths.cpp - Names of files, for the machine and for people ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

std::string canonicalPath(StringRef given) {
  SmallString<256> result;
  if (!sys::fs::real_path(given, result))
    return std::string(result);
  result = given;
  sys::fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

std::string currentDirectory() { return canonicalPath("."); }

std::string relativePath(StringRef file, StringRef base) {
  auto f = path::begin(file), fEnd = path::end(file);
  auto b = path::begin(base), bEnd = path::end(base);
  while (f != fEnd && b != bEnd && *f == *b) {
    ++f;
    ++b;
  }
  SmallString<256> result;
  for (; b != bEnd; ++b)
    path::append(result, "..");
  for (; f != fEnd; ++f)
    path::append(result, *f);
  return result.empty() ? "." : std::string(result);
}

bool isWithin(StringRef file, StringRef directory) {
  return file.consume_front(directory) &&
         (file.empty() || file.starts_with("/") || directory.ends_with("/"));
}

std::string commonDirectory(ArrayRef<std::string> files) {
  if (files.empty())
    return currentDirectory();
  StringRef common = path::parent_path(files.front());
  for (StringRef file : files)
    while (!isWithin(file, common))
      common = path::parent_path(common);
  return common.str();
}

std::string displayRoot(ArrayRef<std::string> files) {
  std::string here = currentDirectory();
  if (here != "/" &&
      all_of(files, [&](StringRef f) { return isWithin(f, here); }))
    return here;
  return commonDirectory(files);
}

Expected<std::vector<std::string>> checkSources(ArrayRef<std::string> given) {
  Error errors = Error::success();
  std::vector<std::string> sources;
  StringSet<> seen;
  for (const std::string &name : given) {
    sys::fs::file_status status;
    if (sys::fs::status(name, status) ||
        status.type() != sys::fs::file_type::regular_file) {
      bool directory = status.type() == sys::fs::file_type::directory_file;
      errors = joinErrors(
          std::move(errors),
          directory
              ? makeError(MessageId::NotACFile,
                          "this is a folder: name " + name + "/*.c", {name})
              : makeError(MessageId::FileMissing, "no such file", {name}));
      continue;
    }
    if (path::extension(name) != ".c") {
      errors = joinErrors(std::move(errors),
                          makeError(MessageId::NotACFile,
                                    "not the name of a C source file", {name}));
      continue;
    }
    std::string canonical = canonicalPath(name);
    if (seen.insert(canonical).second)
      sources.push_back(std::move(canonical));
  }
  if (errors)
    return errors;
  return sources;
}

} // namespace nvmove
