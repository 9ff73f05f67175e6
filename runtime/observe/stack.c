/*===- stack.c - which calls a thread is in, and when the load runs ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * gcc -finstrument-functions calls at the beginning and at the end of each function,
 * inlined ones too. A jump out of functions shows in the addresses of the frames:
 * those below have ended.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <errno.h>

#define MOST_CALLS 4096u

struct call {
    uintptr_t function, caller, frame;
};
struct calls {
    struct call list[MOST_CALLS];
    unsigned count;
    unsigned beyond; /* deeper than that */
};

volatile enum nvmi_phase nvmi_phase;
bool nvmi_is_child;
_Thread_local const void *nvmi_outer;
static _Thread_local struct calls calls;
/* The local variables of main(): by -fno-omit-frame-pointer its frame is what the
 * caller's frame pointer, which is saved at `frame`, ends. */
static uintptr_t main_low, main_high;
/* Load functions that run, in any thread: the outermost begins and ends the load. */
static unsigned loading;
/* Functions that began while the load ran: a byte for each address of the code. */
static unsigned char *ran;

static void load_begins(void)
{
    if (__atomic_fetch_add(&loading, 1, __ATOMIC_ACQ_REL) || nvmi_is_child)
        return;
    if (nvmi_phase != NVMI_BEFORE) /* a later load, by request: only the first counts */
        return;
    size_t size_bytes;
    nvmi_text(&size_bytes);
    pthread_mutex_lock(&nvmi_observe_lock);
    ran = nvmi_obtain(size_bytes);
    nvmi_load_begins();
    nvmi_phase = NVMI_IN_LOAD;
    pthread_mutex_unlock(&nvmi_observe_lock);
}

static void load_ends(void)
{
    if (__atomic_sub_fetch(&loading, 1, __ATOMIC_ACQ_REL) || nvmi_phase != NVMI_IN_LOAD ||
        nvmi_is_child)
        return;
    int error = errno;
    pthread_mutex_lock(&nvmi_observe_lock);
    nvmi_phase = NVMI_AFTER;
    nvmi_load_ends();
    pthread_mutex_unlock(&nvmi_observe_lock);
    nvmi_write();
    errno = error;
}

static void pop(void)
{
    if (nvmi_is_load(calls.list[--calls.count].function))
        load_ends();
}

static void note_run(uintptr_t function)
{
    size_t size_bytes;
    uintptr_t at = function - nvmi_text(&size_bytes);
    if (nvmi_phase == NVMI_IN_LOAD && !nvmi_is_child && at < size_bytes)
        ran[at] = 1;
}

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_enter(void *function, void *caller)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    while (calls.count && calls.list[calls.count - 1].frame < frame) {
        calls.beyond = 0;
        pop();
    }
    note_run((uintptr_t)function);
    if (calls.count == MOST_CALLS || calls.beyond) {
        calls.beyond++;
        return;
    }
    calls.list[calls.count++] = (struct call){(uintptr_t)function, (uintptr_t)caller, frame};
    if ((uintptr_t)function == nvmi_main) {
        main_low = frame;
        main_high = *(uintptr_t *)frame;
    }
    if (nvmi_is_load((uintptr_t)function)) {
        load_begins();
        note_run((uintptr_t)function);
    }
}

bool nvmi_ran_in_load(uintptr_t function)
{
    size_t size_bytes;
    uintptr_t at = function - nvmi_text(&size_bytes);
    return ran && at < size_bytes && ran[at];
}

void __cyg_profile_func_exit(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    if (calls.beyond) {
        calls.beyond--;
        return;
    }
    /* Below it: functions that were left by a jump. */
    for (unsigned i = calls.count; i-- > 0;)
        if (calls.list[i].function == (uintptr_t)function) {
            while (calls.count > i)
                pop();
            return;
        }
}

unsigned nvmi_calls(uintptr_t *frames, unsigned most)
{
    unsigned n = 0;
    for (unsigned i = calls.count; i-- > 0 && n < most;)
        if (!n || frames[n - 1] != calls.list[i].caller)
            frames[n++] = calls.list[i].caller;
    return n;
}

void nvmi_frames_within(uintptr_t *low, uintptr_t *high)
{
    *low = (uintptr_t)__builtin_frame_address(0);
    *high = calls.count ? calls.list[0].frame : *low;
}

bool nvmi_frame_of_main(uintptr_t *low, uintptr_t *high)
{
    *low = main_low;
    *high = main_high;
    return main_low < main_high;
}
