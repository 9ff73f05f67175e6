//===- StaticNames.cpp - Names that tell statics apart --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace nvmove;

StaticNames::StaticNames(const Facts &facts) : f_(facts) {
  llvm::StringMap<std::vector<Id>> byName;
  for (Id n = 0; n < f_.nodes.size(); ++n) {
    const Node &node = f_.nodes[n];
    bool isFunction = node.kind == NodeKind::Function;
    if (isFunction ? f_.functions[node.function].hasBody
                   : node.kind == NodeKind::Global && node.isDefined)
      byName[node.name].push_back(n);
  }
  for (const auto &entry : byName)
    if (entry.second.size() > 1)
      shared_.insert(entry.second.begin(), entry.second.end());
}

std::string StaticNames::of(Id node) const {
  const Node &n = f_.nodes[node];
  if (!isShared(node))
    return n.name;
  std::string name = n.name;
  if (n.isFunctionScope && n.function != None)
    name = f_.functions[n.function].name + ":" + name;
  return prefix(n.kind == NodeKind::Function ? f_.functions[n.function].loc.file
                                             : n.loc.file) +
         name;
}

std::string StaticNames::prefix(Id file) const {
  namespace path = llvm::sys::path;
  if (file == None)
    return "";
  llvm::StringRef whole = f_.files[file].path, rest = whole;
  for (size_t length = 0; length < whole.size();) {
    rest = path::parent_path(rest);
    length = whole.size() - rest.size();
    llvm::StringRef end = whole.take_back(length).ltrim('/');
    auto endsAlike = [&](const File &other) {
      llvm::StringRef p = other.path;
      return p == end ||
             (p.ends_with(end) && p.drop_back(end.size()).ends_with("/"));
    };
    if (rest.empty() || llvm::count_if(f_.files, endsAlike) <= 1)
      return end.str() + ":";
  }
  return whole.str() + ":";
}

std::string nvmove::nameOfWay(const Facts &facts, const std::vector<Id> &way) {
  std::string name;
  for (Id k : way)
    if (const std::string &member = facts.fields[k].name; !member.empty())
      name += (name.empty() ? "" : ".") + member;
  return name;
}
