/*===- checkpoint.h - the state, saved as the program goes on ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * checkpoint_files.c: two files of states, written in turns. checkpoint_backup.c: regions in
 * memory, by nvmove/backup.h.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdbool.h>

/* Loads what was saved last at `path`, or if nothing was the state in file `first`. NULL: there are
 * no checkpoints. So many threads may save. */
bool checkpoint_load(const char *path, const char *first, unsigned threads);
/* A crash meanwhile leaves what was saved before. */
bool checkpoint_save(const char *path);

#endif
