/*===- event.h - numbered points at which a test may cut the process --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * NVM_CRASH_AT=N: the process kills itself (SIGKILL) at the N-th event, counted
 * from 1. An event is the first announcement of a line, an allocation, a free,
 * and each step of a commit. NVM_CRASH_COUNT=1 prints how many there were, at
 * exit. Snapshot children have no events.
 *
 * NVM_FULL_AT=N: the heap has no room left as of the N-th allocation.
 */
#ifndef NVMOVE_SRC_EVENT_H
#define NVMOVE_SRC_EVENT_H

#include <stdbool.h>

extern int nvmi_events_on;
extern unsigned long nvmi_events_seen; /* read by nvmove trial, too */
void nvmi_events_start(void);          /* reads the environment */
void nvmi_events_stop(void);           /* in a snapshot child */
void nvmi_event_slow(void);
bool nvmi_event_full_slow(void);
void nvmi_events_print(void);

static inline void nvmi_event(void)
{
    if (__builtin_expect(nvmi_events_on, 0))
        nvmi_event_slow();
}

/* The event of an allocation. True: it is to find a full heap. */
static inline bool nvmi_event_full(void)
{
    return __builtin_expect(nvmi_events_on, 0) && nvmi_event_full_slow();
}

#endif /* NVMOVE_SRC_EVENT_H */
