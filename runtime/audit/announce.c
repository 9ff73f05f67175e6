/*===- announce.c - wrapped functions announce what they write ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "intercept.h"

void nvmi_intercept(const void *p, size_t size_bytes, const void *caller)
{
    (void)caller;
    nvm_store(p, size_bytes);
}
