//===- Explain.h - Why a type is or is not persistent -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_EXPLAIN_EXPLAIN_H
#define NVMOVE_TOOL_EXPLAIN_EXPLAIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace nvmove {

/// The report that an earlier run left in `folder`.
llvm::Expected<llvm::json::Object> readReport(llvm::StringRef folder);

/// Prints what the report says about `subject`: a type ("dictEntry", "struct
/// dictEntry", the name of a typedef), a field ("dictEntry.key",
/// "dict.ht.table"), a root by its path, another static or a member of one, a
/// function, a section, or a place ("dict.c:364"). Everything of that name, if
/// there are several.
llvm::Error explain(const llvm::json::Object &report, llvm::StringRef subject,
                    llvm::raw_ostream &os);

} // namespace nvmove

#endif // NVMOVE_TOOL_EXPLAIN_EXPLAIN_H
