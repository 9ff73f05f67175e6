//===- Streams.h - Who reads what stdio writes ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_STREAMS_H
#define NVMOVE_PASSES_SOLVE_FLOW_STREAMS_H

#include "passes/solve/flow/ValueOrigins.h"

namespace nvmove {

/// What a stream may be.
struct Stream {
  bool in = false, out = false; ///< stdin, stdout
  bool file = false;            ///< of fopen(), or stderr: a log
  bool other = false;           ///< of fdopen(), popen() or not known
  /// What it is given is for somebody who waits for it.
  bool answers() const { return (out || other) && !file; }
  bool mayBeOut() const { return out || other; }
  bool mayBeIn() const { return in || other; }
};

class Streams {
public:
  Streams(const Program &program, ValueOrigins &origins)
      : p_(program), origins_(origins) {}
  /// Of argument `index`; a null stands for all streams, stdout among them.
  Stream of(const Call &call, unsigned index);
  /// Something leaves the process that somebody may wait for: not what is
  /// flushed to a file.
  bool letOut(const Call &call);

private:
  const Program &p_;
  ValueOrigins &origins_;
  IdMap<Stream> known_; ///< by node
};

/// The argument of a function of stdio that is the stream it prints to or, if
/// `reads`, reads from; -1: it does not; StandardStream: stdout, stdin.
constexpr int StandardStream = LibraryFunction::StandardStream;
inline int streamArgument(llvm::StringRef function, bool reads) {
  return libraryFact(function, reads ? &LibraryFunction::readsStream
                                     : &LibraryFunction::printsTo);
}

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_STREAMS_H
