//===- JsonProgram.cpp - The rest of the program in report.json -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/JsonParts.h"
#include "tool/report/NotKept.h"
#include "tool/report/NotPersistent.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

Array JsonProgram::functions() const {
  IdMap<Id> reached;
  for (const ReachedFunction &r : solution.load.reached)
    reached[r.function] = r.call;
  Array result;
  for (Id id = 0; id < facts.functions.size(); ++id) {
    const Function &f = facts.functions[id];
    if (!f.hasBody)
      continue;
    auto at = reached.find(id);
    bool isReached = at != reached.end();
    result.push_back(Object{{"name", f.name},
                            {"location", location(f.loc)},
                            {"reached", isReached},
                            {"calledAt", isReached && at->second != None
                                             ? Value(callSite(at->second))
                                             : Value(nullptr)}});
  }
  return result;
}

Array JsonProgram::statics() const {
  NotKept reasons(report);
  return list(reasons.variables(), [&](Id id) {
    Object o = variable(id);
    o["type"] = nameOrNull(names.type(facts.nodes[id].type));
    o["notKept"] = nameOrNull(reasons.why(id));
    return o;
  });
}

Array JsonProgram::otherAllocations() const {
  NotPersistent reasons(report);
  return list(solution.sites.otherAllocations, [&](const AllocationSite &a) {
    Object o = callSite(a.call);
    o["record"] = nameOrNull(names.record(a.record));
    o["why"] = a.why.empty()
                   ? facts.records[a.record].spelling +
                         " is not persistent: " + reasons.why(a.record)
                   : a.why;
    return o;
  });
}

} // namespace nvmove
