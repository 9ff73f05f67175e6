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

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace nvmove {

struct LibraryFunction {
  const char *name;
  enum Kind : uint8_t {
    Allocate,   ///< result is a new block, or, where there is a `destination`,
                ///< a pointer to it is put there
    Reallocate, ///< result is argument 0 or a new block
    Free,       ///< argument 0 is a block
    Usable,     ///< asks for the size of the block that argument 0 points to
    Input,  ///< fills the memory behind `destination` with bytes from outside
    Write,  ///< writes the memory behind `destination`
    Print,  ///< bounded printing: `destination`, size in the next argument
    Assign, ///< writes the one object that `destination` points to
    Unbounded, ///< writes behind `destination` as much as it likes
    Output,    ///< lets bytes leave the process
    Wait,      ///< blocks until something happens outside
    Sleep,     ///< blocks for a while
    Chance, ///< a value that differs from run to run (in the result or behind
            ///< `destination`)
    Exit,
  } kind;
  int destination;         ///< index of the argument, -1: none
  const char *replacement; ///< its nvm_ form, nullptr: none
  /// Input: `destination` is a list of the places that are filled, an iovec.
  bool scatters = false;
  /// Allocate: the block is what the function makes of ..
  enum Content : uint8_t {
    Nothing,
    Arguments, ///< .. its other arguments
    File,      ///< .. bytes from outside
  } content = Nothing;

  bool isInput() const { return kind == Input || content == File; }
};

/// Of a library that is not in the table. A block may be a copy of what
/// arguments point to: g_memdup().
extern const LibraryFunction otherAllocator, otherReallocator;

/// The entry for `name`, or nullptr. `nvm_` forms are found like the originals.
const LibraryFunction *libraryFunction(llvm::StringRef name);

/// Calls of which all are replaced or none: strtok() goes on in the text of an
/// earlier call, and tfind() in the nodes that tsearch() made. The values they
/// give are followed where they are collected.
struct JointForm {
  LibraryFunction function;
  unsigned group;
  /// Of this argument: what it leads to is written, or kept for others.
  unsigned kept;
};
const JointForm *jointForm(llvm::StringRef name);

/// mmap()
bool mapsMemory(llvm::StringRef name);

/// RAND_bytes(), getRandomBytes(), get_entropy(), whoever wrote it.
bool givesRandom(llvm::StringRef name);

/// What it gives is gone with the caller: alloca().
bool isOnStack(llvm::StringRef name);

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

/// The argument that leads to a record, or to a pointer to one, in which the
/// function keeps pointers to memory of its own: regcomp(); -1: none.
int keepsMemoryIn(llvm::StringRef name);
/// Of a library, with one argument: what it is handed is no more:
/// XML_ParserFree(), sqlite3_close().
bool isLetGoBy(llvm::StringRef name);
/// It gives back a void * that is the library's: iconv_open().
bool givesHandle(llvm::StringRef name);
/// A descriptor of an open file.
bool givesDescriptor(llvm::StringRef name);
/// The argument behind which it puts such, pipe(ends); -1: none.
int descriptorsBehind(llvm::StringRef name);
/// The id of a process or a thread.
bool givesProcess(llvm::StringRef name);
/// A descriptor or a stream that a file may be read by.
bool opensForReading(llvm::StringRef name);

/// What it is handed runs when the main loop waits, a signal comes or the
/// process ends.
bool runsLater(llvm::StringRef name);
/// A library's main loop: it runs the handlers that it was handed, and comes
/// back when the program ends.
bool isMainLoop(llvm::StringRef name);

/// It starts a thread: one function that it is handed is called with one
/// pointer that it is handed, and nobody writes what that leads to but the
/// thread. The numbers of these arguments.
struct ThreadStart {
  unsigned function, handed;
};
std::optional<ThreadStart> startsThread(llvm::StringRef name);

/// Of a function that waits, the argument that says how long; -1: none does.
int timeoutOf(llvm::StringRef name);

/// True for the calls that the rewriter itself puts into programs.
bool isRuntimeCall(llvm::StringRef name);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_LIBRARY_H
