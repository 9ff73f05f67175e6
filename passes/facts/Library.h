//===- Library.h - What is known of the C library -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row of Library.def for each function that is known by its name. Functions
// of other libraries are judged by the shape of their names, in
// passes/solve/program/Library.h.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_LIBRARY_H
#define NVMOVE_PASSES_FACTS_LIBRARY_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace nvmove {

/// Where values go. Argument numbers; Nothing where the function does no such
/// thing.
struct LibraryFlow {
  static constexpr int Nothing = -1, Result = -2;
  int to = Nothing, from = Nothing; ///< copies memory: *to = *from
  int result = Nothing; ///< its result points into what this argument leads to
  int cell = Nothing;   ///< a char ** that it reads or writes
  int storedInCell = Nothing;  ///< this argument, or a place in it, goes there
  bool resultFromCell = false; ///< its result comes from *cell
  int block = Nothing;  ///< a pointer to where it puts a block that it makes
  int counts = Nothing; ///< a pointer to a number that it increases
};

/// What is written behind `argument`.
struct WrittenArg {
  enum Extent : int {
    Object = -1, ///< the one object that it points to
    Rest = -2,   ///< some of its block, from there on
    Behind = -3, ///< the pointer there, and some of the block it leads to
  };
  int argument = -1;
  int size = Object; ///< or the argument that says how many bytes
};

/// It starts a thread: one function that it is handed is called with one
/// pointer that it is handed, and nobody writes what that leads to but the
/// thread. The numbers of these arguments.
struct ThreadStart {
  int function = -1, handed = -1;
};

/// What a function does with a lock that its argument leads to.
struct LockUse {
  enum Effect : uint8_t {
    None,
    Takes,
    Tries, ///< its result is zero where it has taken the lock
    Releases,
    Waits, ///< releases it, waits for a condition, and takes it again
  } effect = None;
  int argument = -1;
};

/// Calls of which all are replaced or none: strtok() goes on in the text of an
/// earlier call, and tfind() in the nodes that tsearch() made.
struct JointForm {
  int group = -1;
  int kept = -1; ///< what this argument leads to is written, or kept for others
};

/// What a function does with bytes of records that it is handed.
enum class LineEffect : uint8_t {
  Unknown,
  Keeps,    ///< frees or moves them, or counts them
  Fills,    ///< memset()
  Copies,   ///< from argument to argument
  Arranges, ///< an array of records, its first argument: qsort()
  Searches, ///< an array of records, its second argument: bsearch()
};

/// How a function, whose first argument is a stream, has it buffered.
struct StreamBuffering {
  enum Says : uint8_t {
    Nothing,
    Mode,   ///< `argument` does: _IOFBF, which is 0, _IOLBF or _IONBF
    Buffer, ///< not at all where `argument` is null
    Lines,  ///< by lines
  } says = Nothing;
  int argument = -1;
};

struct LibraryFunction {
  llvm::StringLiteral name;
  enum Kind : uint8_t {
    Plain,      ///< none of these
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
    Output,    ///< something leaves the process, or what it says may leave: the
               ///< section commits first. Without a form by NVM_OUTPUT()
    Wait,      ///< blocks until something happens outside
    Sleep,     ///< blocks for a while
    Nondeterministic, ///< a value that differs from run to run (in the result
                      ///< or behind `destination`)
    Exit,
  } kind = Plain;
  /// A replaced call of it is a commit, or may be one, and no change.
  constexpr bool letsOutOrWaits() const {
    return kind == Output || kind == Wait || kind == Sleep;
  }
  /// What the program calls instead: `form`, or NVM_OUTPUT(kill),
  /// NVM_WAIT(poll); "": nothing.
  std::string formToCall() const;
  int destination = -1;       ///< index of the argument, -1: none
  const char *form = nullptr; ///< of the runtime, nullptr: none
  /// Input: `destination` is a list of the places that are filled, an iovec.
  bool scatters = false;
  /// Allocate: the block is what the function makes of ..
  enum Content : uint8_t {
    Nothing,
    Arguments, ///< .. its other arguments
    File,      ///< .. bytes from outside
  } content = Nothing;
  /// Allocate, with a `destination`: a block that is there may move.
  bool resizes = false;
  /// What it writes besides, or in place of, what its kind says.
  WrittenArg written[5] = {};
  /// Arguments that the library remembers, with what they lead to; -1: none.
  struct {
    int first = -1, second = -1;
  } keeps = {};
  LibraryFlow flow = {};
  /// The argument to which it sets all bytes, or wide characters, behind its
  /// first argument; Zeros: it sets them to zero.
  static constexpr int Zeros = -2;
  int fill = -1;
  JointForm joint = {};
  /// It links the record behind its first argument by the first two members of
  /// records: insque().
  enum Links : uint8_t {
    LinksNothing,
    LinksIn,  ///< behind the record of the second argument
    LinksOut, ///< it takes it out
  } links = LinksNothing;
  ThreadStart thread = {};
  LockUse lock = {}; ///< the runtime's form of it is called nvm_ and its name
  /// Arguments whose product is the size of the block that it gives back.
  struct {
    int first = -1, second = -1;
  } sizes = {};
  LineEffect lines = LineEffect::Unknown;
  /// The argument that leads to a record, or to a pointer to one, in which the
  /// function keeps pointers to memory of its own, regcomp(), or to code and
  /// the stack, setjmp(); -1: none.
  int keepsMemoryIn = -1;
  /// The argument behind which it puts descriptors of open files, pipe(ends).
  int descriptorsBehind = -1;
  int timeout = -1; ///< the argument that says how long it waits
  /// The argument that says of how many descriptors it waits for one; where
  /// that is zero, it sleeps: poll(NULL, 0, 100).
  int waitsFor = -1;
  /// The argument that is the stream; StandardStream: it is stdin or stdout.
  /// An Output that has one lets out what was printed there before.
  static constexpr int StandardStream = -2;
  int readsStream = -1, printsTo = -1;
  int readsDescriptor = -1; ///< the argument that is the descriptor it reads
  int sameFileAs = -1; ///< its result is the open file of this argument: dup()
  int lockKind = -1;   ///< the argument that says of what kind a lock becomes
  StreamBuffering buffering = {};
  enum Trait : uint64_t {
    OwnMemory = 1 << 0,     ///< its result lies in memory of the library, or is
                            ///< made by it
    OwnContents = 1 << 1,   ///< its result has contents that nobody put there
    OnlyReads = 1 << 2,     ///< what it writes is followed, and what it keeps
    WritesNothing = 1 << 3, ///< through an argument, though a type would let it
    ComparesText = 1 << 4,  ///< gives back what text says; nothing else changes
    ReadsText = 1 << 5,     ///< makes a number of text, or looks at a stream
    DeclaredByPrograms = 1 << 6, ///< where a system may lack it
    CallsAtOnce = 1 << 7,        ///< the function that it is handed
    RunsCallbacks = 1 << 8,      ///< before it comes back
    RunsLater = 1 << 9, ///< what it is handed runs when a signal comes, the
                        ///< main loop waits or the process ends
    MainLoop = 1 << 10, ///< of a library: it runs the handlers that it was
                        ///< handed, and comes back when the program ends
    MapsMemory = 1 << 11,
    OpensStream = 1 << 12,
    OpensForReading = 1 << 13, ///< a file, by a descriptor or a stream
    GivesDescriptor = 1 << 14, ///< of an open file
    GivesHandle = 1 << 15,     ///< a void * that is the library's: iconv_open()
    GivesProcess = 1 << 16,    ///< the id of a process or a thread
    Forks = 1 << 17,
    LongJump = 1 << 18, ///< the program goes on where setjmp() was called
    SetJump = 1 << 19,
    EndsThread = 1 << 20,
    EndsProcess = 1 << 21,
    Logs =
        1 << 22, ///< for whoever looks after the program: on stderr, to syslog
    Answers = 1 << 23,   ///< an Output without a form: somebody may wait for it
    OpensFile = 1 << 24, ///< by a descriptor: what is written there stays
    LeadsToOthers = 1 << 25,  ///< the block that it makes: scandir()
    WritesLater = 1 << 26,    ///< what it keeps, or the system does
    HandsOver = 1 << 27,      ///< the streams: to a child, or to a program that
                              ///< takes the place of this one
    RunsOnSignal = 1 << 28,   ///< the function that it is handed, wherever the
                              ///< program is
    SendsSignal = 1 << 29,    ///< to this process, or to any
    RunsAtExit = 1 << 30,     ///< exit() runs what it is handed
    CallsAtExit = 1ull << 31, ///< it runs what atexit() was handed: exit()
    Executes = 1ull << 32,    ///< a program that takes the place of this one
    WaitsForThreads = 1ull << 33, ///< for their end, or for what they post
    MakesPipe = 1ull << 34,
    SetsLockKind = 1ull << 35, ///< in attributes with which locks are made
    ForLock = 1ull << 36,      ///< what it writes is the lock that it is handed
    InputAtHand = 1ull << 37,  ///< an Input that need not wait: of text or of a
                               ///< file
    Flushes = 1ull << 38,      ///< what was printed to a stream
    SharesMemory = 1ull << 39, ///< with other processes, however it is called
    GivesOwnProcess = 1ull << 40, ///< the id of this process
    CopiesText = 1ull << 41,      ///< the block that it makes is such a copy
    GoesOnInText = 1ull << 42,    ///< of an earlier call, where it is handed
                                  ///< null for the text
    WritesListed = 1ull << 43,    ///< through a va_list that it is handed
    OnStack = 1ull << 44,         ///< what it gives is gone with the caller
    ReplacesFile = 1ull << 45,    ///< by another
    ResultIsError = 1ull << 46,   ///< and says nothing else, of a block either
    OnlyLessens = 1ull << 47,     ///< what it writes: a set, the time left
    MeasuresText = 1ull << 48,    ///< its result is the length of the text
    ComparesTexts = 1ull << 49,   ///< its result is zero if two are the same
    ChangesProcess = 1ull << 50,  ///< a setting that ends with it: umask()
    MakesLock = 1ull << 51,       ///< or a key, where its argument leads: for
                                  ///< this process
    GivesNothing = 1ull << 52, ///< Allocate, with a `destination`: it is void
    TakesPlaceInBlock = 1ull << 53, ///< an argument leads into the block that
                                    ///< it resizes: no copy can stand for it
    SavesPosition = 1ull << 54, ///< keepsMemoryIn: where the program stands, in
                                ///< its code and on its stack
    FollowsNothing = 1ull << 55, ///< no pointer in a record that it is handed
    FindsFiles = 1ull << 56, ///< gives back, writes, or hands to the function
                             ///< that it is handed: names of files, and what
                             ///< is known of these
    RunsOnce = 1ull << 57,   ///< what its second argument is, if not yet
  };
  uint64_t traits = 0;

  /// What is not written here is not written, or kept. Of those of which all
  /// calls are replaced or none, and of those that programs declare
  /// themselves, nothing is known but that.
  bool saysAll() const {
    return joint.group < 0 && traits != DeclaredByPrograms;
  }
  bool isInput() const { return kind == Input || content == File; }
  /// Each start must call it: what it sets up is neither in memory nor in a
  /// file.
  bool setsUpProcess() const {
    return thread.function >= 0 ||
           (traits & (ChangesProcess | RunsAtExit | RunsOnSignal));
  }
  /// What it gives or keeps is this process's alone, or differs from run to
  /// run: a stream, a descriptor, a compiled pattern, the time.
  bool endsWithProcess() const {
    return kind == Nondeterministic || keepsMemoryIn >= 0 ||
           descriptorsBehind >= 0 ||
           (traits & (OpensStream | GivesDescriptor | GivesHandle |
                      GivesProcess | RunsLater | MapsMemory | OwnMemory));
  }
};

/// The row of `name`, or nullptr.
const LibraryFunction *libraryEntry(llvm::StringRef name);

/// What the function writes behind that argument, besides what its kind says;
/// or nullptr.
const WrittenArg *writtenBehind(llvm::StringRef name, unsigned argument);

/// A member of the row of `name`, or what it is where nothing is known.
template <class T>
T libraryFact(llvm::StringRef name, T LibraryFunction::*member) {
  const LibraryFunction *entry = libraryEntry(name);
  return entry ? entry->*member : LibraryFunction{.name = ""}.*member;
}
inline bool hasTrait(llvm::StringRef name, LibraryFunction::Trait trait) {
  const LibraryFunction *entry = libraryEntry(name);
  return entry && (entry->traits & trait);
}

/// What the function is in place of its row in a call that hands it null for
/// that argument: realpath(name, NULL); or nullptr.
const LibraryFunction *libraryEntryIfNull(llvm::StringRef name,
                                          unsigned argument);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_LIBRARY_H
