//===- Announcements.cpp - What hooks announce, and until where -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/Announcements.h"
#include "passes/collect/syntax/Assembly.h"
#include "passes/collect/syntax/Bytes.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/facts/Library.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"
#include <map>

using namespace clang;
using namespace nvmove;

namespace {

const llvm::DenseSet<const VarDecl *> nothingShared;

bool isStoreHook(const CallExpr *e) {
  return calleeName(e) == "nvm_store" && e->getNumArgs() == 2;
}

std::optional<int64_t> constant(const ASTContext &ast, const Expr *e) {
  Expr::EvalResult value;
  if (!e->EvaluateAsInt(value, ast))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

bool announcesAll(const ASTContext &ast, const ByteFinder::InHook &in) {
  if (!in.hook || in.begin < 0)
    return false;
  if (!isStoreHook(in.hook)) // NVM_REST()
    return true;
  std::optional<int64_t> size_bytes = constant(ast, in.hook->getArg(1));
  return size_bytes && in.end <= *size_bytes;
}

/// Hooks in a body, and the variables whose address it takes.
struct Survey {
  bool hooks = false, returnsTwice = false;
  llvm::DenseSet<const VarDecl *> shared;

  explicit Survey(const Stmt *body) {
    walk(body, [&](const Stmt *s) {
      if (const auto *e = dyn_cast<CallExpr>(s)) {
        hooks |= isStoreHook(e);
        returnsTwice |= hasTrait(calleeName(e), LibraryFunction::SetJump);
      } else if (const auto *u = dyn_cast<UnaryOperator>(s);
                 u && u->getOpcode() == UO_AddrOf) {
        if (const auto *ref =
                dyn_cast<DeclRefExpr>(u->getSubExpr()->IgnoreParens()))
          if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
            shared.insert(v);
      }
      return true;
    });
  }
};

/// What is announced at a point, with the calls made since.
using State = std::map<Bytes, std::set<const CallExpr *>>;

class HookFlow {
public:
  HookFlow(ASTContext &ast, const llvm::DenseSet<const VarDecl *> &shared,
           llvm::DenseMap<const Expr *, CallList> &covered)
      : finder_(ast, shared), covered_(covered) {}

  void run(const CFG &graph, AnalysisDeclContext &context);

private:
  void pass(const Stmt *s, State &state);
  void call(const CallExpr *e, State &state);
  void write(const Expr *lvalue, State &state);
  void note(const Expr *store, const Expr *lvalue, const State &state);
  template <class Dies> static void drop(State &state, Dies dies) {
    std::erase_if(state,
                  [&](auto &known) { return dies(known.first.pointer); });
  }

  ByteFinder finder_;
  llvm::DenseMap<const Expr *, CallList> &covered_;
};

void HookFlow::note(const Expr *store, const Expr *lvalue, const State &state) {
  covered_.erase(store);
  for (bool widest : {false, true}) {
    std::optional<Bytes> bytes = finder_.ofLvalue(lvalue, widest);
    if (!bytes)
      continue;
    for (const auto &[known, since] : state)
      if (known.pointer == bytes->pointer && known.begin <= bytes->begin &&
          bytes->end <= known.end) {
        CallList &calls = covered_[store];
        calls.assign(since.begin(), since.end());
        return;
      }
  }
}

/// What no longer holds once `lvalue` has been written.
void HookFlow::write(const Expr *lvalue, State &state) {
  const Expr *e = plainLvalue(lvalue);
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return drop(state, [&](const PointerValue &p) {
      return p.variables.contains(v) ||
             (v && v->hasGlobalStorage() && p.memory);
    });
  }
  const auto *m = dyn_cast<MemberExpr>(e);
  const auto *field = m ? dyn_cast<FieldDecl>(m->getMemberDecl()) : nullptr;
  bool exact = field && !field->getParent()->isUnion() &&
               !field->getType()->isRecordType();
  drop(state, [&](const PointerValue &p) {
    return p.memory || p.fields.contains(field) ||
           (!exact && !p.fields.empty());
  });
}

void HookFlow::call(const CallExpr *e, State &state) {
  if (isStoreHook(e)) {
    if (std::optional<Bytes> bytes = finder_.ofHook(e))
      state[*bytes].clear();
    return;
  }
  llvm::StringRef name = calleeName(e);
  if (name.starts_with("__builtin_expect") || name == "nvm_twin_of" ||
      name == "nvm_place" || name == "nvm_placed" || name == "nvm_placed_out")
    return;
  drop(state,
       [](const PointerValue &p) { return p.memory || !p.fields.empty(); });
  for (auto &[known, since] : state)
    since.insert(e);
}

void HookFlow::pass(const Stmt *s, State &state) {
  if (const auto *e = dyn_cast<CallExpr>(s))
    return call(e, state);
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    note(b, b->getLHS(), state);
    return write(b->getLHS(), state);
  }
  if (const auto *u = dyn_cast<UnaryOperator>(s);
      u && u->isIncrementDecrementOp()) {
    note(u, u->getSubExpr(), state);
    return write(u->getSubExpr(), state);
  }
  if (const auto *d = dyn_cast<DeclStmt>(s)) {
    for (const Decl *declared : d->decls())
      if (const auto *v = dyn_cast<VarDecl>(declared))
        drop(state,
             [&](const PointerValue &p) { return p.variables.contains(v); });
    return;
  }
  if (const auto *a = dyn_cast<GCCAsmStmt>(s); a && !mayStoreUnseen(a)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i)
      write(a->getOutputExpr(i), state);
    return;
  }
  if (isa<AsmStmt, AtomicExpr>(s))
    state.clear();
}

void HookFlow::run(const CFG &graph, AnalysisDeclContext &context) {
  std::vector<std::optional<State>> out(graph.getNumBlockIDs());
  ForwardDataflowWorklist work(graph, context);
  for (const CFGBlock *b : *context.getAnalysis<PostOrderCFGView>())
    work.enqueueBlock(b);
  while (const CFGBlock *block = work.dequeue()) {
    std::optional<State> in;
    if (block == &graph.getEntry())
      in.emplace();
    for (const CFGBlock *from : block->preds()) {
      if (!from || !out[from->getBlockID()])
        continue;
      const State &other = *out[from->getBlockID()];
      if (!in) {
        in = other;
        continue;
      }
      std::erase_if(*in, [&](auto &k) { return !other.contains(k.first); });
      for (auto &[known, since] : *in)
        since.insert(other.at(known).begin(), other.at(known).end());
    }
    if (!in)
      continue;
    for (const CFGElement &e : *block)
      if (auto s = e.getAs<CFGStmt>())
        pass(s->getStmt(), *in);
    if (out[block->getBlockID()] != in) {
      out[block->getBlockID()] = std::move(in);
      work.enqueueSuccessors(block);
    }
  }
}

} // namespace

bool nvmove::isInHook(const ASTContext &ast, const Expr *lvalue) {
  return announcesAll(ast, ByteFinder(ast, nothingShared).lvalueInHook(lvalue));
}

bool nvmove::isPointerFromHook(const ASTContext &ast, const Expr *pointer) {
  return announcesAll(ast,
                      ByteFinder(ast, nothingShared).pointerInHook(pointer));
}

bool nvmove::isBufferFromHook(const ASTContext &ast, const CallExpr *call,
                              unsigned argument, const ScannedArg *scanned) {
  const Expr *e = call->getArg(argument)->IgnoreParenImpCasts();
  if (findHook(e).kind != Hook::Store)
    return false;
  const auto *hook = cast<CallExpr>(e->IgnoreParenCasts());
  if (!isStoreHook(hook)) // NVM_REST(): all that there is
    return true;
  const Expr *size_bytes = hook->getArg(1)->IgnoreParenImpCasts();
  std::optional<int64_t> announced = constant(ast, size_bytes);
  auto profile = [&](const Expr *x) {
    llvm::FoldingSetNodeID id;
    x->IgnoreParenImpCasts()->Profile(id, ast, /*Canonical=*/true);
    return id;
  };
  if (scanned && scanned->extent == ScannedArg::Sized) {
    const Expr *size = call->getArg(scanned->bytes);
    return profile(size) == profile(size_bytes) ||
           (announced && constant(ast, size) &&
            *constant(ast, size) <= *announced);
  }
  if (scanned && scanned->extent == ScannedArg::Rest)
    return true; // the program says how much
  if (scanned)
    return announced && int64_t(scanned->bytes) <= *announced;
  QualType to = e->getType()->getPointeeType();
  const FunctionDecl *callee = calledFunction(call);
  const WrittenArg *w = callee && callee->getIdentifier()
                            ? writtenBehind(callee->getName(), argument)
                            : nullptr;
  if (w && w->size == WrittenArg::Object)
    return announced && !to->isVoidType() && !to->isIncompleteType() &&
           ast.getTypeSizeInChars(to).getQuantity() <= *announced;
  bool bounded = false;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const Expr *other = call->getArg(i);
    if (i == argument || (w && int(i) != w->size) ||
        !other->getType()->isIntegerType())
      continue;
    if (profile(other) == profile(size_bytes))
      return true;
    std::optional<int64_t> value = constant(ast, other);
    if (!announced || !value || *value > *announced)
      return false;
    bounded = true;
  }
  // mktime(NVM_BUF(&e->at, sizeof e->at)): handed a record and no number, it
  // writes one.
  if (bounded || !announced || !callee || argument >= callee->getNumParams())
    return bounded;
  QualType record = callee->getParamDecl(argument)->getType()->getPointeeType();
  return !record.isNull() && record->isRecordType() &&
         !record->isIncompleteType() &&
         ast.getTypeSizeInChars(record).getQuantity() <= *announced;
}

CallList nvmove::callsBehindHooks(const Stmt *s) {
  CallList calls;
  walk(s, [&](const Stmt *part) {
    const auto *c = dyn_cast<CallExpr>(part);
    if (isa<UnaryExprOrTypeTraitExpr>(part) || (c && isStoreHook(c)))
      return false;
    if (c)
      calls.push_back(c);
    return true;
  });
  return calls;
}

Announcements::Announcements(ASTContext &ast, const FunctionDecl *function)
    : ast_(ast) {
  const Survey survey(function->getBody());
  shared_ = survey.shared;
  returnsTwice_ = survey.returnsTwice;
  if (!survey.hooks || survey.returnsTwice)
    return;
  AnalysisDeclContextManager manager(ast);
  AnalysisDeclContext *context = manager.getContext(function);
  context->getCFGBuildOptions().setAllAlwaysAdd();
  if (const CFG *graph = context->getCFG())
    HookFlow(ast, survey.shared, covered_).run(*graph, *context);
}
