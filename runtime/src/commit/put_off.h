/*===- put_off.h - sections whose commit waits -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * With nvm_commit_at_output(), docs/decisions/0077.
 */
#ifndef NVMOVE_SRC_COMMIT_PUT_OFF_H
#define NVMOVE_SRC_COMMIT_PUT_OFF_H

#include <stdbool.h>

struct nvmi_beside;

bool nvmi_may_put_off(void); /* do sections wait at all? */
/* Under the section lock, at the end of a section: does its commit wait for the next output, or
 * for the next time that the program waits? */
bool nvmi_put_off(void);
/* One that runs beside others waits in any case, until somebody commits. By its thread before it
 * leaves. False: a commit must be made now. */
bool nvmi_put_off_beside(struct nvmi_beside *own);
bool nvmi_is_put_off(void);      /* some section's is; any thread */
void nvmi_nothing_put_off(void); /* a commit is about to hold all sections */

#endif /* NVMOVE_SRC_COMMIT_PUT_OFF_H */
