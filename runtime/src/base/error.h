/*===- error.h - how things go wrong ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Three kinds. What the environment can cause and the caller can handle: an
 * errno value, with the text left for nvm_errormsg(). What the environment can
 * cause in the middle of a store or a commit: nvmi_die(), which leaves the pool
 * as of the last commit. What only a bug can cause: nvmi_bug().
 */
#ifndef NVMOVE_SRC_ERROR_H
#define NVMOVE_SRC_ERROR_H

/* Exit statuses, as in sysexits.h. */
#define NVMI_EXIT_START 78    /* the pool cannot be opened */
#define NVMI_EXIT_FULL 75     /* no room to go on */
#define NVMI_EXIT_DETACHED 70 /* the program went on after nvm_detach() */

/* Records "<text> [<id>]" for this thread; returns `error`. */
int nvmi_fail(int error, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Records a text that contains its id, from another process; returns `error`. */
int nvmi_fail_said(int error, const char *text);
/* Prints "nvmove: error: <text> [<id>]" and _exit(status): no exit handlers, no
 * commit. */
_Noreturn void nvmi_die(int status, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints "nvmove: bug: <text>" and abort(). */
_Noreturn void nvmi_bug(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "nvmove: <text>". */
void nvmi_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* NVMOVE_SRC_ERROR_H */
