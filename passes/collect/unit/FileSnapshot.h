//===- FileSnapshot.h - The files that a run sees ---------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every translation unit of a program reads the same headers. A FileSnapshot
// asks the file system about each path once and gives all threads the same
// answer. A FileView is what one compilation sees of it; it remembers what was
// asked, so that somebody can find out later whether all answers are still the
// same, and the result of the compilation with them.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_UNIT_FILESNAPSHOT_H
#define NVMOVE_PASSES_COLLECT_UNIT_FILESNAPSHOT_H

#include "passes/facts/Members.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <mutex>
#include <set>

namespace nvmove {

/// What a compilation asks about a path.
enum class Question : uint8_t {
  Kind, ///< is there anything, a file, a directory? Also asked of the places
        ///< where a header is looked for in vain
  Contents, ///< of a file
  Listing,  ///< of a directory
  RealPath,
};

/// A question and the answer it got.
struct Dependency {
  Question question = Question::Kind;
  std::string path; ///< absolute
  uint64_t answer = 0;
};
template <> struct members::Of<Dependency> {
  static void list(auto &d, auto &&v) { v(d.question, d.path, d.answer); }
};

/// Thread-safe. Lives longer than its views.
class FileSnapshot {
public:
  /// A number that is equal for equal answers.
  uint64_t answer(Question question, llvm::StringRef path);

  const llvm::ErrorOr<llvm::vfs::Status> &status(llvm::StringRef path);
  /// The text, and behind it a 0 that is not counted.
  const llvm::ErrorOr<llvm::StringRef> &contents(llvm::StringRef path);
  const llvm::ErrorOr<std::string> &realPath(llvm::StringRef path);

private:
  struct Entry {
    std::once_flag readStatus, readContents, readRealPath, readListing;
    llvm::ErrorOr<llvm::vfs::Status> status = std::error_code();
    llvm::ErrorOr<llvm::StringRef> contents = std::error_code();
    llvm::ErrorOr<std::string> realPath = std::error_code();
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    uint64_t contentsHash = 0, listingHash = 0;
  };
  Entry &entry(llvm::StringRef path);
  Entry &withContents(llvm::StringRef path);

  std::mutex mutex_;
  llvm::StringMap<std::unique_ptr<Entry>> entries_;
};

/// The snapshot as one compilation sees it: with a working directory. For one
/// thread.
class FileView : public llvm::vfs::FileSystem {
public:
  explicit FileView(FileSnapshot &snapshot) : snapshot_(snapshot) {}

  /// All that was asked so far, with the answers, in a fixed order.
  std::vector<Dependency> dependencies() const;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path,
                                          std::error_code &error) override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &path) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    return directory_;
  }
  std::error_code getRealPath(const llvm::Twine &path,
                              llvm::SmallVectorImpl<char> &out) override;

private:
  std::string ask(Question question, const llvm::Twine &path);

  FileSnapshot &snapshot_;
  std::string directory_ = "/";
  std::set<std::pair<std::string, Question>> asked_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_UNIT_FILESNAPSHOT_H
