//===- FieldDescriptions.h - Which words of a record are pointers ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a layout may promise to relocation: that a member holds pointers and
// nothing else, or records of a described type, or what was computed from
// addresses. Where that is not certain it says nothing, and the runtime refuses
// to move a pool in which such a member holds what looks like an address.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_LAYOUTS_FIELDDESCRIPTIONS_H
#define NVMOVE_PASSES_REWRITE_LAYOUTS_FIELDDESCRIPTIONS_H

#include "passes/rewrite/context/Context.h"
#include "passes/solve/contents/PointerLayout.h"

namespace nvmove {

/// The initialiser of a member in a list of fields, e.g. "NVM_POINTER(struct s,
/// next)". `field` is reached from an object of `record`, as `type` spells it,
/// by `path`.
std::string describeField(const Context &context, Id record,
                          const std::string &type, Id field,
                          const std::string &path);

/// The members of `field`, a record, are worth a line each in the layout of
/// `record`, which has none of its own.
bool isOpened(const Context &context, Id record, Id field);

/// A variable, or the last of `fields` in it, of `type`, holds pointers and
/// nothing else.
bool holdsPointers(const Context &context, Id variable,
                   const std::vector<Id> &fields, Id type);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_LAYOUTS_FIELDDESCRIPTIONS_H
