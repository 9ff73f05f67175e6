//===- OrphanedSizes.cpp - Numbers that come back without a block ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   room *= 2; first = realloc(first, room); second = realloc(second, room);
//
// The one is a root, so the number comes back, and the other is as large as
// this start made it.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include <map>
#include <set>

REPORTS(IndexAlone)

using namespace nvmove;

namespace {

using OrphanedSizesParts = View<const ServedStatics>;

class OrphanedSizes {
public:
  explicit OrphanedSizes(const OrphanedSizesParts &a)
      : p_(a.context.program), f_(p_.facts), a_(a.context.allocators),
        flow_(a.context.flow), origins_(a.measures.origins()),
        kept_(a.statics.restored()), out_(a.findings) {
    for (const RestoredScalar &s : kept_.scalars())
      numbers_[{s.variable, p_.cellOf(s.fields)}] = s.path;
  }

  void run() {
    for (const StaticWrite &w : f_.staticWrites)
      if (Place at{w.variable, p_.cellOf(w.path)};
          w.function != None && numbers_.count(at))
        setIn_[w.function].insert(at);
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && w.value != None && setIn_.count(w.function) &&
          !f_.nodes[w.variable].isFunctionScope &&
          p_.isPointer(p_.typeOf(w.variable, w.path)) && !kept_.holds(w))
        look(w);
  }

private:
  using Place = ScalarOrigins::Place;

  void look(const StaticWrite &w) {
    ScalarOrigins::Places sizes;
    for (unsigned t : flow_.atNode(w.value)) {
      const FieldFlow::Token &token = flow_.tokens()[t];
      if (token.kind != FieldFlow::Token::Site)
        continue;
      const Call &c = f_.calls[a_.sites()[token.ref].call];
      if (c.function == w.function && p_.isCopyOf(w.value, c.result))
        origins_.add(IndicesAndSizes::sizesIn(f_, c), sizes);
    }
    for (Place number : setIn_[w.function])
      if (sizes.contains(number))
        report(w, numbers_[number]);
  }

  void report(const StaticWrite &w, const std::string &number) {
    std::string name = p_.nameOf(w.variable, w.path);
    out_.reportOnce(
        name, {FindingId::IndexAlone, w.loc, w.function,
               number + " is restored, but " + name +
                   ", whose size it also is, is not",
               "name " + name +
                   " with nvm_root(), or restore neither the size nor what "
                   "else has this size: --afresh"});
  }

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const ScalarOrigins &origins_;
  const RestoredSet &kept_;
  FindingList &out_;
  std::map<Place, std::string> numbers_; ///< that come back
  std::map<Id, std::set<Place>> setIn_;  ///< by function
};

} // namespace

namespace nvmove {

void reportOrphanedSizes(OrphanedSizesParts a) { OrphanedSizes(a).run(); }

} // namespace nvmove
