/*===- threads.h - the heap under ThreadSanitizer -------------------*- C -*-===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_TEST_RUNTIME_TSAN_THREADS_H
#define NVMOVE_TEST_RUNTIME_TSAN_THREADS_H

#include <stdint.h>

void require(int condition, const char *what);
/* Its exit status. */
int beside(const char *engine, const char *pool, const char *form);

#endif /* NVMOVE_TEST_RUNTIME_TSAN_THREADS_H */
