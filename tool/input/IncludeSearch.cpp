//===- IncludeSearch.cpp - Include directories that nobody named ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/IncludeSearch.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

/// Bounds on a search that would otherwise follow a strange tree for ever.
constexpr unsigned maxAscents = 3, maxDepth = 8, maxFiles = 200'000;

bool marksProjectTop(StringRef name) {
  if (name == ".git" || name == ".hg" || name == ".svn")
    return true;
  for (StringRef prefix : {"README", "LICENSE", "LICENCE", "COPYING"})
    if (name.starts_with(prefix))
      return true;
  return name == "configure" || name == "configure.ac" || name == "meson.build";
}

bool hasProjectMark(StringRef directory) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(directory, ec), end; it != end && !ec;
       it.increment(ec))
    if (marksProjectTop(path::filename(it->path())))
      return true;
  return false;
}

bool isForbidden(StringRef directory) {
  SmallString<128> home;
  return directory.empty() || directory == "/" ||
         (path::home_directory(home) && directory == home);
}

bool isHeader(StringRef name) {
  StringRef extension = path::extension(name);
  return extension == ".h" || extension == ".inc" || extension == ".def" ||
         extension == ".c";
}

} // namespace

std::string IncludeSearch::projectTop(StringRef directory) {
  StringRef top = directory;
  for (unsigned i = 0; i <= maxAscents && !isForbidden(top); ++i) {
    if (hasProjectMark(top))
      return top.str();
    top = path::parent_path(top);
  }
  StringRef parent = path::parent_path(directory);
  return isForbidden(parent) ? directory.str() : parent.str();
}

IncludeSearch::IncludeSearch(ArrayRef<std::string> sources)
    : start(commonDirectory(sources)) {
  std::string top = projectTop(start);
  StringRef directory = start, below;
  for (unsigned ascents = 0;; ++ascents) {
    index(directory, ascents, below);
    if (directory == top || isForbidden(path::parent_path(directory)))
      break;
    below = directory;
    directory = path::parent_path(directory);
  }
}

/// Enters the headers below `directory`, except for the part that was entered
/// before. Links are not followed: they lead to what is elsewhere in the tree
/// or is no part of it.
void IncludeSearch::index(StringRef directory, unsigned ascents,
                          StringRef except) {
  std::vector<std::pair<std::string, unsigned>> open{{directory.str(), 0}};
  while (!open.empty()) {
    auto [current, depth] = std::move(open.back());
    open.pop_back();
    std::error_code ec;
    for (sys::fs::directory_iterator it(current, ec, false), end;
         it != end && !ec && filesSeen < maxFiles; it.increment(ec)) {
      ++filesSeen;
      const std::string &entry = it->path();
      StringRef name = path::filename(entry);
      if (it->type() == sys::fs::file_type::directory_file) {
        if (!name.starts_with(".") && depth < maxDepth && entry != except)
          open.push_back({entry, depth + 1});
      } else if (isHeader(name)) {
        byName[name].push_back({ascents, depth, entry});
      }
    }
  }
}

std::vector<IncludeSearch::Candidate>
IncludeSearch::candidates(StringRef header) {
  std::vector<Candidate> result;
  auto places = byName.find(path::filename(header));
  if (places == byName.end())
    return result;
  std::string suffix = ("/" + header).str();
  for (const Place &place : places->second) {
    StringRef directory = place.path;
    if (directory.consume_back(suffix))
      result.push_back({place.ascents, place.depth, directory.str()});
  }
  llvm::sort(result);
  return result;
}

std::optional<std::string> IncludeSearch::find(StringRef header) {
  std::vector<Candidate> all = candidates(header);
  if (all.empty())
    return std::nullopt;
  return all.front().directory;
}

static bool has(const IncludePath &p, StringRef header) {
  SmallString<256> file(p.directory);
  path::append(file, header);
  return sys::fs::exists(file);
}

bool IncludeSearch::alreadyFound(StringRef header) const {
  return any_of(found, [&](const IncludePath &p) { return has(p, header); });
}

void IncludeSearch::credit(StringRef header) {
  for (const IncludePath &p : found)
    if (has(p, header))
      return add(p.directory, header);
}

void IncludeSearch::add(StringRef directory, StringRef header) {
  auto existing = find_if(
      found, [&](const IncludePath &p) { return p.directory == directory; });
  if (existing == found.end())
    found.push_back({directory.str(), {header.str()}});
  else if (!is_contained(existing->headers, header))
    existing->headers.push_back(header.str());
}

bool IncludeSearch::resolve(ArrayRef<std::string> missing) {
  size_t before = found.size();
  std::vector<std::string> ambiguous;
  for (const std::string &header : missing) {
    std::vector<Candidate> all = candidates(header);
    if (all.size() == 1)
      add(all.front().directory, header);
    else if (!all.empty())
      ambiguous.push_back(header);
  }
  for (const std::string &header : ambiguous)
    if (!alreadyFound(header))
      add(candidates(header).front().directory, header);
  return found.size() != before;
}

} // namespace nvmove
