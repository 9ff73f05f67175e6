//===- RestoredSet.cpp - What comes back of static memory -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/RestoredSet.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
using RestoredSetParts =
    View<const FinalStatics, FoundRoots, Scalars, KeptScalars>;
} // namespace

template <typename T> static void insertByPath(std::vector<T> &list, T item) {
  auto isBefore = [](const T &a, const T &b) { return a.path < b.path; };
  auto at = llvm::upper_bound(list, item, isBefore);
  list.insert(at, std::move(item));
}

void RestoredSet::add(Root root) {
  index_.add(root);
  insertByPath(roots_, std::move(root));
}

void RestoredSet::add(RestoredScalar scalar) {
  index_.add(scalar);
  insertByPath(scalars_, std::move(scalar));
}

bool RestoredSet::holdsTableOf(Id variable, const std::vector<Id> &path) const {
  return llvm::any_of(roots_, [&](const Root &r) {
    return r.kept() && r.element != None && r.variable == variable &&
           !r.fields.empty() && r.fields.size() < path.size() &&
           std::equal(r.fields.begin(), r.fields.end(), path.begin());
  });
}

void RestoredSet::removeScalar(Id variable, const std::vector<Id> &path) {
  std::erase_if(scalars_, [&](const RestoredScalar &s) {
    return s.variable == variable && s.fields == path;
  });
  rebuild();
}

void RestoredSet::replace(const IdSet &indices, std::vector<Root> by) {
  for (Id i = 0; i < roots_.size(); ++i)
    if (!indices.contains(i))
      by.push_back(std::move(roots_[i]));
  llvm::stable_sort(
      by, [](const Root &a, const Root &b) { return a.path < b.path; });
  roots_ = std::move(by);
  rebuild();
}

bool RestoredSet::leave(
    llvm::function_ref<bool(const std::string &path)> isMeant,
    const std::string &why) {
  bool any = false;
  for (Root &r : roots_)
    if (isMeant(r.path)) {
      r.notKept = why;
      any = true;
    }
  any |= std::erase_if(scalars_, [&](const RestoredScalar &s) {
           return isMeant(s.path);
         }) > 0;
  rebuild();
  return any;
}

void RestoredSet::changeRoots(llvm::function_ref<void(Root &)> change) {
  for (Root &r : roots_)
    change(r);
  rebuild();
}

void RestoredSet::rebuild() {
  index_ = RestoredStatics();
  for (const RestoredScalar &s : scalars_)
    index_.add(s);
  for (const Root &r : roots_)
    index_.add(r);
}

namespace nvmove {

void settleRestored(RestoredSetParts a) {
  const RestoredSet &restored = a.statics.restored();
  a.statics.reportTo(a.findings);
  a.roots = restored.roots();
  a.scalars = restored.scalars();
  a.kept = restored.seeds();
}

} // namespace nvmove
