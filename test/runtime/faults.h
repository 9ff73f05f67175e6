/*===- faults.h - bugs planted in the engine that is in use -----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The open pool gets a copy of its engine with one function replaced.
 */
#ifndef NVMOVE_TEST_RUNTIME_FAULTS_H
#define NVMOVE_TEST_RUNTIME_FAULTS_H

#ifdef __cplusplus
extern "C" {
#endif

enum fault {
  FAULT_NONE,
  FAULT_LINE_NOT_SAVED,     /* of the lines to save, the last is forgotten */
  FAULT_SAVED_LATE,         /* lines are saved without a fence */
  FAULT_COMMIT_FIRST,       /* the control slot is written before the data */
  FAULT_LINE_NOT_COMMITTED, /* of the lines to commit, the last is forgotten */
  FAULT_TAG_BEFORE_COPY,    /* the tag of a line log comes before the copy */
  FAULT_WORD_NOT_FLUSHED, /* a line with a copy is not flushed at the commit */
  FAULT_PART_NOT_NOTED,   /* recovery is not told on the medium where copies are
                           */
  FAULT_MARKED_FIRST,     /* a line counts as saved before it is */
  FAULT_HEAD_NOT_FENCED,  /* a slice of a log is used, and the next one begun,
                             while its head may be lost */
  FAULT_SLICE_SHARED      /* a thread gets a slice that another one still needs
                           */
};
void fault_plant(enum fault fault);

/* This thread leaves its section for who would commit, and goes on in it. */
void leave_early(void);

/* From now on a thread waits in a fence, for some seconds, until there are so
   many in one. */
void fences_meet(unsigned threads);
int fences_met(void);

/* Blocks of a type that the next commit would hold. */
unsigned long pool_blocks(const char *type);
/* The runtime's number of the last commit. */
unsigned long pool_epoch(void);
/* As the runtime would make it. */
unsigned long pool_log_tag(const void *record, unsigned long epoch,
                           unsigned word);
/* Where the engine's area lies in the file. */
unsigned long pool_log_offset(void);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_TEST_RUNTIME_FAULTS_H */
