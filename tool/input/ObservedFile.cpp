//===- ObservedFile.cpp - What a run of nvmove-cc --observe wrote ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/ObservedFile.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace nvmove {

// How the parts of the file are read: json::fromJSON finds these functions.

static bool words(json::ObjectMapper &map, StringLiteral name,
                  std::set<uint64_t> &words) {
  std::vector<uint64_t> list;
  if (!map.map(name, list))
    return false;
  words.insert(list.begin(), list.end());
  return true;
}

static bool fromJSON(const json::Value &value, ObservedCall &call,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t line;
  if (!map || !map.map("function", call.function) ||
      !map.map("file", call.file) || !map.map("line", line))
    return false;
  call.line = line;
  return true;
}

static bool fromJSON(const json::Value &value, ObservedSite &site,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("calls", site.calls) && map.map("kept", site.kept) &&
         map.map("returned", site.returned) && map.map("filled", site.filled) &&
         map.map("leading", site.leading) && map.map("later", site.later) &&
         map.map("bytes", site.size_bytes) &&
         words(map, "written", site.written) &&
         words(map, "changed", site.changed);
}

static bool fromJSON(const json::Value &value, ObservedStatic &variable,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", variable.name) &&
         words(map, "leads", variable.leads) &&
         words(map, "fills", variable.fills) &&
         words(map, "written", variable.written) &&
         words(map, "changed", variable.changed);
}

static bool fromJSON(const json::Value &value, ObservedRun &run,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("load", run.load) && map.map("sites", run.sites) &&
         map.map("statics", run.statics) && map.map("ran", run.ran);
}

namespace {

constexpr int64_t version = 1;

Error bad(const std::string &file, std::string why, unsigned line = 0,
          unsigned column = 0) {
  return makeError(MessageId::BadObserved, std::move(why),
                   {file, line, column});
}

/// What the parser says, with the place that it names.
Error damaged(const std::string &file, Error error) {
  unsigned line = 0, column = 0;
  std::string why;
  handleAllErrors(
      std::move(error),
      [&](const json::ParseError &e) {
        // "[3:7, byte=40]: Expected JSON value"
        raw_string_ostream(why) << e.message();
        StringRef text = why;
        if (text.consume_front("[") && !text.consumeInteger(10, line) &&
            text.consume_front(":") && !text.consumeInteger(10, column))
          why = text.split("]: ").second.str();
      },
      [&](const ErrorInfoBase &e) { why = e.message(); });
  return bad(file,
             "not a file of nvmove-cc --observe, or a part of one: " + why,
             line, column);
}

std::vector<std::string> sorted(ArrayRef<std::string> names) {
  std::vector<std::string> result = names.vec();
  sort(result);
  result.erase(unique(result), result.end());
  return result;
}

Expected<ObservedRun> readRun(const std::string &file,
                              ArrayRef<std::string> load) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return makeError(MessageId::FileMissing, buffer.getError().message(),
                     {file});
  auto value = json::parse((*buffer)->getBuffer());
  if (!value)
    return damaged(file, value.takeError());
  const json::Object *top = value->getAsObject();
  auto written = top ? top->getInteger("nvmoveObserved") : std::nullopt;
  if (!written)
    return bad(file, "not a file of nvmove-cc --observe");
  if (*written != version)
    return bad(file, "written by another version of nvmove-cc --observe (" +
                         itostr(*written) + ", not " + itostr(version) + ")");
  ObservedRun run;
  json::Path::Root root("observed");
  if (!fromJSON(*value, run, root))
    return bad(file, toString(root.getError()));
  run.file = file;
  if (sorted(run.load) != sorted(load))
    return makeError(MessageId::OtherLoad,
                     "this run observed the load by " + join(run.load, ", ") +
                         ", not by " + join(load, ", "),
                     {file});
  if (!top->getBoolean("loadEnded").value_or(false))
    return makeError(MessageId::LoadNotSeen,
                     "the load did not run, or did not end, in this run",
                     {file});
  return run;
}

} // namespace

Expected<std::vector<ObservedRun>>
readObservedFiles(ArrayRef<std::string> files, ArrayRef<std::string> load) {
  std::vector<ObservedRun> runs;
  Error errors = Error::success();
  for (const std::string &file : files) {
    auto run = readRun(file, load);
    if (run)
      runs.push_back(std::move(*run));
    else
      errors = joinErrors(std::move(errors), run.takeError());
  }
  if (errors)
    return errors;
  return runs;
}

Error checkObservedProgram(const Facts &facts, ArrayRef<ObservedRun> runs) {
  std::set<StringRef> names;
  std::set<StringRef> functions;
  for (const File &file : facts.files)
    names.insert(sys::path::filename(file.path));
  for (const Function &f : facts.functions)
    if (f.hasBody)
      functions.insert(f.name);
  Error errors = Error::success();
  for (const ObservedRun &run : runs) {
    bool isOurs = run.sites.empty();
    for (const ObservedSite &site : run.sites)
      isOurs |= any_of(site.calls, [&](const ObservedCall &call) {
        return names.count(sys::path::filename(call.file)) &&
               functions.count(StringRef(call.function).split('.').first);
      });
    if (!isOurs)
      errors = joinErrors(
          std::move(errors),
          makeError(MessageId::OtherObserved,
                    "no function of these files was active in this run",
                    {run.file}));
  }
  return errors;
}

} // namespace nvmove
