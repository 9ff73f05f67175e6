//===- Driver.cpp - A program that asks a server, in parts ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Driver.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace llvm;

namespace nvmove {

namespace {

/// For its parts, and for what it does when its server is gone.
constexpr Seconds listLimit(20), graceLimit(1);

} // namespace

std::vector<std::string> lastLines(StringRef errors) {
  constexpr size_t shown = 3;
  SmallVector<StringRef> lines;
  errors.split(lines, '\n', -1, /*KeepEmpty=*/false);
  erase_if(lines, [](StringRef line) { return line.starts_with("nvmove: "); });
  std::vector<std::string> result;
  for (StringRef line : ArrayRef(lines).take_back(shown))
    result.push_back(line.str());
  return result;
}

Expected<std::string> Driver::find(StringRef name) {
  std::string path = name.str();
  if (!name.contains('/') && !sys::fs::exists(name)) {
    auto found = sys::findProgramByName(name);
    if (!found)
      return makeError(MessageId::FileMissing, "no such driver", {path});
    path = *found;
  }
  if (!sys::fs::exists(path))
    return makeError(MessageId::FileMissing, "no such driver", {path});
  if (sys::fs::is_directory(path) || !sys::fs::can_execute(path))
    return makeError(MessageId::DriverFailed, "this cannot be run", {path}, {},
                     "chmod +x " + path);
  SmallString<128> absolute(path);
  if (auto ec = sys::fs::make_absolute(absolute))
    return makeError(MessageId::DriverFailed, ec.message(), {path});
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return std::string(absolute);
}

Expected<std::vector<std::string>> Driver::listParts() const {
  std::string shown = relativePath(path, currentDirectory());
  auto listed = call({path}, nullptr, listLimit);
  if (!listed)
    return listed.takeError();
  if (!listed->ended)
    return makeError(MessageId::DriverHangs,
                     "called without an argument, the driver does not end",
                     {shown}, lastLines(listed->errors));
  if (listed->failed)
    return makeError(MessageId::DriverFailed,
                     "called without an argument, the driver does not print "
                     "its parts, but fails",
                     {shown},
                     lastLines(listed->errors + "\n" + listed->answer));
  std::vector<std::string> parts;
  SmallVector<StringRef> lines;
  StringRef(listed->answer).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (!line.trim().empty())
      parts.push_back(line.str());
  if (parts.empty())
    return makeError(MessageId::NoParts,
                     "called without an argument, the driver prints nothing",
                     {shown});
  return parts;
}

Expected<PartResult> Driver::doPart(StringRef part, Child *server,
                                    Seconds limit) const {
  return call({path, part.str()}, server, limit);
}

Expected<PartResult> Driver::call(std::vector<std::string> arguments,
                                  Child *server, Seconds limit) const {
  ::unlink(place.driverErrors().c_str()); // each part has its own
  auto child =
      Child::start({std::move(arguments), place.files(), environmentForRuns(),
                    place.driverErrors(), ChildOptions::Output::Pipe});
  if (!child)
    return child.takeError();
  PartResult result;
  bool alone = !server;
  for (Seconds left = limit; !result.ended && left > Seconds(0);) {
    Seconds step = std::min(left, Seconds(0.05));
    result.ended = (*child)->finish(step) == Child::State::Ended;
    left -= step;
    if (!alone && server->hasEnded()) {
      alone = true;
      left = std::min(left, graceLimit);
    }
  }
  int status = (*child)->status();
  (*child)->kill();
  result.answer = (*child)->takeOutput();
  result.failed = result.ended && status != 0;
  if (result.failed)
    result.answer += "(" + describeStatus(status) + ")\n";
  if (auto text = MemoryBuffer::getFile(place.driverErrors()))
    result.errors = (*text)->getBuffer().str();
  return result;
}

} // namespace nvmove
