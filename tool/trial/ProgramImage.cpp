//===- ProgramImage.cpp - The file of a moved program ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/ProgramImage.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace nvmove {

namespace {

bool isOfRuntime(StringRef name) { return name.starts_with("nvm"); }

} // namespace

Expected<ProgramImage> ProgramImage::open(StringRef path) {
  if (!sys::fs::exists(path))
    return makeError(MessageId::FileMissing, "no such program", {path.str()});
  auto binary = ObjectFile::createObjectFile(path);
  if (!binary) {
    consumeError(binary.takeError());
    return makeError(MessageId::NotMoved,
                     "this is not a program; is it a script that starts one?",
                     {path.str()}, {}, "name the program itself after --");
  }
  auto *elf = dyn_cast<ELFObjectFileBase>(binary->getBinary());
  if (!elf || elf->getBytesInAddress() != 8 || !elf->isLittleEndian())
    return makeError(MessageId::NotMoved,
                     "this is not a program for this machine", {path.str()});
  ProgramImage image(std::move(*binary), path.str());
  image.readSymbols();
  bool moved = any_of(image.byName, [](auto &s) {
    return StringRef(s.first) == "nvm_start" ||
           StringRef(s.first) == "nvm_ready";
  });
  // A program without symbols still has the runtime's messages.
  for (const SectionRef &section : image.object().sections())
    if (auto contents = section.getContents(); moved || !contents)
      consumeError(contents.takeError());
    else if (contents->contains("NVM_CRASH_AT"))
      moved = true;
  if (!moved)
    return makeError(MessageId::NotMoved,
                     "this program has nothing of nvmove's runtime",
                     {path.str()});
  return image;
}

void ProgramImage::readSymbols() {
  auto *elf = cast<ELFObjectFileBase>(file.getBinary());
  unsigned files = 0;
  auto add = [&](const ELFSymbolRef &symbol) {
    files += symbol.getELFType() == ELF::STT_FILE;
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    Expected<section_iterator> section = symbol.getSection();
    if (!name || !address || !section || name->empty() ||
        *section == elf->section_end()) {
      consumeError(name.takeError());
      consumeError(address.takeError());
      consumeError(section.takeError());
      return;
    }
    uint8_t type = symbol.getELFType();
    if (type != ELF::STT_FUNC && type != ELF::STT_OBJECT)
      return;
    bool writable = ELFSectionRef(**section).getFlags() & ELF::SHF_WRITE;
    byName.try_emplace(name->str(), *address);
    symbols.emplace(*address,
                    Symbol{name->str(), symbol.getSize(), type == ELF::STT_FUNC,
                           symbol.getBinding() == ELF::STB_LOCAL, writable,
                           (*section)->getIndex(), files});
  };
  for (const ELFSymbolRef &symbol : elf->symbols())
    add(symbol);
  if (symbols.empty())
    for (const ELFSymbolRef &symbol : elf->getDynamicSymbolIterators())
      add(symbol);
}

bool ProgramImage::isPositionIndependent() const {
  return cast<ELFObjectFileBase>(file.getBinary())->getEType() == ELF::ET_DYN;
}

std::optional<uint64_t> ProgramImage::addressOf(StringRef symbol) const {
  auto found = byName.find(symbol);
  return found == byName.end() ? std::nullopt : std::optional(found->second);
}

std::string ProgramImage::symbolAt(uint64_t address) const {
  auto after = symbols.upper_bound(address);
  // The few in front of it: those of one address have several names.
  for (int i = 0; i < 8 && after != symbols.begin(); ++i) {
    --after;
    uint64_t offset = address - after->first;
    if (offset == 0 || offset < after->second.sizeBytes)
      return after->second.name + (offset ? "+" + utostr(offset) : "");
  }
  return "";
}

std::vector<StaticVariable> ProgramImage::variables() const {
  // The runtime is linked behind the program: a file with something behind the
  // first that the runtime has in that section is the runtime's.
  std::map<uint64_t, uint64_t> firstOfRuntime;
  for (const auto &[address, s] : symbols)
    if (!s.isLocal && isOfRuntime(s.name))
      firstOfRuntime.try_emplace(s.section, address);
  std::set<unsigned> filesOfRuntime;
  for (const auto &[address, s] : symbols)
    if (auto runtime = firstOfRuntime.find(s.section);
        s.isLocal && runtime != firstOfRuntime.end() &&
        address >= runtime->second)
      filesOfRuntime.insert(s.file);
  std::vector<StaticVariable> result;
  for (const auto &[address, s] : symbols) {
    if (s.isFunction || !s.isWritable || !s.sizeBytes || isOfRuntime(s.name) ||
        StringRef(s.name).starts_with("_") ||
        (s.isLocal && filesOfRuntime.count(s.file)) ||
        StringRef(s.name).contains("@") ||
        StringRef(s.name).starts_with("completed."))
      continue;
    StaticVariable variable;
    variable.name = s.name;
    variable.address = address;
    variable.sizeBytes = s.sizeBytes;
    result.push_back(std::move(variable));
  }
  llvm::sort(result, [](const StaticVariable &a, const StaticVariable &b) {
    return std::tie(a.name, a.address) < std::tie(b.name, b.address);
  });
  return result;
}

} // namespace nvmove
