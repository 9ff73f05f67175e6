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

/// What written addresses are copies of, or elements behind, in callers too.
class AddressOrigins : public BackwardSlice {
public:
  AddressOrigins(const Program &program, const FieldFlow &flow,
                 const DefinitionIndex &values)
      : BackwardSlice(program, values,
                      {.flows = Copies | Flow::Index, .parameters = true}),
        callers_(flow.callers()) {}

private:
  llvm::ArrayRef<Id> callersOf(Id function) override {
    return FieldFlow::callersIn(callers_, function);
  }

  const FieldFlow::Callers callers_;
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
    : p_(program), flow_(flow) {
  std::vector<Id> addresses;
  for (const StoreSite &s : p_.facts.stores)
    addresses.push_back(s.address);
  for (const Call &call : p_.facts.calls)
    for (int n : argumentsFilled(p_, call))
      if (n >= 0 && size_t(n) < call.args.size())
        addresses.push_back(call.args[n]);
  AddressOrigins origins(p_, flow, values);
  isAll_ = origins.run(addresses) == BackwardSlice::TooLarge;
  written_ = origins.seen();
}

bool WrittenParameters::isWritten(Id call, size_t argument) const {
  return llvm::any_of(flow_.callees(call), [&](Id callee) {
    const std::vector<Id> &params = p_.facts.functions[callee].params;
    return argument < params.size() &&
           (isAll_ || written_.contains(params[argument]));
  });
}
