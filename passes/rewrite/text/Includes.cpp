//===- Includes.cpp - Which file sees which -------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/Includes.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace nvmove {

Includes::Includes(const Facts &facts, const std::vector<std::string> &contents)
    : units(facts.units.begin(), facts.units.end()),
      closure(facts.files.size()) {
  std::map<std::string, Id> byPath;
  std::multimap<std::string, Id> byName;
  for (Id file = 0; file < facts.files.size(); ++file) {
    if (!facts.files[file].editable)
      continue;
    byPath.emplace(facts.files[file].path, file);
    byName.emplace(sys::path::filename(facts.files[file].path).str(), file);
  }

  std::vector<std::set<Id>> direct(facts.files.size());
  for (auto &[path, file] : byPath) {
    for (const Directive &d : directives(contents[file])) {
      StringRef name = includedName(d);
      if (name.empty())
        continue;
      SmallString<128> beside(sys::path::parent_path(path));
      sys::path::append(beside, name);
      sys::path::remove_dots(beside, /*remove_dot_dot=*/true);
      if (auto found = byPath.find(beside.str().str()); found != byPath.end()) {
        direct[file].insert(found->second);
        continue;
      }
      StringRef tail = name;
      while (tail.consume_front("../") || tail.consume_front("./"))
        ;
      auto [first, last] = byName.equal_range(sys::path::filename(name).str());
      for (auto it = first; it != last; ++it)
        if (StringRef(facts.files[it->second].path)
                .ends_with(("/" + tail).str()))
          direct[file].insert(it->second);
    }
    for (Id other : direct[file])
      if (other != file)
        included.insert(other);
  }

  for (auto &[path, file] : byPath) {
    std::vector<Id> work{file};
    while (!work.empty()) {
      Id next = work.back();
      work.pop_back();
      for (Id other : direct[next])
        if (closure[file].insert(other).second)
          work.push_back(other);
    }
    if (isSource(file))
      sorted.push_back(file);
  }
}

std::vector<Id> Includes::sourcesSeeing(Id file) const {
  std::vector<Id> result;
  std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(result),
               [&](Id source) { return sees(source, file); });
  return result;
}

} // namespace nvmove
