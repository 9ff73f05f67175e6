/*===- collect.c - a collection while the program runs ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Marking looks at the last commit and what start-up has made so far, before the
 * program gets its roots back: until then it holds no address of an old block. So a
 * block that is not reached now can never be reached by it.
 *
 * Frees and counts are put right in the program's sections, hence with their
 * commits: a crash leaves some of them to the next collection, which starts from
 * what it finds.
 */
#define _GNU_SOURCE
#include "reachability/collect.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "commit/fork.h"
#include "commit/section.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "nvmove/collect.h"
#include "nvmove/restart.h"
#include "reachability/findings.h"
#include "reachability/reach.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* At each section's end at most so many; each takes some ten nanoseconds and a few
 * share a line to be logged. */
#define SLICE_THINGS 64u
#define SLICE_WORDS 8192u /* of bitmaps that are looked at meanwhile */
/* Frees take effect with the commit. Engines that seldom commit have room for so
 * many lines. */
#define MOST_DEFERRED 1024u
#define POLL_NS 500000L

static bool collecting; /* from the marking until all is put right */

static struct {
    bool asked, typed, violated, failed;
    bool marked; /* the findings are there */
    pid_t child; /* that marks; 0: none */
    pid_t self;  /* its parent: forked children go on without the collection */
    struct nvmi_findings *found;
    uint64_t *freed; /* for each unit: the program has freed that block since */
    size_t next_check, next_lowering, next_word;
    bool freeing; /* the free is the collection's own */
} state;

static bool has_bit(const uint64_t *bits, uint64_t unit)
{
    return bits[unit / 64] >> unit % 64 & 1;
}

static void end(void)
{
    collecting = false;
    nvmi_heap_watch = NULL;
    nvmi_section_work = NULL;
    if (state.child && state.self == getpid()) {
        kill(state.child, SIGKILL);
        waitpid(state.child, NULL, __WALL);
    }
    if (state.found) {
        nvmi_release(state.freed, state.found->unit_count / 8);
        nvmi_findings_release(state.found);
    }
    state.child = 0;
    state.found = NULL;
    state.freed = NULL;
}

void nvmi_collect_close(void)
{
    end();
    memset(&state, 0, sizeof(state));
}

static void mark_in_child(void)
{
    nvmi_findings_fill(state.found);
}

void nvmi_collect_ask(bool typed)
{
    state.asked = true;
    state.typed |= typed;
}

/* A program that frees what nothing led to keeps addresses where they cannot be
 * seen: then nothing that was found is certain. */
static void violation(const void *p)
{
    nvmi_note("the program freed %p, which nothing in the pool led to; the collection ends here "
              "[hidden-pointer]",
              p);
    state.violated = true;
    end();
}

/* Under the heap lock: the program frees the block. */
static void freed(const void *p)
{
    if (state.freeing)
        return;
    uint64_t unit = nvmi_unit_of(p);
    if (unit >= state.found->unit_count)
        return; /* its page was taken since */
    state.freed[unit / 64] |= (uint64_t)1 << unit % 64;
    if (state.marked && has_bit(state.found->unreached, unit))
        violation(p);
}

bool nvmi_collect_is_marked(void)
{
    return !state.found || __atomic_load_n(&state.found->done, __ATOMIC_ACQUIRE);
}

/* What the program freed while the marking went on, before anything is put right.
 * Slice by slice; true: all has been looked at. */
static bool check_freed(void)
{
    const struct nvmi_findings *found = state.found;
    size_t words = found->unit_count / 64, budget = SLICE_WORDS;
    for (; state.next_check < words && budget; state.next_check++, budget--) {
        uint64_t both = found->unreached[state.next_check] & state.freed[state.next_check];
        if (both) {
            violation(nvmi_heap.pages +
                      (state.next_check * 64 + (unsigned)__builtin_ctzll(both)) * NVMI_UNIT_BYTES);
            return false;
        }
    }
    return state.next_check == words;
}

static void take_findings(void)
{
    if (state.marked || !nvmi_collect_is_marked())
        return;
    state.marked = true; /* the child is reaped at the end: its exit takes a while */
    state.failed = state.found->done != 1;
    if (state.failed)
        end();
}

static void lower(const struct nvmi_lowering *l)
{
    if (has_bit(state.freed, l->block))
        return; /* something else may stand there by now */
    unsigned char *field = nvmi_heap.pages + l->block * NVMI_UNIT_BYTES + l->offset;
    uint64_t value = 0;
    memcpy(&value, field, l->size_bytes);
    value -= l->excess;
    memcpy(nvm_store(field, l->size_bytes), &value, l->size_bytes);
    NVMI_COUNT(collected_counts, 1);
}

static void free_block(uint64_t unit)
{
    unsigned char *p = nvmi_heap.pages + unit * NVMI_UNIT_BYTES;
    struct nvmi_block block;
    nvmi_heap_find(p, &block);
    state.freeing = true;
    nvmi_heap_free(p);
    state.freeing = false;
    NVMI_COUNT(collected_objects, 1);
    NVMI_COUNT(collected_bytes, block.size_bytes);
}

/* Lowers counts and frees, but not more than a slice. True: nothing is left. */
static bool put_right(void)
{
    struct nvmi_findings *found = state.found;
    size_t things = SLICE_THINGS, budget = SLICE_WORDS, words = found->unit_count / 64;
    for (; things && state.next_lowering < found->lowering_count; things--)
        lower(&found->lowering[state.next_lowering++]);
    for (; things && budget && state.next_word < words; state.next_word++, budget--) {
        uint64_t *bits = &found->unreached[state.next_word];
        for (; *bits && things && nvmi_heap_deferred() < MOST_DEFERRED; things--) {
            free_block(state.next_word * 64 + (unsigned)__builtin_ctzll(*bits));
            *bits &= *bits - 1;
        }
        if (*bits)
            break;
    }
    return state.next_word == words && state.next_lowering == found->lowering_count;
}

/* A section is about to end, under the section lock. */
static void put_slice_right(void)
{
    if (nvmi_pool.start_up)
        return;
    nvmi_heap_lock_all();
    take_findings();
    if (state.marked && collecting && check_freed() && put_right())
        end();
    nvmi_heap_unlock_all();
}

void nvmi_collect_begin(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (!state.asked || !pool->restored || !pool->engine->durable || nvmi_units_in_use() == 0)
        return;
    state.found = nvmi_findings_new(state.typed);
    if (state.found)
        state.freed = nvmi_reserve(state.found->unit_count / 8);
    if (!state.freed) {
        end();
        state.failed = true;
        nvmi_note("no address space for a collection");
        return;
    }
    pid_t child = pool->engine->keeps_snapshot ? nvmi_fork_marker(mark_in_child) : -1;
    state.self = getpid();
    if (child > 0)
        state.child = child;
    else
        nvmi_findings_fill(state.found);
    collecting = true;
    nvmi_heap_watch = freed;
    nvmi_section_work = put_slice_right;
}

/* The marking process may have been killed. */
static int wait_for_marking(void)
{
    struct timespec pause = {0, POLL_NS};
    while (collecting && !nvmi_collect_is_marked()) {
        if (state.child && waitpid(state.child, NULL, WNOHANG | __WALL) == state.child &&
            !nvmi_collect_is_marked()) {
            state.child = 0;
            return EIO;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* A section for each slice: the program's own come in between. */
static void complete(void)
{
    while (collecting) {
        nvm_begin();
        nvm_end();
        if (collecting && nvmi_heap_deferred() >= MOST_DEFERRED)
            nvm_checkpoint();
    }
    nvm_checkpoint();
}

int nvm_collect(struct nvm_collection *out)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (out)
        *out = (struct nvm_collection){0, 0, 0};
    if (!pool->open || pool->snapshot)
        return nvmi_fail(EINVAL, "collect", "there is no pool to be collected");
    if (!nvmi_pool.given_back) {
        nvmi_collect_ask(false);
        return 0;
    }
    if (!state.asked)
        return nvmi_fail(EINVAL, "collect", "a collection must be asked for before nvm_restore()");
    if (nvmi_depth || pool->start_up)
        return nvmi_fail(EBUSY, "collect", "nvm_collect() inside a section");
    int error = wait_for_marking();
    if (error)
        return nvmi_fail(error, "collect", "the process that marks has ended too early");
    complete();
    if (out)
        *out = (struct nvm_collection){pool->stats.collected_objects, pool->stats.collected_bytes,
                                       pool->stats.collected_counts};
    if (state.violated)
        return nvmi_fail(ECANCELED, "hidden-pointer",
                         "the program freed a block that nothing in the pool led to");
    return state.failed ? nvmi_fail(ENOMEM, "collect", "no memory for marking") : 0;
}
