/*===- verify.h - finding stores that no hook announced ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_VERIFY_H
#define NVMOVE_SRC_COMMIT_VERIFY_H

int nvmi_verify_open(void); /* 0 or an errno with its message */
void nvmi_verify_close(void);
void nvmi_verify_commit(void); /* between collect and the engine's commit */

#endif /* NVMOVE_SRC_COMMIT_VERIFY_H */
