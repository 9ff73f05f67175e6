//===- Recompile.cpp - Units compiled again with their new texts ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/Recompile.h"
#include "tool/files/AtomicFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

static Error failed(StringRef file, std::error_code code) {
  return makeError(MessageId::OutputFailed, code.message(), {file.str()});
}

std::string MirrorTree::within(StringRef path) const {
  return folder + path.str();
}

StringRef MirrorTree::textOf(const UnitText &text) const {
  auto found = changed.find(text.canonical);
  return found == changed.end() ? text.text : found->second;
}

bool MirrorTree::changes(const ObjectUnit &unit) const {
  return any_of(unit.texts,
                [&](const UnitText &t) { return changed.count(t.canonical); });
}

Error MirrorTree::write(const ObjectUnit &unit) {
  for (const std::string &file : unit.systemFiles)
    if (changed.count(file))
      return makeError(MessageId::NotReplaced,
                       "a file of the system would have to change", {file});
  for (const UnitText &text : unit.texts)
    if (std::string file = within(text.path); !sys::fs::exists(file)) {
      if (auto ec = sys::fs::create_directories(path::parent_path(file)))
        return failed(file, ec);
      if (Error error = writeFileAtomically(file, textOf(text)))
        return error;
    }
  if (auto ec = sys::fs::create_directories(within(unit.file.directory)))
    return failed(unit.file.directory, ec);
  return Error::success();
}

/// Folders and files that are named absolutely, where they are in the tree.
std::string MirrorTree::mapped(const std::string &argument) const {
  StringRef name = argument, option;
  for (StringRef o :
       {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"})
    if (name.consume_front(o)) {
      option = o;
      break;
    }
  // The user's own come later, and are of the user's names.
  static constexpr StringLiteral maps[] = {
      "-ffile-prefix-map=", "-fmacro-prefix-map=", "-fdebug-prefix-map=",
      "-fprofile-prefix-map="};
  for (StringRef map : maps)
    if (option.empty() && name.consume_front(map))
      return map.str() + (path::is_absolute(name) ? folder : "") + name.str();
  if (!path::is_absolute(name))
    return argument;
  SmallString<256> clean(name);
  path::remove_dots(clean, /*remove_dot_dot=*/true);
  return sys::fs::exists(within(clean)) ? option.str() + within(clean)
                                        : argument;
}

Error MirrorTree::compile(const ObjectUnit &unit, const Words &runtimeFlags,
                          Cache &cache, StringRef object) {
  Words words = readCommand(unit.command).again();
  for (std::string &word : drop_begin(words))
    word = mapped(word);
  if (StringRef(words[0]).contains('/') && !path::is_absolute(words[0]))
    words[0] = unit.file.directory + "/" + words[0];
  words.insert(words.begin() + 1, "-ffile-prefix-map=" + folder + "=");
  append_range(words, runtimeFlags);
  // What there is to warn of, the first compilation has said.
  words.push_back("-w");

  // The folder has another name each time.
  CompileJob job{unit.file.source, unit.file.directory, {}};
  for (const std::string &word : words) {
    job.arguments.push_back(word);
    std::string &last = job.arguments.back();
    for (size_t at; (at = last.find(folder)) != std::string::npos;)
      last.replace(at, folder.size(), "@");
  }
  std::string what = "moved object\n";
  if (auto compiler = sys::findProgramByName(words[0])) {
    sys::fs::file_status status;
    if (!sys::fs::status(*compiler, status))
      what +=
          *compiler + utostr(status.getSize()) + " " +
          utostr(status.getLastModificationTime().time_since_epoch().count());
  }
  for (const UnitText &text : unit.texts)
    what += text.path + "\n" + utohexstr(xxh3_64bits(textOf(text))) + "\n";
  const std::string key = Cache::key(what, job);
  if (auto found = cache.find(key, systemFiles))
    return writeFileAtomically(object, found->value);

  words.insert(words.end(), {"-o", object.str()});
  std::string output;
  auto status = runCaptured(words, within(unit.file.directory),
                            /*complaintsToo=*/true, output);
  if (!status)
    return status.takeError();
  if (*status) {
    SmallVector<StringRef> lines;
    StringRef(output).trim().split(lines, '\n');
    std::vector<std::string> details;
    for (StringRef line : ArrayRef(lines).take_front(5))
      details.push_back(line.str());
    return makeError(MessageId::MovedNotCompiled,
                     "with its edits this unit does not compile",
                     {unit.file.source}, std::move(details));
  }
  auto bytes = MemoryBuffer::getFile(object, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!bytes)
    return failed(object, bytes.getError());
  std::vector<Dependency> dependencies;
  for (const std::string &file : unit.systemFiles)
    dependencies.push_back({Question::Contents, file,
                            systemFiles.answer(Question::Contents, file)});
  cache.store(key, std::move(dependencies), (*bytes)->getBuffer().str());
  return Error::success();
}

} // namespace nvmove
