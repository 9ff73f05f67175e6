/*===- side_by_side.c - threads whose sections run side by side -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The section lock and a gate. Who gets in says so and then looks whether the gate is shut; who
 * has the lock shuts the gate and then looks who is in. So one of the two sees the other. Nobody
 * shuts a gate that nobody has ever come through: programs with one thread pay nothing.
 */
#include "threads/side_by_side.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/owner_lock.h"
#include <errno.h>
#include <sched.h>
#include <time.h>

#define SPINS 200u
#define YIELDS 100u
#define PAUSE_NS 50000L
/* 2 s or more: a busy machine lets threads wait, too */
#define MOST_ROUNDS (SPINS + YIELDS + 40000u)

_Thread_local struct nvmi_beside *nvmi_beside;
_Thread_local bool nvmi_is_beside;
bool nvmi_section_runs;
struct nvmi_beside *nvmi_all_beside;
static unsigned count; /* of these; atomic */
static _Thread_local struct nvmi_beside *own;
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* of the list; nothing is taken below it */
static pthread_key_t at_thread_end;
static bool has_key;
/* Somebody has come through. Set under the section lock; who sees it sees what ran alone before. */
static bool has_gate;
static int shut; /* atomic */
enum { STOPPED = 1, NO_BARRIER = 2 };
int nvmi_announced_slowly = NO_BARRIER;

/* What the thread has announced is for the next commit all the same. A thread that ends inside a
 * section has not ended it. Other such functions may store, too, after this one. */
static void give_back(void *it)
{
    struct nvmi_beside *b = it;
    if (__atomic_load_n(&b->inside, __ATOMIC_RELAXED))
        return;
    own = nvmi_beside = NULL;
    pthread_mutex_lock(&lock);
    b->taken = false;
    pthread_mutex_unlock(&lock);
}

static struct nvmi_beside *find_free(void)
{
    for (struct nvmi_beside *b = nvmi_all_beside; b; b = b->next)
        if (!b->taken)
            return b;
    struct nvmi_beside *b = nvmi_reserve(sizeof(*b));
    if (!b)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "no memory for what a thread stores");
    b->next = nvmi_all_beside;
    __atomic_store_n(&nvmi_all_beside, b, __ATOMIC_RELEASE);
    __atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
    return b;
}

static struct nvmi_beside *own_one(void)
{
    if (own)
        return own;
    pthread_mutex_lock(&lock);
    own = find_free();
    own->taken = true;
    if (!has_key && pthread_key_create(&at_thread_end, give_back) != 0)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "no key for what a thread stores");
    if (!has_key && nvmi_barrier_everywhere())
        __atomic_fetch_and(&nvmi_announced_slowly, ~NO_BARRIER, __ATOMIC_SEQ_CST);
    has_key = true;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(at_thread_end, own);
    return own;
}

unsigned nvmi_beside_count(void)
{
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

void nvmi_beside_begin(void)
{
    nvmi_beside = own_one();
}

void nvmi_beside_end(void)
{
    nvmi_beside = NULL;
}

bool nvmi_beside_has_gate(void)
{
    return __atomic_load_n(&has_gate, __ATOMIC_ACQUIRE);
}

static bool is_inside(const struct nvmi_beside *b)
{
    return __atomic_load_n(&b->inside, __ATOMIC_SEQ_CST);
}

static bool get_in(struct nvmi_beside *b)
{
    __atomic_store_n(&b->inside, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&shut, __ATOMIC_SEQ_CST))
        return true;
    __atomic_store_n(&b->inside, 0, __ATOMIC_RELEASE);
    return false;
}

static bool open_gate(struct nvmi_beside *b, bool waits)
{
    if (waits)
        pthread_mutex_lock(&nvmi_section_lock);
    else if (pthread_mutex_trylock(&nvmi_section_lock) != 0)
        return false;
    __atomic_store_n(&has_gate, true, __ATOMIC_RELEASE);
    __atomic_store_n(&b->inside, 1, __ATOMIC_SEQ_CST); /* nobody has shut the gate */
    pthread_mutex_unlock(&nvmi_section_lock);
    return true;
}

bool nvmi_beside_enter(bool waits)
{
    struct nvmi_beside *b = own_one();
    if (!(nvmi_beside_has_gate() && get_in(b)) && !open_gate(b, waits))
        return false;
    nvmi_is_beside = true;
    nvmi_beside_begin();
    return true;
}

void nvmi_beside_leave(void)
{
    nvmi_is_beside = false;
    if (!nvmi_takes_part)
        nvmi_beside_end();
    __atomic_store_n(&own->inside, 0, __ATOMIC_RELEASE);
}

static bool all_out(const struct nvmi_beside *but)
{
    for (struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        if (b != but && is_inside(b))
            return false;
    return true;
}

static void wait_a_little(unsigned round)
{
    struct timespec pause = {0, PAUSE_NS};
    if (round < SPINS)
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    else if (round < SPINS + YIELDS)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

static void set_shut(int value)
{
    if (has_gate)
        __atomic_store_n(&shut, value, __ATOMIC_SEQ_CST);
}

void nvmi_sections_lock(void)
{
    pthread_mutex_lock(&nvmi_section_lock);
    if (__builtin_expect(!has_gate, 1))
        return;
    set_shut(1);
    for (unsigned round = 0; !all_out(NULL); round++)
        wait_a_little(round);
}

bool nvmi_sections_trylock(void)
{
    if (pthread_mutex_trylock(&nvmi_section_lock) != 0)
        return false;
    set_shut(1);
    if (!has_gate || all_out(NULL))
        return true;
    nvmi_sections_unlock();
    return false;
}

void nvmi_sections_unlock(void)
{
    __atomic_store_n(&nvmi_section_runs, false, __ATOMIC_RELAXED);
    set_shut(0);
    pthread_mutex_unlock(&nvmi_section_lock);
}

static bool lock_soon(const struct nvmi_beside *but)
{
    unsigned round = 0;
    for (; pthread_mutex_trylock(&nvmi_section_lock) != 0; wait_a_little(round++))
        if (round == MOST_ROUNDS)
            return false;
    set_shut(1);
    for (; has_gate && !all_out(but); wait_a_little(round++))
        if (round == MOST_ROUNDS) {
            nvmi_sections_unlock();
            return false;
        }
    return true;
}

bool nvmi_sections_lock_soon(void)
{
    return lock_soon(NULL);
}

bool nvmi_beside_alone(void)
{
    if (!nvmi_is_beside)
        return true;
    if (!lock_soon(own))
        return false;
    nvmi_beside_leave();
    return true;
}

void nvmi_announce_slowly(void)
{
    for (;;) {
        __atomic_store_n(&nvmi_beside->announces, 1, __ATOMIC_SEQ_CST);
        if (!(__atomic_load_n(&nvmi_announced_slowly, __ATOMIC_SEQ_CST) & STOPPED))
            return;
        nvmi_announce_end();
        sched_yield();
    }
}

void nvmi_announcements_stop(void)
{
    int before = __atomic_fetch_or(&nvmi_announced_slowly, STOPPED, __ATOMIC_SEQ_CST);
    if (!nvmi_barrier_everywhere() && !(before & NO_BARRIER))
        nvmi_bug("membarrier() worked before, but does not any more");
    for (struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        while (__atomic_load_n(&b->announces, __ATOMIC_SEQ_CST))
            sched_yield();
}

void nvmi_announcements_go_on(void)
{
    __atomic_fetch_and(&nvmi_announced_slowly, ~STOPPED, __ATOMIC_SEQ_CST);
}

void nvmi_beside_in_child(bool locked)
{
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&nvmi_section_lock, NULL);
    for (struct nvmi_beside *b = nvmi_all_beside; b; b = b->next)
        if (b != own) {
            b->inside = 0;
            b->taken = false;
        }
    shut = 0;
    nvmi_section_runs = nvmi_section_runs && locked;
    nvmi_announcements_go_on();
    if (locked)
        nvmi_sections_lock();
}
