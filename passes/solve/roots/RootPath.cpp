//===- RootPath.cpp - Paths of roots, for people --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/roots/Containers-container_in_block.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/RootPath.h"
#include "passes/facts/StaticNames.h"

using namespace nvmove;

std::string nvmove::pathOf(const Program &p, Id variable,
                           const std::vector<Id> &fields) {
  const Facts &f = p.facts;
  std::string path = p.nameOf(variable);
  if (f.nodes[variable].kind == NodeKind::Return)
    path += "()";
  for (Id k : fields) {
    path += "." + f.fields[k].name;
    if (p.kind(f.fields[k].type) == TypeKind::Array)
      path += "[]";
  }
  return path;
}

std::string nvmove::pathOfSlot(const Program &p, const Root &root) {
  std::string path = pathOf(p, root.variable, root.fields);
  if (root.element != None)
    path +=
        (root.fields.empty() ? "[]." : ".") + p.facts.fields[root.element].name;
  if (root.container != None)
    path += root.hasElements ? "[]." : "->";
  return path;
}

std::string nvmove::pathOf(const Program &p, const Root &root) {
  std::string path = pathOfSlot(p, root);
  return root.container == None
             ? path
             : path + nameOfWay(p.facts, root.containerFields.front());
}
