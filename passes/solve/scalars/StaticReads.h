//===- StaticReads.h - Which statics are read, and told --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   printf("%d\n", added);     added is answered: somebody is told of it
//   strlen(last)               last is read
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SCALARS_STATICREADS_H
#define NVMOVE_PASSES_SOLVE_SCALARS_STATICREADS_H

#include "passes/solve/flow/Streams.h"
#include "passes/solve/flow/WrittenParameters.h"
#include "passes/solve/state/JointChanges.h"
#include <set>

namespace nvmove {

class StaticReads {
public:
  /// Both outlive this.
  StaticReads(const JointChanges &joint, const Given &given)
      : joint_(joint), p_(given.context.program), f_(p_.facts),
        streams_(p_, given.origins()) {}

  /// By these functions.
  void collect(const IdSet &functions);

  /// Or handed to a call. A number may be compared without being read in this
  /// sense.
  bool isRead(const StaticPlace &place) const { return read_.count(place); }
  /// A copy of the number, or an address of it, is printed to a stream that
  /// somebody waits at: no file, and not stderr.
  bool isAnswered(const StaticPlace &place) const {
    return answered_.count(place);
  }

private:
  using See = llvm::function_ref<void(const StaticPlace &)>;
  bool answers(const Call &call);
  void eachRead(Id value, See see) const;

  const JointChanges &joint_;
  const Program &p_;
  const Facts &f_;
  Streams streams_;
  std::set<StaticPlace> read_, answered_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SCALARS_STATICREADS_H
