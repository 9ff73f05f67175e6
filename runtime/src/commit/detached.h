/*===- detached.h - after nvm_detach() --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_DETACHED_H
#define NVMOVE_SRC_DETACHED_H

/* From here on commits do nothing: the next start finds the pool as of the last one, as
 * after a crash. Under the section lock or in a section that runs alone. Remembers which
 * functions of the program called nvm_detach(), for the message below. */
void nvmi_hold_back(void);

/* `what` ("a section begins") shows that the program does not end: the process does, with a
 * message that names both places [detached-early] and the pool as of the last commit. Another
 * thread than the one that called nvm_detach() gives that one two seconds to end the process
 * first. Without the section lock. */
_Noreturn void nvmi_go_on_after_detach(const char *what);

#endif /* NVMOVE_SRC_DETACHED_H */
