//===- ValueText.h - Bytes as C shows them ----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_VALUETEXT_H
#define NVMOVE_TOOL_TRIAL_VALUETEXT_H

#include "tool/trial/CType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace nvmove {

/// A number, an enumerator or a truth value.
std::string numberText(const CType &type, llvm::ArrayRef<uint8_t> bytes);
/// The same of a bit-field, of the record with these bytes.
std::string bitFieldText(const CType::Member &member,
                         llvm::ArrayRef<uint8_t> record);
/// In quotes, with escapes; the first 200 characters.
std::string quotedText(llvm::StringRef text);
/// Characters up to the first NUL if these are text, else all that is not zero
/// at the end, in hexadecimal digits.
std::string charactersText(llvm::ArrayRef<uint8_t> bytes);
std::string hexText(llvm::ArrayRef<uint8_t> bytes);
bool isAllZero(llvm::ArrayRef<uint8_t> bytes);
/// Whether a pointer lies in it.
bool hasPointer(const CType &type);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_VALUETEXT_H
