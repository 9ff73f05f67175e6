/*===- pause.c - calls that wait outside of sections ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   nvm_begin();                                another thread
 *   NVM_PAUSED(pthread_join(t, NULL));          nvm_begin(); .. nvm_end();
 *   nvm_end();
 */
#include "base/pool.h"
#include "commit/restart_points.h"
#include "commit/section.h"
#include "nvmove/nvm.h"
#include "nvmove/restart.h"

/* One more than the sections that it leaves; with a lock held that makes sections, none. */
int nvm_pause_begin(void)
{
    if (nvmi_restart_is_paused() || nvmi_locks_held)
        return 0;
    unsigned depth = nvmi_section_leave();
    if (nvmi_depth)
        return 0; /* start-up */
    nvm_thread_pause();
    return 1 + (int)depth;
}

void nvm_pause_end(int *pause)
{
    if (!*pause)
        return;
    nvm_thread_resume();
    if (*pause > 1) {
        nvm_begin();
        nvmi_depth = *pause - 1;
    }
}
