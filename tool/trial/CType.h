//===- CType.h - C types as a walk through memory needs them ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   program file ─DebugInfo─► statics, with their types ─┐
//   running program ─Child─► at rest ─ProcessMemory─────►├─Walk─► Snapshot
//                                                        │
//                      two Snapshots ─Compare─► differences ─Trial─► report
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_CTYPE_H
#define NVMOVE_TOOL_TRIAL_CTYPE_H

#include <cstdint>
#include <string>
#include <vector>

namespace nvmove {

/// Without qualifiers and typedefs. Owned by DebugInfo.
struct CType {
  enum class Kind {
    Signed,
    Unsigned,
    Character, ///< of one byte, signed or not; text where it is printable
    Boolean,
    Real,
    Enumeration,
    Pointer,
    Function,
    Record,
    Union,
    Array,
    Other ///< incomplete, or of a form that C does not have
  };
  struct Member {
    std::string name; ///< "" in a record without a name of its own
    const CType *type = nullptr;
    uint64_t offsetBytes = 0;
    /// Of a bit-field: from the start of the record. 0 bits: none.
    uint64_t offsetBits = 0, sizeBits = 0;
  };
  Kind kind = Kind::Other;
  uint64_t sizeBytes = 0;
  std::string name; ///< "struct item"; "" where it has none
  /// What a pointer points to, or of what an array is; null: void.
  const CType *target = nullptr;
  uint64_t count = 0; ///< of an array
  std::vector<Member> members;
  std::vector<std::pair<int64_t, std::string>> enumerators;
};

/// A variable in static memory, of a file or of a function.
struct StaticVariable {
  std::string name; ///< "edits", or "handle.count" where a function has it
  std::string file; ///< "" if unknown
  unsigned line = 0;
  uint64_t address = 0; ///< as linked
  uint64_t sizeBytes = 0;
  const CType *type = nullptr; ///< null: only its bytes are known
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_CTYPE_H
