//===- GotoLoops.cpp - Loops that are made with goto ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/GotoLoops.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace nvmove;

namespace {

class GotoLoopFinder {
public:
  void visit(const Stmt *s) {
    if (!s)
      return;
    if (const auto *l = dyn_cast<LabelStmt>(s))
      labels_[l->getDecl()] = path_;
    if (const auto *g = dyn_cast<GotoStmt>(s))
      if (auto to = labels_.find(g->getLabel()); to != labels_.end())
        jump(to->second);
    const auto *block = dyn_cast<CompoundStmt>(s);
    if (block)
      path_.push_back({block, 0});
    for (const Stmt *c : s->children()) {
      visit(c);
      if (block)
        ++path_.back().second;
    }
    if (block)
      path_.pop_back();
  }

  GotoLoops result;

private:
  /// Blocks around a statement, outermost first, and which of their statements
  /// it is in.
  using Path = llvm::SmallVector<std::pair<const CompoundStmt *, size_t>, 8>;

  void jump(const Path &label) {
    size_t common = 0;
    while (common + 1 < std::min(label.size(), path_.size()) &&
           label[common] == path_[common] &&
           label[common + 1].first == path_[common + 1].first)
      ++common;
    if (!label.empty() && !path_.empty())
      add(result[label[common].first],
          {label[common].second, path_[common].second});
  }

  static void add(llvm::SmallVector<GotoLoop, 1> &loops, GotoLoop loop) {
    llvm::erase_if(loops, [&](const GotoLoop &other) {
      bool apart = other.last < loop.first || loop.last < other.first;
      if (!apart) {
        loop.first = std::min(loop.first, other.first);
        loop.last = std::max(loop.last, other.last);
      }
      return !apart;
    });
    loops.push_back(loop);
    llvm::sort(loops, [](const GotoLoop &a, const GotoLoop &b) {
      return a.first < b.first;
    });
  }

  Path path_;
  llvm::DenseMap<const LabelDecl *, Path> labels_;
};

} // namespace

GotoLoops nvmove::findGotoLoops(const Stmt *body) {
  GotoLoopFinder finder;
  finder.visit(body);
  return std::move(finder.result);
}
