//===- Finding.cpp - What a rule reports, in one form ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Finding.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

llvm::StringRef nvmove::severityName(Severity severity) {
  switch (severity) {
  case Severity::Act:
    return "act";
  case Severity::Check:
    return "check";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("not a severity");
}

namespace nvmove::FindingId {
#define FINDING(name, id, severity, room, title, advice)                       \
  extern constexpr FindingKind name = {id, Severity::severity, #room, title,   \
                                       advice};
#include "passes/solve/Findings.def"
} // namespace nvmove::FindingId

llvm::ArrayRef<const FindingKind *> nvmove::findingKinds() {
  static constexpr const FindingKind *Kinds[] = {
#define FINDING(name, id, severity, room, title, advice) &FindingId::name,
#include "passes/solve/Findings.def"
  };
  return Kinds;
}

void FindingList::sort() {
  llvm::sort(list_, [](const Finding &a, const Finding &b) {
    return std::make_tuple(a.kind().id, a.loc, llvm::StringRef(a.what)) <
           std::make_tuple(b.kind().id, b.loc, llvm::StringRef(b.what));
  });
}
