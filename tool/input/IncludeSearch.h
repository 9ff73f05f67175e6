//===- IncludeSearch.h - Include directories not named ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_INCLUDESEARCH_H
#define NVMOVE_TOOL_INPUT_INCLUDESEARCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

/// An include directory that was found, and the headers it was found for.
struct IncludePath {
  std::string directory; ///< canonical
  std::vector<std::string> headers;
};

/// Finds the directories of headers that `#include` could not find, in the
/// source tree around the files: first below their common directory, then
/// below its parent, and so on up to the top of the project.
///
/// The top is the first folder that has what only the top of a project has (a
/// README, a licence, a version control folder, ..); without such a mark, the
/// parent. Going higher would meet other checkouts of the same program. Never
/// "/" nor the user's home folder.
class IncludeSearch {
public:
  /// `sources` are canonical.
  explicit IncludeSearch(llvm::ArrayRef<std::string> sources);

  /// A directory D such that D/`header` exists: the nearest to the sources,
  /// then the shallowest, then the first by name.
  std::optional<std::string> find(llvm::StringRef header);

  /// Adds directories for `missing`, in as few steps as the names allow:
  /// headers with one candidate come first, since their directories often
  /// hold the others. Returns whether `directories()` grew.
  bool resolve(llvm::ArrayRef<std::string> missing);

  const std::vector<IncludePath> &directories() const { return found; }

  /// Notes that `header`, which some file includes, is found in one of the
  /// directories. Nothing happens if it is in none of them.
  void credit(llvm::StringRef header);

  /// The top of the project as described above.
  static std::string projectTop(llvm::StringRef directory);

private:
  struct Candidate {
    unsigned ascents = 0, depth = 0;
    std::string directory;
    auto operator<=>(const Candidate &) const = default;
  };
  void index(llvm::StringRef directory, unsigned ascents,
             llvm::StringRef except);
  std::vector<Candidate> candidates(llvm::StringRef header);
  bool alreadyFound(llvm::StringRef header) const;
  void add(llvm::StringRef directory, llvm::StringRef header);

  std::string start;
  unsigned filesSeen = 0;
  struct Place {
    unsigned ascents, depth;
    std::string path;
  };
  llvm::StringMap<std::vector<Place>> byName; ///< by last component
  std::vector<IncludePath> found;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_INCLUDESEARCH_H
