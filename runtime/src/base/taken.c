/*===- taken.c - which process has the pool ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/taken.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* In a page that is shared with children: process ids, 0: none. */
struct taken {
    pid_t by;   /* whose the pool is */
    pid_t used; /* who has used it since it parted from another */
};
static struct taken *taken;

/* Of the process that forks, before: the other one may have taken it by the time that a child
 * gets to run. */
static bool was_mine;
bool nvmi_is_parted;

static pid_t read_pid(const pid_t *pid)
{
    return __atomic_load_n(pid, __ATOMIC_ACQUIRE);
}

int nvmi_taken_open(void)
{
    taken = mmap(NULL, NVMI_MACHINE_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                 -1, 0);
    nvmi_is_parted = false;
    if (taken != MAP_FAILED)
        return 0;
    taken = NULL;
    return nvmi_fail(ENOMEM, "no-memory", "no address space");
}

void nvmi_taken_close(void)
{
    if (taken)
        munmap(taken, NVMI_MACHINE_PAGE_BYTES);
    taken = NULL;
    nvmi_is_parted = false;
}

static _Noreturn void refuse(pid_t other)
{
    nvmi_die(NVMI_EXIT_START, "pool-busy",
             "%s: process %ld has it, which parted from this one by fork() after nvm_start(); both "
             "use it. Call nvm_start() after the fork, in the process that loads the state",
             nvmi_pool.path, (long)other);
}

/* Sets a pid that is 0; false: it is another. */
static bool put_self(pid_t *pid, pid_t *other)
{
    const pid_t self = getpid();
    *other = 0;
    return __atomic_compare_exchange_n(pid, other, self, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE) ||
           *other == self;
}

bool nvmi_take(void)
{
    pid_t other;
    if (!put_self(&taken->by, &other))
        return false;
    if (nvmi_is_parted && !put_self(&taken->used, &other))
        refuse(other);
    nvmi_is_parted = false;
    return true;
}

bool nvmi_is_mine(void)
{
    return taken && read_pid(&taken->by) == getpid();
}

void nvmi_use_parted(void)
{
    pid_t other = taken ? read_pid(&taken->by) : getpid();
    if ((other != 0 && other != getpid()) || (other == 0 && !put_self(&taken->used, &other)))
        refuse(other);
}

void nvmi_taken_before_fork(void)
{
    pid_t self = getpid();
    was_mine = nvmi_is_mine();
    if (taken)
        __atomic_compare_exchange_n(&taken->used, &self, 0, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
}

void nvmi_taken_after_fork(void)
{
    nvmi_is_parted = nvmi_pool.open && !nvmi_pool.snapshot && !was_mine;
}
