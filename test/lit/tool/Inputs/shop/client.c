//===- client.c - Another program in the same folder
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdio.h>

struct order {
  const char *name;
};

int main(int argc, char **argv) {
  struct order o = {argc > 1 ? argv[1] : "apple"};
  return printf("%s 1\n", o.name) < 0;
}
