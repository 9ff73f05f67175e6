/*===- interleaved.h - sets of objects that a second thread makes durable ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_INTERLEAVED_H
#define NVMOVE_SRC_INTERLEAVED_H

/* Of all open sets: what is committed is made durable. */
void nvmi_interleaved_finish(void);
/* The sets are gone; those of a forked child have no thread. */
void nvmi_interleaved_close(void);

#endif /* NVMOVE_SRC_INTERLEAVED_H */
