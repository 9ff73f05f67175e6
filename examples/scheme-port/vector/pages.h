/*===- pages.h - checkpoints by write-protected pages -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What the moved programs are compared with. A file is mapped; the first store to a page since the
 * last checkpoint faults, and the page as it was goes to a log behind the data. A checkpoint drops
 * the log and protects the pages again. After a crash what is in the log goes back.
 */
#ifndef NVMOVE_EXAMPLES_SCHEME_PAGES_H
#define NVMOVE_EXAMPLES_SCHEME_PAGES_H

#include <stddef.h>

/* Zero where nothing was checkpointed yet; protected as of the first checkpoint, since a system
 * call cannot write to a protected page. Ends the process on failure. */
void *pages_open(const char *path, size_t size_bytes);
void pages_checkpoint(void);
unsigned long pages_saved(void);

#endif
