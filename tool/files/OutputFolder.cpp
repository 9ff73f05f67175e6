//===- OutputFolder.cpp - All of the output, or none ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/OutputFolder.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

Error failed(const Twine &what, StringRef file, std::error_code code) {
  return makeError(MessageId::OutputFailed,
                   (what + ": " + code.message()).str(), {file.str()});
}

/// The member "tool" of a report. It has lines of its own there, and a whole
/// report takes long to parse.
StringRef toolIn(StringRef report) {
  const StringRef begin = "\n  \"tool\": ", end = "\n  }";
  size_t from = report.rfind(begin);
  if (from == StringRef::npos)
    return "";
  report = report.drop_front(from + begin.size());
  return report.take_front(report.find(end) + end.size());
}

bool isOurReport(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  StringRef text = (*buffer)->getBuffer().trim();
  auto value = json::parse(toolIn(text));
  if (!value) {
    consumeError(value.takeError());
    return false;
  }
  const json::Object *tool = value->getAsObject();
  return text.starts_with("{") && text.ends_with("}") && tool &&
         tool->getString("name") == "nvmove";
}

bool isOurName(StringRef name) {
  if (name.consume_front("patches/"))
    return !name.contains('/') && name.ends_with(".patch");
  return StringSwitch<bool>(name)
      .Cases("report.json", "report.txt", "report.sarif", "report.html",
             "patches", true)
      .Cases("verify.json", "verify.txt", "verify.sarif", true)
      .Cases("trial.json", "trial.txt", "trial-input.txt", true)
      .Default(false);
}

/// The first thing in the folder that nvmove did not make; "" if there is none.
std::string foreignEntry(StringRef folder) {
  std::string result;
  std::error_code ec;
  for (sys::fs::recursive_directory_iterator it(folder, ec, false), end;
       it != end && !ec; it.increment(ec)) {
    StringRef name = it->path();
    name.consume_front(folder);
    name = name.ltrim('/');
    if (!isOurName(name) && (result.empty() || name < result))
      result = name.str();
  }
  return ec ? "." : result;
}

std::string withoutTrailingSlash(StringRef folder) {
  while (folder.size() > 1 && folder.ends_with("/"))
    folder = folder.drop_back();
  return folder.str();
}

/// Puts the folder at `from` where `to` is, and what was there at `from`.
std::error_code swapFolders(const std::string &from, const std::string &to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                RENAME_EXCHANGE) == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS)
    return std::error_code(errno, std::generic_category());
  // A file system that cannot exchange: two steps, undone if the second fails.
  std::string aside = from + ".old";
  if (std::error_code ec = sys::fs::rename(to, aside))
    return ec;
  if (std::error_code ec = sys::fs::rename(from, to)) {
    sys::fs::rename(aside, to);
    return ec;
  }
  return sys::fs::rename(aside, from);
}

Error writeFile(StringRef folder, const OutputFile &file) {
  SmallString<256> name(folder);
  path::append(name, file.name);
  if (auto ec = sys::fs::create_directories(path::parent_path(name),
                                            /*IgnoreExisting=*/true,
                                            sys::fs::all_all))
    return failed("cannot create the folder", path::parent_path(name), ec);
  std::error_code ec;
  raw_fd_ostream os(name, ec);
  if (ec)
    return failed("cannot write", name, ec);
  os << file.text;
  os.close();
  if (os.has_error()) {
    ec = os.error();
    os.clear_error();
    return failed("cannot write", name, ec);
  }
  return Error::success();
}

} // namespace

/// Makes a folder where the output's would be made, or the first of those
/// above it, and removes it again: permissions alone do not say it.
static Error checkPlace(StringRef folder) {
  SmallString<256> place(folder);
  if (sys::fs::exists(folder)) // the output takes its place
    place = canonicalPath(folder);
  sys::fs::make_absolute(place);
  do
    path::remove_filename(place);
  while (!sys::fs::exists(place) && path::has_relative_path(place));
  path::append(place, ".nvmove.XXXXXX");
  std::string made(place);
  if (!mkdtemp(made.data()))
    return failed("cannot create the output folder", folder,
                  std::error_code(errno, std::generic_category()));
  rmdir(made.c_str());
  return Error::success();
}

static Error checkContents(const std::string &folder, bool force) {
  if (!sys::fs::exists(folder))
    return Error::success();
  if (!sys::fs::is_directory(folder))
    return makeError(MessageId::OutputForeign, "not a folder", {folder});
  auto holds = [&](StringRef name) {
    SmallString<256> report(folder);
    path::append(report, name);
    return isOurReport(report);
  };
  if (!holds("report.json") && !holds("verify.json") && !holds("trial.json")) {
    std::error_code ec;
    if (sys::fs::directory_iterator(folder, ec) ==
            sys::fs::directory_iterator() &&
        !ec)
      return Error::success(); // An empty folder holds nothing to lose.
    return makeError(MessageId::OutputForeign,
                     "this folder was not written by nvmove", {folder});
  }
  if (std::string other = foreignEntry(folder); !other.empty())
    return makeError(MessageId::OutputForeign,
                     "this folder also contains '" + other +
                         "', which nvmove did not write",
                     {folder});
  if (!force)
    return makeError(MessageId::OutputExists,
                     "this folder contains the output of an earlier run",
                     {folder});
  return Error::success();
}

Error checkOutputFolder(StringRef given, bool force) {
  std::string folder = withoutTrailingSlash(given);
  if (Error error = checkContents(folder, force))
    return error;
  return checkPlace(folder);
}

Error writeOutputFolder(StringRef given, bool force,
                        const std::vector<OutputFile> &files) {
  std::string folder = withoutTrailingSlash(given);
  if (Error error = checkOutputFolder(folder, force))
    return error;
  if (sys::fs::exists(folder)) // A link stays; what it leads to is replaced.
    folder = canonicalPath(folder);
  StringRef parent = path::parent_path(folder);
  if (!parent.empty())
    if (auto ec = sys::fs::create_directories(parent, /*IgnoreExisting=*/true,
                                              sys::fs::all_all))
      return failed("cannot create the folder", parent, ec);

  SmallString<256> temporary(parent);
  path::append(temporary, "." + path::filename(folder) + ".XXXXXX");
  std::string made(temporary);
  if (!mkdtemp(made.data()))
    return failed("cannot create a folder next to it", folder,
                  std::error_code(errno, std::generic_category()));
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(made); });
  for (const OutputFile &file : files)
    if (Error error = writeFile(made, file))
      return error;
  // mkdtemp makes a private folder; the output is no secret.
  mode_t mask = umask(0);
  umask(mask);
  if (chmod(made.c_str(), 0777 & ~mask) != 0)
    return failed("cannot set its permissions", made,
                  std::error_code(errno, std::generic_category()));
  std::error_code ec = sys::fs::exists(folder) ? swapFolders(made, folder)
                                               : sys::fs::rename(made, folder);
  if (ec)
    return failed("cannot move the output to its place", folder, ec);
  return Error::success();
}

} // namespace nvmove
