/*===- app.c - the smallest program that uses an installed nvmove -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include <nvmove/nvm.h>

int main(void) {
  nvm_start();
  nvm_free(NVM_ALLOC(bytes, nvm_malloc(10)));
  return 0;
}
