/*===- harness.h - between the harness and the rows ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===-----------------------------------------------------------------------===
 */
#ifndef NVMOVE_TEST_RUNTIME_WAYS_OUT_HARNESS_H
#define NVMOVE_TEST_RUNTIME_WAYS_OUT_HARNESS_H

/* Without the headers of the C library: rows have stand-ins of its names. */
extern struct handed {
  void *part, *message, *messages, *stream;
  int file; /* holds an x */
} handed;
long said(void); /* in the place of a function: somebody has seen it */

extern const char *const row_names[];
void go(long row);

#endif /* NVMOVE_TEST_RUNTIME_WAYS_OUT_HARNESS_H */
