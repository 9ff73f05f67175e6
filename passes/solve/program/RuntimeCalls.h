//===- RuntimeCalls.h - The runtime's functions, by name -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the rewriter puts into programs, and users by hand. The forms of library
// functions, nvm_write(), are in the rows of these: passes/facts/Library.def.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_RUNTIMECALLS_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_RUNTIMECALLS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace nvmove {

struct RuntimeCall {
  static constexpr llvm::StringLiteral Start = "nvm_start",
                                       Begin = "nvm_begin", ///< of a section
      End = "nvm_end",                                      ///< of a section
      SectionBegin = "nvm_section_begin", ///< of one of a main loop
      ThreadBegin = "nvm_thread_begin", Detach = "nvm_detach",
                                       RestoreAtStart = "nvm_restore_at_start";
};

/// True for the calls that the rewriter itself puts into programs.
inline bool isRuntimeCall(llvm::StringRef name) {
  return name.starts_with("nvm_");
}

/// nvm_restore(), or the form of it for what is also done on request.
inline bool asksWhetherRestored(llvm::StringRef name) {
  return name == "nvm_restore" || name == RuntimeCall::RestoreAtStart;
}

/// It ends the section that nvm_start() began. nvm_loaded is NVM_LOAD().
inline bool endsStartUp(llvm::StringRef name) {
  return llvm::is_contained({"nvm_ready", "nvm_loaded", "nvm_loaded_or",
                             "nvm_load_result", "nvm_load_result_or"},
                            name);
}

/// It is a commit, or may be one, and no form of a library function.
inline bool isCommit(llvm::StringRef name) {
  return llvm::is_contained({"nvm_end", "nvm_output", "nvm_ready", "nvm_loaded",
                             "nvm_close", "nvm_jumped"},
                            name);
}

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_RUNTIMECALLS_H
