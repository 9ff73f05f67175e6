/*===- event.c - numbered points at which a test may cut the process --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/event.h"
#include "base/error.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int nvmi_events_on;
unsigned long nvmi_events_seen;
static unsigned long cut_at, allocations, full_at;
static int print_count;

void nvmi_events_start(void)
{
    const char *at = getenv("NVM_CRASH_AT"), *count = getenv("NVM_CRASH_COUNT"),
               *full = getenv("NVM_FULL_AT");
    cut_at = at ? strtoul(at, NULL, 10) : 0;
    full_at = full ? strtoul(full, NULL, 10) : 0;
    print_count = count && *count && *count != '0';
    nvmi_events_seen = allocations = 0;
    nvmi_events_on = cut_at != 0 || full_at != 0 || print_count;
}

void nvmi_events_stop(void)
{
    nvmi_events_on = 0;
}

void nvmi_event_slow(void)
{
    if (__atomic_add_fetch(&nvmi_events_seen, 1, __ATOMIC_RELAXED) == cut_at) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause(); /* the signal may reach another thread first */
    }
}

bool nvmi_event_full_slow(void)
{
    nvmi_event_slow();
    return full_at && __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) >= full_at;
}

void nvmi_events_print(void)
{
    if (nvmi_events_on && print_count)
        nvmi_note("%lu crash events", nvmi_events_seen);
}
