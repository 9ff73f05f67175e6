//===- PrefixMap.cpp - Sources that lie elsewhere now ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/PrefixMap.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

PrefixMap::PrefixMap(StringRef from, StringRef to)
    : from(canonicalPath(from)), to(canonicalPath(to)) {}

void mapPath(std::string &path, ArrayRef<PrefixMap> maps) {
  for (const PrefixMap &map : reverse(maps))
    if (isWithin(path, map.from)) {
      StringRef rest = StringRef(path).substr(map.from.size()).ltrim('/');
      path = map.to + (rest.empty() ? "" : "/" + rest.str());
      return;
    }
}

void mapPathWithin(std::string &argument, ArrayRef<PrefixMap> maps) {
  size_t slash = argument.find('/');
  if (slash == std::string::npos)
    return;
  std::string path = argument.substr(slash);
  mapPath(path, maps);
  argument = argument.substr(0, slash) + path;
}

/// "name@path", and behind it perhaps "#2".
static void mapKey(std::string &key, ArrayRef<PrefixMap> maps) {
  size_t at = key.find('@');
  if (at == std::string::npos)
    return;
  std::string path = key.substr(at + 1);
  mapPath(path, maps);
  key = key.substr(0, at + 1) + path;
}

void mapPaths(Facts &facts, ArrayRef<PrefixMap> maps) {
  for (File &file : facts.files)
    mapPath(file.path, maps);
  for (Record &record : facts.records)
    mapKey(record.key, maps);
  for (Node &node : facts.nodes)
    mapKey(node.key, maps);
  for (Function &function : facts.functions)
    mapKey(function.key, maps);
}

} // namespace nvmove
