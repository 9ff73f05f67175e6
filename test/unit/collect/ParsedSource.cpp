//===- ParsedSource.cpp - Parts of a parsed snippet -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/collect/ParsedSource.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace nvmove::test;

static void addNames(DeclContext *context, std::vector<NamedDecl *> &names) {
  for (Decl *d : context->decls()) {
    if (auto *named = dyn_cast<NamedDecl>(d); named && named->getIdentifier())
      names.push_back(named);
    if (auto *inner = dyn_cast<DeclContext>(d))
      addNames(inner, names);
  }
}

ParsedSource::ParsedSource(const std::string &code)
    : unit_(tooling::buildASTFromCodeWithArgs(code, {"-xc", "-w"}, "t.c")) {
  if (!unit_ || unit_->getDiagnostics().hasErrorOccurred())
    llvm::report_fatal_error("the snippet does not compile");
  addNames(ast().getTranslationUnitDecl(), named_);
}
