//===- Names.h - Facts in words ---------------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_NAMES_H
#define NVMOVE_TOOL_REPORT_NAMES_H

#include "tool/report/Report.h"
#include <string>

namespace nvmove {

/// How the entities of the facts are called in every form of the report.
class Names {
public:
  explicit Names(const Report &report)
      : facts(report.input.facts), root(report.root) {}

  std::string file(Id id) const;
  std::string path(llvm::StringRef canonical) const;
  std::string place(const Loc &loc) const; ///< "src/a.c:3:7"
  /// The program's own: complete, named, and defined outside system headers.
  bool isProgramType(Id record) const;
  size_t programTypes() const;
  std::string record(Id id) const;   ///< "dictEntry"
  std::string field(Id id) const;    ///< "dictEntry.key"
  std::string function(Id id) const; ///< "" for None
  std::string variable(Id node) const;
  std::string callee(const Call &call) const;
  std::string
  type(Id id) const; ///< "struct dict *", "char[]", "integer of 8 bytes"
  /// What --stop takes for the calls in that line: "src/db.c:162".
  std::string stop(const Loc &loc) const;
  /// "allocates struct dictEntry in dictAddRaw; server.db -> [] -> .."
  std::string why(const Witness &witness) const;

private:
  const Facts &facts;
  const std::string &root;
};

/// Whether runs have shown it: "seen", "never seen in 2 runs"; "" where they do
/// not tell.
std::string seenType(const Solution &solution, Id record);
std::string seenRoot(const Solution &solution, const std::string &path);
std::string seenScalar(const Solution &solution, const std::string &path);

/// "1 file", "2 files"; "1 store announced": of several words the first that
/// ends in s is the one.
std::string counted(size_t n, llvm::StringRef plural);
/// Only the words.
std::string nounFor(size_t n, llvm::StringRef plural);
llvm::StringRef name(FieldVerdict verdict);
/// "proof": a store that the load makes was found. "advice": no such store was
/// found, or all stores have a pattern; to be confirmed by a reader.
llvm::StringRef basis(FieldVerdict verdict);
llvm::StringRef name(Section::Kind kind);
llvm::StringRef name(Algorithm algorithm);
llvm::StringRef name(StoreForm form);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_NAMES_H
