//===- facts_fuzzer.cpp - The reader of facts is total --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is taken as a file, and as a payload behind a right header: no
// fuzzer finds a checksum. What is read and sound has to survive dump() and
// merge(), and to be written as it was read.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Check.h"
#include "passes/facts/Encoding.h"
#include "llvm/Support/raw_ostream.h"

using namespace nvmove;

/// One of everything, as a payload to start from.
static std::string seed() {
  Facts f;
  f.files.push_back({"/a.c", 1, 2, true});
  f.types = {{TypeKind::Integer, None, 4},
             {TypeKind::Record, 0, 8},
             {TypeKind::Pointer, 1, 8}};
  f.records.push_back(
      {"s@/a.c", "s", "struct s", {"S"}, {0, 1, 1}, false, true});
  f.records[0].fields = {0};
  f.fields.push_back({"n", 0, 2, 0, false, false, 0});
  f.nodes.push_back({NodeKind::Function, "f", "f", 0, 0});
  f.nodes.push_back({NodeKind::Global, "all", "all", None, 2});
  for (NodeKind kind : {NodeKind::Local, NodeKind::Temp, NodeKind::Return})
    f.nodes.push_back({kind, "", "p", 0, 2});
  f.functions.push_back({"f", "f", 0, {2}, None, 4, {0, 2, 1}, true});
  f.constraints.push_back({Flow::Member, 3, 2, 0, 0, {0, 3, 1}});
  f.constraints.push_back({Flow::Store, 3, 1, None, 0, {0, 3, 1}});
  f.loops.push_back({0, None, {0, 2, 4}});
  Call call;
  call.function = call.callee = call.loop = 0;
  call.args = {2};
  call.argSpans = {{0, 10, 11}};
  call.argIsZeroOrNull = call.argIsHooked = call.argIsReadOnly = {false};
  call.result = 3;
  call.resultType = 2;
  call.resultRecord = 0;
  f.calls.push_back(call);
  f.stores.push_back({StoreForm::Lvalue, 0, {0, 3, 1}, 3, 0, 0, 2});
  f.staticWrites.push_back({1, {0}, 0, {0, 4, 1}, 2});
  f.addressUses.push_back({1, 0, {0, 5, 7}, {0, 5, 1}});
  f.sizeofUses.push_back({0, 0, {0, 6, 1}});
  f.gaps.push_back({Gap::Kind::Unfollowed, {0, 7, 1}, 0, "why"});
  Definition d;
  d.function = 0;
  d.params = {2};
  d.result = 4;
  d.nodes = {2, 5};
  d.constraints = {0, 2};
  d.calls = d.loops = d.stores = d.staticWrites = d.addressUses = d.sizeofUses =
      d.gaps = {0, 1};
  f.definitions.push_back(d);
  f.units = {0};
  if (llvm::Error error = checkFacts(f)) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    __builtin_trap();
  }
  encoding::Writer writer;
  writer.value(f, Facts{});
  return writer.bytes;
}

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  std::error_code error;
  llvm::raw_fd_ostream os(std::string((*argv)[*argc - 1]) + "/seed", error);
  os << seed();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (auto facts = decode<Facts>(input); !facts)
    llvm::consumeError(facts.takeError());
  static const std::string layout = [] {
    std::string text;
    encoding::describe<Facts>(text);
    return text;
  }();
  auto facts = decode<Facts>(encoding::wrap(layout, input.str()));
  if (!facts) {
    llvm::consumeError(facts.takeError());
    return 0;
  }
  std::string bytes = encode(*facts);
  auto again = decode<Facts>(bytes);
  if (!again || encode(*again) != bytes)
    __builtin_trap();
  if (llvm::Error error = checkFacts(*facts)) {
    llvm::consumeError(std::move(error));
    return 0;
  }
  (void)dump(*facts);
  std::vector<Facts> parts{*facts, std::move(*facts)};
  (void)dump(merge(std::move(parts)));
  return 0;
}
