//===- Tallies.cpp - Numbers that an allocator counts ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void *xmalloc(size_t n) { used += n; return malloc(n); }
//   void xfree(void *p) { used -= size_of(p); free(p); }
//
// The allocator counts what is in the pool and what is not: the latter ends
// with the process, and stays counted. That is reported. Where nothing else
// changes the number, no output waits for it: what is in the pool is committed
// with its count, and of what is not a count means nothing to the next process.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(CountsVolatile)

using namespace nvmove;

namespace {

using TalliesParts = View<Scalars>;

class Tallies {
public:
  explicit Tallies(const TalliesParts &a)
      : p_(a.context.program), f_(p_.facts), wrappers_(a.context.allocators),
        out_(a) {}

  void run() {
    for (RestoredScalar &s : out_.scalars)
      look(s);
  }

private:
  void look(RestoredScalar &s) {
    const StaticWrite *counts = nullptr;
    bool others = isHandedOn(s.variable);
    for (const StaticWrite &w : f_.staticWrites) {
      if (w.function == None || w.variable != s.variable ||
          p_.cellOf(w.path) != p_.cellOf(s.fields))
        continue;
      if (!w.readModifyWrite || !isOfAllocator(w.function))
        others = true;
      else if (!counts && wrappers_.isWrapper(w.function))
        counts = &w;
    }
    if (!counts)
      return;
    s.isTally = !others;
    out_.findings.report(
        {FindingId::CountsVolatile, counts->loc, counts->function,
         s.path + " is restored, and counts what is in the pool and what is "
                  "not: the latter ends with the process but stays counted"});
  }

  /// It makes blocks for others, or frees those of any type.
  bool isOfAllocator(Id function) const {
    const Function &fn = f_.functions[function];
    return wrappers_.isWrapper(function) ||
           (llvm::any_of(fn.params,
                         [&](Id v) {
                           Id to = p_.pointee(f_.nodes[v].type);
                           return to != None && p_.kind(to) == TypeKind::Void;
                         }) &&
            llvm::any_of(p_.callsOf(function), [&](Id c) {
              return p_.isLibrary(f_.calls[c], LibraryFunction::Free);
            }));
  }

  /// Its address is of use to more than reading and writing there.
  bool isHandedOn(Id variable) const {
    return llvm::any_of(f_.addressUses, [&](const AddressUse &use) {
      return use.variable == variable &&
             (use.function == None || isHandedOn(use));
    });
  }
  bool isHandedOn(const AddressUse &use) const {
    return llvm::any_of(p_.constraintsOf(use.function),
                        [&](Id i) {
                          const Constraint &c = f_.constraints[i];
                          return c.src == use.value && c.flow != Flow::Load;
                        }) ||
           llvm::any_of(p_.callsOf(use.function), [&](Id c) {
             return llvm::is_contained(f_.calls[c].args, use.value);
           });
  }

  const Program &p_;
  const Facts &f_;
  const Allocators &wrappers_;
  TalliesParts out_;
};

} // namespace

namespace nvmove {

void findTallies(TalliesParts a) { Tallies(a).run(); }

} // namespace nvmove
