//===- Driver.h - A program that asks a server, in parts --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_DRIVER_H
#define NVMOVE_TOOL_TRIAL_DRIVER_H

#include "tool/trial/Child.h"
#include "tool/trial/Scratch.h"

namespace nvmove {

/// What became of a part.
struct PartResult {
  bool ended = false; ///< by itself, within the limit
  /// What it printed; and "(status 1)" if it ended with another than 0.
  std::string answer;
  bool failed = false;
  std::string errors; ///< its standard error
};

/// Called without an argument, a driver prints its parts, one a line. Called
/// with one of these lines, it does that part: it asks the server, prints the
/// answers, and ends with status 0.
class Driver {
public:
  /// The absolute path of a file, or of a program in PATH.
  /// Errors: file-missing, driver-failed.
  static llvm::Expected<std::string> find(llvm::StringRef name);

  Driver(std::string path, const ScratchPlace &place)
      : path(std::move(path)), place(place) {}

  /// In their order. Errors: driver-failed, driver-hangs, no-parts,
  /// trial-failed.
  llvm::Expected<std::vector<std::string>> listParts() const;
  /// Whatever it leaves running is ended with it. When `server` has ended, it
  /// is not waited for long; null: none is running. Error: trial-failed.
  llvm::Expected<PartResult> doPart(llvm::StringRef part, Child *server,
                                    Seconds limit) const;

private:
  llvm::Expected<PartResult> call(std::vector<std::string> arguments,
                                  Child *server, Seconds limit) const;

  std::string path;
  const ScratchPlace &place;
};

/// The end of what a program wrote to its standard error, for a message;
/// without what the runtime notes.
std::vector<std::string> lastLines(llvm::StringRef errors);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_DRIVER_H
