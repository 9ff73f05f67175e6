/*===- schedule.h - threads that take turns by a seed ---------------*- C -*-===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * One of the threads runs at a time. Where it calls schedule_point(), takes a
 * mutex, or writes to the simulated medium, another one may go on instead;
 * where it would wait, another one does. Which one follows from the seed alone,
 * so a run can be repeated. The test program is linked with --wrap for the
 * calls that wait.
 */
#ifndef NVMOVE_TEST_RUNTIME_SCHEDULE_H
#define NVMOVE_TEST_RUNTIME_SCHEDULE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Before the threads are made. */
void schedule_begin(unsigned seed, unsigned threads);
/* By thread number `self` at its beginning and its end. */
void schedule_join(unsigned self);
void schedule_leave(void);
/* Another thread may go on here. */
void schedule_point(void);
/* So often one thread went on instead of another. */
unsigned long schedule_switches(void);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_TEST_RUNTIME_SCHEDULE_H */
