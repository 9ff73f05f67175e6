//===- Library.h - What the solver knows of the C library -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions without a body in the program, by name. One table, so that a
// newcomer sees at a glance what is assumed of each.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_LIBRARY_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_LIBRARY_H

#include "passes/facts/Library.h"
#include "passes/solve/program/RuntimeCalls.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace nvmove {

/// Of a library that is not in the table. A block may be a copy of what
/// arguments point to: g_memdup().
extern const LibraryFunction otherAllocator, otherReallocator;

/// The row of a function that is of some kind; nullptr. Not of those of which
/// all calls are replaced or none.
const LibraryFunction *libraryFunction(llvm::StringRef name);

/// RAND_bytes(), getRandomBytes(), get_entropy(), whoever wrote it.
bool givesRandom(llvm::StringRef name);

/// What the function is in place of libraryFunction() in a call that hands it
/// null for some arguments: realpath(name, NULL); or nullptr.
const LibraryFunction *libraryFunction(llvm::StringRef name,
                                       const std::vector<bool> &argIsNull);

/// Of a library that reads files for the program: sqlite3_column_int().
bool readsFiles(llvm::StringRef name);
/// It may be one that does: config_load(). What it gives back need not be data:
/// open().
bool mayReadFiles(llvm::StringRef name);
/// What it gives back tells of the library: sqlite3_errcode().
bool givesStatus(llvm::StringRef name);

/// Of a library, with one argument: what it is handed is no more:
/// XML_ParserFree(), sqlite3_close().
bool isLetGoBy(llvm::StringRef name);
/// What it is handed runs when the main loop waits, a signal comes or the
/// process ends.
bool runsLater(llvm::StringRef name);
/// Each call of it makes another object, and gives none that is there already:
/// gtk_label_new().
bool makesAnother(llvm::StringRef name);
/// It is handed text, or a file, to read from: g_scanner_input_text().
bool takesInput(llvm::StringRef name);
/// It may write a file: gzwrite().
bool mayWriteFile(llvm::StringRef name);
/// It begins a file that is written: open(), fopen(), open_log(), rename().
bool beginsFile(llvm::StringRef name);
/// It is handed a number of elements before their size: calloc(), xcalloc().
bool countsElements(llvm::StringRef name);
/// A symbol that the linker defines in the program: __start_hooks, __bss_start.
bool isMadeByLinker(llvm::StringRef name);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_LIBRARY_H
