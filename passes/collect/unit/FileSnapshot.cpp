//===- FileSnapshot.cpp - The files that a run sees -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/FileSnapshot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace nvmove;

namespace {

/// A file whose text is in the snapshot.
class SharedFile : public vfs::File {
public:
  SharedFile(vfs::Status status, StringRef contents)
      : status_(std::move(status)), contents_(contents) {}
  ErrorOr<vfs::Status> status() override { return status_; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBuffer(contents_, name.str());
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status status_;
  StringRef contents_;
};

/// The names in a directory, sorted.
std::string listing(StringRef path) {
  std::vector<std::string> names;
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; it != end && !error;
       it.increment(error))
    names.push_back(sys::path::filename(it->path()).str());
  llvm::sort(names);
  std::string all;
  for (const std::string &name : names)
    all += name + '\0';
  return all;
}

} // namespace

FileSnapshot::Entry &FileSnapshot::entry(StringRef path) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Entry> &slot = entries_[path];
  if (!slot)
    slot = std::make_unique<Entry>();
  return *slot;
}

const ErrorOr<vfs::Status> &FileSnapshot::status(StringRef path) {
  Entry &e = entry(path);
  std::call_once(e.readStatus, [&] {
    sys::fs::file_status status;
    if (std::error_code error = sys::fs::status(path, status))
      e.status = error;
    else
      e.status = vfs::Status::copyWithNewName(status, path);
  });
  return e.status;
}

FileSnapshot::Entry &FileSnapshot::withContents(StringRef path) {
  Entry &e = entry(path);
  std::call_once(e.readContents, [&] {
    // Not mapped: somebody may shorten the file while it is in use.
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/true,
                                        /*IsVolatile=*/true);
    if (!buffer) {
      e.contents = buffer.getError();
      return;
    }
    e.buffer = std::move(*buffer);
    e.contents = e.buffer->getBuffer();
    e.contentsHash = xxh3_64bits(*e.contents);
  });
  return e;
}

const ErrorOr<StringRef> &FileSnapshot::contents(StringRef path) {
  return withContents(path).contents;
}

const ErrorOr<std::string> &FileSnapshot::realPath(StringRef path) {
  Entry &e = entry(path);
  std::call_once(e.readRealPath, [&] {
    SmallString<256> real;
    if (std::error_code error = sys::fs::real_path(path, real))
      e.realPath = error;
    else
      e.realPath = real.str().str();
  });
  return e.realPath;
}

uint64_t FileSnapshot::answer(Question question, StringRef path) {
  switch (question) {
  case Question::Kind: {
    auto &found = status(path);
    return found ? uint64_t(found->getType()) : 0;
  }
  case Question::Contents: {
    Entry &e = withContents(path);
    return e.contents ? e.contentsHash : 0;
  }
  case Question::Listing: {
    Entry &e = entry(path);
    std::call_once(e.readListing,
                   [&] { e.listingHash = xxh3_64bits(listing(path)); });
    return e.listingHash;
  }
  case Question::RealPath: {
    auto &found = realPath(path);
    return found ? xxh3_64bits(*found) : 0;
  }
  }
  return 0;
}

/// Notes the question; returns the path in the form that the snapshot knows.
std::string FileView::ask(Question question, const Twine &path) {
  SmallString<256> full;
  path.toVector(full);
  sys::fs::make_absolute(directory_, full);
  sys::path::remove_dots(full);
  std::string result = full.str().str();
  asked_.insert({result, question});
  return result;
}

std::vector<Dependency> FileView::dependencies() const {
  std::vector<Dependency> result;
  for (const auto &[path, question] : asked_)
    result.push_back({question, path, snapshot_.answer(question, path)});
  return result;
}

ErrorOr<vfs::Status> FileView::status(const Twine &path) {
  const auto &found = snapshot_.status(ask(Question::Kind, path));
  if (!found)
    return found.getError();
  return vfs::Status::copyWithNewName(*found, path);
}

ErrorOr<std::unique_ptr<vfs::File>>
FileView::openFileForRead(const Twine &path) {
  auto kind = status(path);
  if (!kind)
    return kind.getError();
  if (kind->isDirectory())
    return std::make_error_code(std::errc::is_a_directory);
  const auto &text = snapshot_.contents(ask(Question::Contents, path));
  if (!text)
    return text.getError();
  return std::make_unique<SharedFile>(*kind, *text);
}

vfs::directory_iterator FileView::dir_begin(const Twine &path,
                                            std::error_code &error) {
  return vfs::getRealFileSystem()->dir_begin(ask(Question::Listing, path),
                                             error);
}

std::error_code FileView::setCurrentWorkingDirectory(const Twine &path) {
  auto found = status(path);
  if (!found)
    return found.getError();
  if (!found->isDirectory())
    return std::make_error_code(std::errc::not_a_directory);
  directory_ = ask(Question::Kind, path);
  return {};
}

std::error_code FileView::getRealPath(const Twine &path,
                                      SmallVectorImpl<char> &out) {
  const auto &found = snapshot_.realPath(ask(Question::RealPath, path));
  if (!found)
    return found.getError();
  out.assign(found->begin(), found->end());
  return {};
}
