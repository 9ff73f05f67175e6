//===- ExistingAnnotations.h - What is in the program already ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_CONTEXT_EXISTINGANNOTATIONS_H
#define NVMOVE_PASSES_REWRITE_CONTEXT_EXISTINGANNOTATIONS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// `line`, a registration or a layout, is to be written, and `file` has one
/// that begins with `known`: reports what that lacks, and where it says less of
/// a member than `line`. A hand that says more is right.
void checkRegistration(Context &context, Id file, llvm::StringRef known,
                       llvm::StringRef line);
/// The call stands in NVM_ALLOC(name, ..): that is to be one of `names`.
void checkAllocation(Context &context, const Call &call,
                     const std::set<std::string> &names);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_CONTEXT_EXISTINGANNOTATIONS_H
