//===- SplitTexts.h - Where strtok(NULL, ..) goes on ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   strtok(line, " ");  ..  level = atoi(strtok(NULL, " "));
//
// The C library keeps the text between the calls, which may be in different
// functions and files: a node of all texts that the program hands over.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_SPLITTEXTS_H
#define NVMOVE_PASSES_FACTS_SPLITTEXTS_H

#include "passes/facts/Facts.h"

namespace nvmove {

/// Only for a whole program.
void joinSplitTexts(Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_SPLITTEXTS_H
