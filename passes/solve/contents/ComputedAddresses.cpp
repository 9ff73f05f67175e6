//===- ComputedAddresses.cpp - Numbers made of addresses that change ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to a static follows it into the next run; a hash of its address
// cannot. The runtime looks at such words when a program starts whose statics
// lie elsewhere, and refuses the pool: where it knows some of them, as it does
// where pointers follow statics. Where it would know none, and such a word is
// sure to be there, it is told of the whole image, as for string literals.
// Locals of main lie elsewhere in each run: nothing helps what is made of their
// addresses.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ComputedFromStatic)

using namespace nvmove;

namespace nvmove {

void reportComputedAddresses(
    View<const Types, const Twins, const Addresses, HoldsLiterals> a) {
  const Facts &f = a.context.program.facts;
  const PersistentParts parts(a.context.program, a.types);
  std::vector<Id> ofStatics, ofLocals;
  bool isSure = false;
  for (Id record : parts.records())
    for (Id field : f.records[record].fields) {
      if (a.addresses.ofLocals.count(field))
        ofLocals.push_back(field);
      else if (a.addresses.computed.count(field) &&
               !a.addresses.ofHeapAlone.count(field))
        ofStatics.push_back(field);
      isSure |= a.addresses.ofStatics.count(field) != 0;
    }
  bool follows =
      a.holdsLiterals || llvm::any_of(a.twins, [&](const Twin &t) {
        return t.isFollowed && f.nodes[t.variable].kind != NodeKind::Local;
      });
  a.holdsLiterals |= isSure && !follows;
  auto report = [&](Id field, Severity severity, const char *what,
                    const char *advice) {
    a.findings.report(Finding{FindingId::ComputedFromStatic,
                              f.records[f.fields[field].record].loc, None,
                              parts.nameOf(field) + what, advice}
                          .about(parts.nameOf(field))
                          .as(severity));
  };
  if (follows || isSure)
    for (Id field : ofStatics)
      report(field, Severity::Check,
             " may hold a value computed from the address of a static, a "
             "function or a string literal. If such addresses differ from run "
             "to run, as in a position-independent program, the pool is "
             "refused from the second start on [pointers-unknown]",
             "");
  for (Id field : ofLocals)
    report(field, Severity::Act,
           " may hold a value computed from the address of a local variable "
           "of main, which is elsewhere in each run",
           "make the variable a static, and link with -no-pie; or compute the "
           "value from something else than addresses");
}

} // namespace nvmove
