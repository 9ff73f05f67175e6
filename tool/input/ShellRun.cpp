//===- ShellRun.cpp - Commands that are run to ask something --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ShellRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace llvm;

namespace nvmove {

/// In single quotes, as a shell needs it.
static std::string inQuotes(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

static std::string contentsOf(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

Expected<ShellResult> runShell(StringRef script, StringRef directory,
                               std::vector<std::string> variables) {
  SmallString<128> output, complaints;
  if (std::error_code ec =
          sys::fs::createTemporaryFile("nvmove", "out", output))
    return errorCodeToError(ec);
  FileRemover removeOutput(output);
  if (std::error_code ec =
          sys::fs::createTemporaryFile("nvmove", "err", complaints))
    return errorCodeToError(ec);
  FileRemover removeComplaints(complaints);
  for (char **variable = environ; *variable; ++variable)
    if (StringRef name = StringRef(*variable).split('=').first; none_of(
            variables, [&](StringRef v) { return v.split('=').first == name; }))
      variables.push_back(*variable);
  std::vector<StringRef> environment(variables.begin(), variables.end());
  std::string text =
      "cd " + inQuotes(directory) + " && { " + script.str() + "\n}";
  ShellResult result;
  result.status = sys::ExecuteAndWait(
      "/bin/sh", {"sh", "-c", text}, ArrayRef(environment),
      {StringRef("/dev/null"), StringRef(output), StringRef(complaints)});
  result.output = contentsOf(output);
  result.complaints = contentsOf(complaints);
  return result;
}

Expected<ShellResult> runDry(StringRef command, StringRef directory) {
  // With -B a Makefile that has a rule of its own would be made again at once,
  // dry run or not: not so by a make that takes itself for one that was
  // restarted after that. And what another folder's make has not yet made is
  // not missed. Each make of the build reads the file in MAKEFILES.
  SmallString<128> settings;
  int descriptor;
  if (std::error_code ec =
          sys::fs::createTemporaryFile("nvmove", "mk", descriptor, settings))
    return errorCodeToError(ec);
  FileRemover remove(settings);
  raw_fd_ostream(descriptor, /*shouldClose=*/true)
      << "export MAKE_RESTARTS := 1\n.DEFAULT: ;\n";
  return runShell(command, directory,
                  {"MAKEFLAGS=nwBk", "MAKE_RESTARTS=1", "LC_ALL=C",
                   ("MAKEFILES=" + settings).str()});
}

} // namespace nvmove
