//===- Hooks.cpp - The runtime's macros, recognised in a program ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Hooks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace nvmove;

const Expr *nvmove::calledBehindHook(const CallExpr *e) {
  const Expr *callee = e->getCallee()->IgnoreParenImpCasts();
  const auto *comma = dyn_cast<BinaryOperator>(callee);
  if (!comma || comma->getOpcode() != BO_Comma)
    return callee;
  const auto *first = dyn_cast<CallExpr>(comma->getLHS()->IgnoreParens());
  return first && llvm::is_contained({"nvm_output", "nvm_wait"},
                                     calleeName(first))
             ? comma->getRHS()->IgnoreParenImpCasts()
             : callee;
}

const FunctionDecl *nvmove::calledFunction(const CallExpr *e) {
  const auto *ref = dyn_cast<DeclRefExpr>(calledBehindHook(e));
  const auto *f = ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr;
  return f ? f : e->getDirectCallee();
}

llvm::StringRef nvmove::calleeName(const CallExpr *e) {
  const FunctionDecl *f = calledFunction(e);
  return f && f->getIdentifier() ? f->getName() : llvm::StringRef();
}

bool nvmove::isRegistration(llvm::StringRef function) {
  return function.starts_with("nvm_register_") || function == "nvm_root" ||
         function.starts_with("nvm_root_") || function == "nvm_layout" ||
         function == "nvm_settled" || function == "nvm_tally" ||
         function == "nvm_elements";
}

/// NVM_ROOT_ARRAY() has a table of its own, and braces.
static bool registersOnly(const Stmt *s, const ASTContext &ast) {
  auto isOne = [&](const Stmt *inner) { return registersOnly(inner, ast); };
  if (const auto *declaration = dyn_cast<DeclStmt>(s))
    return llvm::all_of(declaration->decls(), [](const Decl *d) {
      const auto *v = dyn_cast<VarDecl>(d);
      return v && isTableOfLayout(*v);
    });
  if (const auto *once = dyn_cast<DoStmt>(s))
    return isOne(once->getBody());
  if (const auto *block = dyn_cast<CompoundStmt>(s))
    return llvm::all_of(block->body(), isOne);
  const auto *call = dyn_cast<CallExpr>(s);
  return call && isRegistration(calleeName(call)) &&
         llvm::none_of(call->arguments(), [&](const Expr *argument) {
           return argument->HasSideEffects(ast);
         });
}

bool nvmove::isTableOfLayout(const VarDecl &v) {
  return v.getIdentifier() && v.getName().starts_with("nvm_fields_");
}

bool nvmove::isEndOfRoots(const VarDecl &v) {
  return v.getIdentifier() && v.getName().starts_with("nvm_roots_of_");
}

bool nvmove::registersOnly(const FunctionDecl &f) {
  return f.hasAttr<ConstructorAttr>() && f.getBody() &&
         ::registersOnly(f.getBody(), f.getASTContext());
}

Hook nvmove::findHook(const Expr *e) {
  e = e->IgnoreParens();
  if (const auto *cast = dyn_cast<CStyleCastExpr>(e))
    e = cast->getSubExpr()->IgnoreParenImpCasts();
  const auto *call = dyn_cast<CallExpr>(e);
  if (!call || call->getNumArgs() == 0)
    return {};
  Hook hook;
  hook.kind = llvm::StringSwitch<Hook::Kind>(calleeName(call))
                  .Cases("nvm_store", "nvm_rest", "nvm_behind", "nvm_out",
                         "nvm_in_out", Hook::Store)
                  .Cases("nvm_placed", "nvm_placed_out", "nvm_adopt",
                         "nvm_adopted", Hook::Placed)
                  .Case("nvm_twin_of", Hook::Twin)
                  .Case("nvm_code_of", Hook::Code)
                  .Default(Hook::None);
  if (!hook)
    return {};
  // The parameters are pointers to void: drop the conversion to them.
  const Expr *operand = call->getArg(0)->IgnoreParens();
  while (const auto *cast = dyn_cast<ImplicitCastExpr>(operand)) {
    if (cast->getCastKind() != CK_BitCast && cast->getCastKind() != CK_NoOp)
      break;
    operand = cast->getSubExpr()->IgnoreParens();
  }
  if (hook.kind == Hook::Placed || hook.kind == Hook::Code)
    if (const auto *cast = dyn_cast<CStyleCastExpr>(operand))
      operand = cast->getSubExpr();
  hook.operand = operand;
  return hook;
}

const Expr *nvmove::plainLvalue(const Expr *e, bool *hooked) {
  for (;;) {
    const Expr *inner = nullptr;
    if (const auto *paren = dyn_cast<ParenExpr>(e))
      inner = paren->getSubExpr();
    else if (const auto *generic = dyn_cast<GenericSelectionExpr>(e))
      inner = generic->getResultExpr();
    else if (const auto *choose = dyn_cast<ChooseExpr>(e))
      inner = choose->getChosenSubExpr();
    else if (const auto *cast = dyn_cast<ImplicitCastExpr>(e);
             cast && cast->getCastKind() == CK_NoOp)
      inner = cast->getSubExpr();
    else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->getOpcode() == UO_Extension) {
        inner = u->getSubExpr();
      } else if (u->getOpcode() == UO_Deref) {
        const Expr *pointer = u->getSubExpr()->IgnoreParens();
        Hook hook = findHook(pointer);
        if (hook)
          pointer = hook.operand->IgnoreParens();
        const auto *address = dyn_cast<UnaryOperator>(pointer);
        if (address && address->getOpcode() == UO_AddrOf) {
          inner = address->getSubExpr();
          if (hooked && hook.kind == Hook::Store)
            *hooked = true;
        }
      }
    }
    if (!inner)
      return e;
    e = inner;
  }
}
