//===- WrittenParameters.cpp - Through which parameters a function writes -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/WrittenParameters.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/program/Library.h"

using namespace nvmove;

namespace {

/// The parameters that a value is a copy of, or of which it is an element's
/// address.
class ParametersBehind : public BackwardSlice {
public:
  using Parameter = std::pair<Id, size_t>; ///< function, which one

  ParametersBehind(const Program &program, const DefinitionIndex &values)
      : BackwardSlice(program, values, {.flows = Copies | Flow::Index}) {}

  const std::vector<Parameter> &of(Id address) {
    found_.clear();
    run(address);
    return found_;
  }

private:
  Step value(Id n) override {
    if (const Id function = f_.nodes[n].function; function != None) {
      const std::vector<Id> &params = f_.functions[function].params;
      if (auto at = llvm::find(params, n); at != params.end())
        found_.push_back({function, size_t(at - params.begin())});
    }
    return Follow;
  }

  std::vector<Parameter> found_;
};

} // namespace

llvm::SmallVector<int, 8> nvmove::argumentsFilled(const Program &program,
                                                  const Call &call) {
  const LibraryFunction *l = program.library(call);
  if (!l)
    return {};
  llvm::SmallVector<int, 8> result{l->destination, l->flow.to};
  for (const WrittenArg &w : l->written)
    result.push_back(w.argument);
  return result;
}

WrittenParameters::WrittenParameters(const Program &program,
                                     const FieldFlow &flow,
                                     const DefinitionIndex &values)
    : flow_(flow) {
  const Facts &f = program.facts;
  ParametersBehind behind(program, values);
  std::vector<ParametersBehind::Parameter> work;
  auto isWritten = [&](Id address) {
    if (address != None)
      for (const auto &parameter : behind.of(address))
        if (written_.insert(parameter).second)
          work.push_back(parameter);
  };
  for (const StoreSite &s : f.stores)
    isWritten(s.address);
  IdMap<std::vector<Id>> callsOf; // function
  for (Id k = 0; k < f.calls.size(); ++k) {
    const Call &call = f.calls[k];
    for (int n : argumentsFilled(program, call))
      if (n >= 0 && size_t(n) < call.args.size())
        isWritten(call.args[n]);
    for (Id callee : flow.callees(k))
      callsOf[callee].push_back(k);
  }
  while (!work.empty()) {
    const auto [function, n] = work.back();
    work.pop_back();
    for (Id k : callsOf.lookup(function))
      if (n < f.calls[k].args.size())
        isWritten(f.calls[k].args[n]);
  }
}

bool WrittenParameters::isWritten(Id call, size_t argument) const {
  return llvm::any_of(flow_.callees(call), [&](Id callee) {
    return written_.count({callee, argument});
  });
}
