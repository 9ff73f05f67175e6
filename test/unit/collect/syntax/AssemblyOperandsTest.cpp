//===- AssemblyOperandsTest.cpp - What assembly writes by operands --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/AssemblyOperands.h"
#include "test/unit/collect/ParsedSource.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

bool isKnownTarget() {
  return ParsedSource("int i;").ast().getTargetInfo().getTriple().isX86();
}

/// What is written by inputs: an lvalue as it stands, "*pointer" for what one
/// leads to; "anything" where that is not known.
std::string writes(const std::string &assembly) {
  ParsedSource s("struct s { long n; int i; }; void f(struct s *c, long *p, "
                 "int *q, char *t, void *v, long r, int w) { asm(" +
                 assembly + "); }");
  auto found =
      writtenByInputs(s.ast(), llvm::cast<clang::GCCAsmStmt>(s.statement(0)));
  if (!found)
    return "anything";
  auto text = [&](const clang::Expr *e) {
    return clang::Lexer::getSourceText(
               clang::CharSourceRange::getTokenRange(e->getSourceRange()),
               s.ast().getSourceManager(), s.ast().getLangOpts())
        .str();
  };
  std::string result;
  for (const clang::Expr *e : found->inMemory)
    result += text(e) + " ";
  for (const clang::Expr *e : found->behind)
    result += "*(" + text(e) + ") ";
  return llvm::StringRef(result).rtrim().str();
}

struct Case {
  const char *assembly, *written;
};

TEST(AssemblyOperands, WhatInputsSay) {
  if (!isKnownTarget())
    GTEST_SKIP() << "instructions of x86";
  const Case cases[] = {
      {R"C("lock; addq %1, %0" : "+m"(*p) : "r"(r) : "memory")C", ""},
      {R"C("xchgq %0, (%1)" : "+r"(r) : "r"(&c->n) : "memory")C", "*(&c->n)"},
      {R"C("1: lock addq %0, (%[to])\n\tjnz 1b" : : "r"(r), [to] "r"(p) : "memory")C",
       "*(p)"},
      {R"C("incq %0" : : "m"(*p) : "memory")C", "*p"},
      {R"C("movb %b0, (%1)" : : "q"(w), "r"(t) : "memory")C", "*(t)"},
      {R"C("btsq $3, %0" : : "m"(c->n) : "memory")C", "c->n"},
      // What is read is no store.
      {R"C("movq (%1), %0" : "=r"(r) : "r"(p) : "memory")C", ""},
      {R"C("cmpq %0, %1" : : "r"(r), "m"(*p) : "memory", "cc")C", ""},
  };
  for (const Case &c : cases)
    EXPECT_EQ(writes(c.assembly), c.written) << c.assembly;
}

TEST(AssemblyOperands, WhatNobodySays) {
  if (!isKnownTarget())
    GTEST_SKIP() << "instructions of x86";
  const char *cases[] = {
      R"C("rep stosb" : : "D"(t), "a"(0), "c"(8) : "memory")C",
      R"C("rep; movsb" : : "S"(p), "D"(v), "c"(8) : "memory")C",
      R"C("pushq %0" : : "r"(r) : "memory")C",
      R"C("call *%0" : : "r"(v) : "memory")C",
      R"C("jmp *%0" : : "r"(v) : "memory")C",
      // Elsewhere than the pointer says, or more than it says.
      R"C("movq %0, 8(%1)" : : "r"(r), "r"(p) : "memory")C",
      R"C("movq %0, (%1)" : : "r"(r), "r"(q) : "memory")C",
      R"C("movq %0, (%1)" : : "r"(r), "r"(v) : "memory")C",
      R"C("mov %0, (%1)" : : "r"(r), "r"(q) : "memory")C",
      R"C("movq %0, (%1)" : : "r"(r), "r"(c) : "memory")C",
      R"C("movq %0, (%%rdi)" : : "r"(r), "D"(p) : "memory")C",
      R"C("movq %0, %%fs:8" : : "r"(r) : "memory")C",
      R"C("movl $0, counter" : : "r"(r) : "memory")C",
      R"C("btsq %1, %0" : : "m"(*p), "r"(r) : "memory")C",
      R"C("movq %1, (%0)" : "=r"(p) : "r"(r), "0"(p) : "memory")C",
      R"C("movaps %%xmm0, (%0)" : : "r"(p) : "memory")C",
      R"C("movl $0, counter")C",
  };
  for (const char *assembly : cases)
    EXPECT_EQ(writes(assembly), "anything") << assembly;
}

} // namespace
