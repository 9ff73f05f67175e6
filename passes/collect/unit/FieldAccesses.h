//===- FieldAccesses.h - Where fields of some records are used --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_UNIT_FIELDACCESSES_H
#define NVMOVE_PASSES_COLLECT_UNIT_FIELDACCESSES_H

#include "passes/collect/unit/Collect.h"
#include "passes/facts/Accesses.h"
#include <set>

namespace nvmove {

/// Parses `job` once more, for reads and writes of the fields of records with
/// these keys. The spans' files are indices into `program.files`; what lies in
/// other files, or may not be edited, is left out. A macro's text that stands
/// for a read here and is assigned to, or has its address taken, there is none.
/// A field of a local record that is no pointer's target is not persistent.
///
/// False when the file can no longer be parsed.
bool collectFieldAccesses(const CompileJob &job, const Facts &program,
                          const std::set<std::string> &records,
                          Accesses &accesses);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_UNIT_FIELDACCESSES_H
