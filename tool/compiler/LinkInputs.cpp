//===- LinkInputs.cpp - What a link is made of ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/LinkInputs.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

/// "(archive)member", "archive(member)", "file"; or nothing of these.
std::optional<LinkInput> inputOf(StringRef line) {
  StringRef archive, member;
  if (line.consume_front("("))
    std::tie(archive, member) = line.split(')');
  else if (line.ends_with(")"))
    std::tie(archive, member) = line.drop_back().rsplit('(');
  else
    archive = line;
  if (archive.empty() || !sys::fs::exists(archive))
    return std::nullopt;
  return LinkInput{archive.str(), member.str()};
}

/// The compiler's own objects and the libraries that it finds by itself.
bool isOfTheSystem(StringRef file) {
  std::string canonical = canonicalPath(file);
  return StringRef(canonical).starts_with("/usr/") ||
         StringRef(canonical).starts_with("/lib");
}

class UnitReader {
public:
  Error read(ArrayRef<LinkInput> inputs) {
    std::map<std::string, std::vector<std::string>> members;
    for (const LinkInput &input : inputs) {
      if (isOfTheSystem(input.file))
        continue;
      if (!input.member.empty()) {
        members[input.file].push_back(input.member);
        continue;
      }
      auto buffer = MemoryBuffer::getFile(input.file, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
      if (!buffer)
        return makeError(MessageId::FileMissing, buffer.getError().message(),
                         {input.file});
      if (identify_magic((*buffer)->getBuffer()) != file_magic::elf_relocatable)
        continue; // a shared library, an archive, a script of the linker
      if (Error error = take(input, (*buffer)->getMemBufferRef()))
        return error;
    }
    for (const auto &[archive, names] : members)
      if (Error error = readArchive(archive, names))
        return error;
    return Error::success();
  }

  LinkInputs out;

private:
  Error take(const LinkInput &from, MemoryBufferRef object) {
    auto units = readUnits(object, from.shown());
    if (!units)
      return units.takeError();
    if (units->empty())
      out.without.push_back(from);
    if (units->size() > 1)
      out.combined.push_back(from);
    for (ObjectUnit &unit : *units)
      out.units.push_back({from, std::move(unit)});
    return Error::success();
  }

  Error readArchive(const std::string &file, ArrayRef<std::string> names) {
    auto binary = object::createBinary(file);
    if (!binary)
      return binary.takeError();
    auto *archive = dyn_cast<object::Archive>(binary->getBinary());
    if (!archive)
      return Error::success();
    Error error = Error::success();
    for (const object::Archive::Child &child : archive->children(error)) {
      auto name = child.getName();
      if (!name)
        return joinErrors(std::move(error), name.takeError());
      // Of a thin archive the linker prints the path of the member.
      if (!is_contained(names, *name) && none_of(names, [&](StringRef n) {
            return path::filename(n) == path::filename(*name);
          }))
        continue;
      auto object = child.getMemoryBufferRef();
      if (!object)
        return joinErrors(std::move(error), object.takeError());
      if (Error failed = take({file, name->str()}, *object))
        return joinErrors(std::move(error), std::move(failed));
    }
    return error;
  }
};

std::string newName(const std::string &word, const NewFiles &files) {
  auto found = StringRef(word).starts_with("-")
                   ? files.end()
                   : files.find(canonicalPath(word));
  return found == files.end() ? word : found->second;
}

std::string newLibrary(StringRef name, const NewFiles &files) {
  for (const auto &[file, copy] : files)
    if (path::filename(file) == ("lib" + name + ".a").str())
      return copy;
  return ("-l" + name).str();
}

} // namespace

std::vector<LinkInput> readTrace(StringRef trace, std::string &rest) {
  std::vector<LinkInput> inputs;
  while (!trace.empty()) {
    StringRef line;
    std::tie(line, trace) = trace.split('\n');
    if (auto input = inputOf(line))
      inputs.push_back(std::move(*input));
    else if (!line.empty() && !line.contains(": mode "))
      rest += line.str() + "\n";
  }
  return inputs;
}

Expected<LinkInputs> readLinkInputs(ArrayRef<LinkInput> inputs) {
  UnitReader reader;
  if (Error error = reader.read(inputs))
    return error;
  return std::move(reader.out);
}

Words withInputs(const CompilerCommand &command, const NewFiles &files) {
  Words words;
  const Words given = command.without({});
  for (size_t i = 0; i < given.size(); ++i) {
    StringRef library = given[i];
    if (library == "-l" && i + 1 < given.size())
      library = given[++i];
    else if (!library.consume_front("-l"))
      library = "";
    words.push_back(library.empty() ? newName(given[i], files)
                                    : newLibrary(library, files));
  }
  return words;
}

Error writeArchiveWith(StringRef file,
                       const std::map<std::string, std::string> &objects,
                       StringRef to) {
  auto binary = object::createBinary(file);
  if (!binary)
    return binary.takeError();
  const auto &archive = cast<object::Archive>(*binary->getBinary());
  std::vector<NewArchiveMember> members;
  Error error = Error::success();
  for (const object::Archive::Child &child : archive.children(error)) {
    auto name = child.getName();
    if (!name)
      return joinErrors(std::move(error), name.takeError());
    auto replaced = objects.find(name->str());
    auto member = replaced == objects.end()
                      ? NewArchiveMember::getOldMember(child, true)
                      : NewArchiveMember::getFile(replaced->second, true);
    if (!member)
      return joinErrors(std::move(error), member.takeError());
    members.push_back(std::move(*member));
  }
  if (error)
    return error;
  return writeArchive(to, members, SymtabWritingMode::NormalSymtab,
                      object::Archive::K_GNU, /*Deterministic=*/true,
                      /*Thin=*/false);
}

} // namespace nvmove
