/*===- lost.c - memory that cannot be read any more -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Who lost memory twice in one step, without a step in between, would lose it for ever: the medium
 * itself may be damaged. What the process knows about that is in its environment.
 */
#define _GNU_SOURCE
#include "lost.h"
#include "state.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VARIABLE "FLUID_LOST="
#define PAGE_BYTES 4096u

static char **own_arguments;
static char variable[sizeof(VARIABLE) + 20] = VARIABLE;
static uint64_t lost_before = UINT64_MAX; /* the step in which it was, if any */
static struct {
    int64_t step;
    bool hole;
} plan = {.step = -1};

static void write_number(char *to, uint64_t number)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    while (n)
        *to++ = digits[--n];
    *to = 0;
}

/* Nothing here but what a signal handler may call. */
static void say(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        _exit(1);
}

static void begin_anew(int signal)
{
    static atomic_flag is_begun = ATOMIC_FLAG_INIT;
    (void)signal;
    while (atomic_flag_test_and_set(&is_begun))
        pause(); /* another thread executes the program, which ends this one */
    if (fluid.step == lost_before) {
        say("fluid: error: memory is lost in the same step again [memory-lost]\n");
        _exit(1);
    }
    say("fluid: memory is lost: from the last good state\n");
    write_number(variable + strlen(VARIABLE), fluid.step);
    execv("/proc/self/exe", own_arguments);
    say("fluid: error: the program cannot be executed again [memory-lost]\n");
    _exit(1);
}

void lost_start(char **arguments)
{
    /* Where it was blocked the next one would end the process. */
    struct sigaction action = {.sa_handler = begin_anew, .sa_flags = SA_NODEFER};
    const char *before = getenv("FLUID_LOST");
    if (before && *before)
        lost_before = strtoull(before, NULL, 10);
    own_arguments = arguments;
    putenv(variable);
    sigaction(SIGBUS, &action, NULL);
}

void lost_plan(int64_t step, bool hole)
{
    plan.step = lost_before == UINT64_MAX ? step : -1;
    plan.hole = hole;
}

static bool make_hole(void *page)
{
    int file = memfd_create("hole", MFD_CLOEXEC);
    bool is_made = file >= 0 && mmap(page, PAGE_BYTES, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_FIXED, file, 0) == page;
    if (file >= 0)
        close(file);
    return is_made;
}

void lost_now(unsigned me)
{
    if (plan.step < 0 || (uint64_t)plan.step != fluid.step || me != grid.threads - 1)
        return;
    void *page = (void *)((uintptr_t)layout_some() / PAGE_BYTES * PAGE_BYTES);
    if ((plan.hole || madvise(page, PAGE_BYTES, MADV_HWPOISON) != 0) && !make_hole(page)) {
        failed("test", "no page can be lost here");
        _exit(1);
    }
}
