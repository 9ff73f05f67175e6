/*===- interleaved.c - versions that a second thread makes durable ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A set is a region: its head, the number of the last durable batch, a word for each
 * object, the versions. The word says which version was written last, in which batch, and
 * whether the batch before wrote the version before it and was not durable then.
 *
 * One batch is open, at most one is with the thread, all before are durable. The thread
 * flushes the words and the versions of its batch, waits, and then writes the number, which
 * makes all of it count at once. Meanwhile the program writes other versions: of 3 there is
 * always one that is neither durable nor the thread's; of 2 it may have to wait.
 *
 * Words of batches above the durable number are taken back when a set is opened. Nothing of it
 * is announced to the engine, which therefore never saves these lines and never rolls them back.
 */
#include "structures/interleaved.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "commit/thread.h"
#include "engines/engines.h"
#include "medium/persist.h"
#include "nvmove/region.h"
#include "remote/state.h"
#include "structures/words.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANGED 65536u
#define WORDS_PER_LINE (NVM_LINE_BYTES / sizeof(uint64_t))

struct head {
    uint64_t size_bytes;
    uint32_t count, versions;
    uint64_t unused[6];
    uint64_t durable; /* atomic; in a line of its own */
    uint64_t unused_too[7];
};
_Static_assert(sizeof(struct head) == 2 * NVM_LINE_BYTES, "two lines");

struct list {
    uint32_t *object, count;
};

struct nvm_interleaved {
    struct head *head;
    uint64_t *word; /* atomic */
    unsigned char *version;
    size_t stride_bytes;
    unsigned versions;
    uint64_t batch;      /* the open one */
    struct list list[2]; /* the objects that the open one changed, and those of the thread's */
    unsigned filling;
    uint32_t threshold, most;
    bool unfinished;      /* written since the last commit */
    unsigned char *seen;  /* lines of words that are flushed; of who makes durable */
    bool running;         /* is there a thread? */
    bool busy;            /* the thread has a batch; atomic, set under the lock */
    bool stopping;        /* under the lock */
    pthread_mutex_t lock; /* of the two, and of waiting for them */
    pthread_cond_t wanted, done;
    pthread_t thread;
    struct nvm_interleaved *next;
};

static struct nvm_interleaved *sets;

/*===-- Words ---------------------------------------------------------------===*/

static uint64_t word_now(const struct nvm_interleaved *s, unsigned object)
{
    return __atomic_load_n(&s->word[object], __ATOMIC_RELAXED);
}

static unsigned char *version_at_place(const struct nvm_interleaved *s, unsigned object,
                                       unsigned number)
{
    return s->version + ((size_t)object * s->versions + number) * s->stride_bytes;
}

static uint64_t durable(const struct nvm_interleaved *s)
{
    return __atomic_load_n(&s->head->durable, __ATOMIC_ACQUIRE);
}

/*===-- Making a batch durable ----------------------------------------------===*/

static void flush_object(struct nvm_interleaved *s, uint64_t batch, uint32_t object)
{
    uint64_t word = word_now(s, object); /* of this batch, or of the next one already */
    unsigned number = nvmi_version_at(word, batch, s->versions);
    nvmi_persist->flush(version_at_place(s, object, number), s->stride_bytes);
    if (!s->seen[object / WORDS_PER_LINE]) {
        s->seen[object / WORDS_PER_LINE] = 1;
        nvmi_persist->flush(&s->word[object / WORDS_PER_LINE * WORDS_PER_LINE], NVM_LINE_BYTES);
    }
}

static void make_durable(struct nvm_interleaved *s, uint64_t batch, struct list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        flush_object(s, batch, list->object[i]);
    for (uint32_t i = 0; i < list->count; i++)
        s->seen[list->object[i] / WORDS_PER_LINE] = 0;
    nvmi_persist->fence();
    __atomic_store_n(&s->head->durable, batch, __ATOMIC_RELEASE);
    nvmi_persist->flush(&s->head->durable, NVM_LINE_BYTES);
    nvmi_persist->fence();
    list->count = 0;
}

static void *work(void *set)
{
    struct nvm_interleaved *s = set;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->busy && !s->stopping)
            pthread_cond_wait(&s->wanted, &s->lock);
        if (!s->busy)
            break;
        uint64_t batch = s->batch - 1;
        struct list *list = &s->list[!s->filling];
        pthread_mutex_unlock(&s->lock);
        make_durable(s, batch, list);
        pthread_mutex_lock(&s->lock);
        __atomic_store_n(&s->busy, false, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The program's signals are not for this thread. */
static void start(struct nvm_interleaved *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&s->thread, NULL, work, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "thread", "no second thread for commits: %s", strerror(error));
    s->running = true;
}

static bool is_busy(const struct nvm_interleaved *s)
{
    return __atomic_load_n(&s->busy, __ATOMIC_ACQUIRE);
}

static void wait_for_thread(struct nvm_interleaved *s)
{
    if (!is_busy(s))
        return;
    pthread_mutex_lock(&s->lock);
    while (s->busy)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* The thread has none. */
static void hand_over(struct nvm_interleaved *s)
{
    if (!s->running)
        start(s);
    pthread_mutex_lock(&s->lock);
    s->filling = !s->filling;
    s->batch++;
    __atomic_store_n(&s->busy, true, __ATOMIC_RELEASE);
    pthread_cond_signal(&s->wanted);
    pthread_mutex_unlock(&s->lock);
}

static void finish(struct nvm_interleaved *s)
{
    wait_for_thread(s);
    if (s->unfinished || !s->list[s->filling].count)
        return;
    make_durable(s, s->batch, &s->list[s->filling]);
    s->batch++;
}

/*===-- Opening -------------------------------------------------------------===*/

static int refuse(const char *name, const char *why)
{
    return nvmi_fail(EINVAL, "interleaved", "set %.60s: %s", name, why);
}

static int check(const char *name, unsigned count, size_t size_bytes, unsigned versions)
{
    if (!nvmi_pool.open || nvmi_pool.snapshot || nvmi_pool.start_up || nvmi_depth)
        return refuse(name, "it is opened behind nvm_ready() and outside of sections");
    if (!nvmi_pool.engine->direct)
        return refuse(name, NVMI_CANNOT(nvmi_pool.engine, direct,
                                        "let the program write to the medium itself"));
    if (nvmi_has_replica())
        return refuse(name, "its commits would not reach the replica");
    if (nvmi_pool.verify)
        return refuse(name, "its stores are not announced, which NVM_VERIFY would report");
    if (!count || !size_bytes || versions < 2 || versions > 3 ||
        size_bytes > PTRDIFF_MAX / 8 / count)
        return refuse(name, "no such number of objects, bytes or versions");
    return 0;
}

static int allocate(struct nvm_interleaved *s, unsigned count)
{
    double threshold;
    int error = nvmi_thread_threshold(&threshold);
    if (error)
        return error;
    s->most = (count + 1) / 2 < MOST_CHANGED ? (count + 1) / 2 : MOST_CHANGED;
    s->threshold = (uint32_t)(threshold * s->most);
    s->seen = calloc(count / WORDS_PER_LINE + 1, 1);
    for (unsigned i = 0; i < 2; i++)
        s->list[i].object = malloc(count * sizeof(uint32_t));
    if (!s->seen || !s->list[0].object || !s->list[1].object)
        return nvmi_fail(ENOMEM, "no-memory", "no memory for a set of %u objects", count);
    return 0;
}

static void release(struct nvm_interleaved *s)
{
    free(s->seen);
    free(s->list[0].object);
    free(s->list[1].object);
    free(s);
}

/* The head is the engine's business like any other data. */
static int know(struct nvm_interleaved *s, const char *name, struct head wanted)
{
    struct head *h = s->head;
    if (!h->count) {
        nvm_begin();
        NVM(h->size_bytes) = wanted.size_bytes;
        NVM(h->count) = wanted.count;
        NVM(h->versions) = wanted.versions;
        nvm_end();
        /* The region is durable before the first commit to it. */
        nvmi_checkpoint_now();
    }
    if (h->size_bytes != wanted.size_bytes || h->count != wanted.count ||
        h->versions != wanted.versions)
        return refuse(name, "it has another size, or another number of objects or versions");
    return 0;
}

/* What no batch made durable is taken back, and that is on the medium before the next batch. */
static void take_back(struct nvm_interleaved *s)
{
    uint64_t last = durable(s);
    for (uint32_t i = 0; i < s->head->count; i++)
        if (nvmi_batch_of(s->word[i]) > last)
            s->word[i] = nvmi_word_of(last, false, nvmi_version_at(s->word[i], last, s->versions));
    nvmi_persist->flush(s->word, nvmi_line_up(s->head->count * sizeof(*s->word)));
    nvmi_persist->fence();
    s->batch = last + 1;
}

static int enter(struct nvm_interleaved *s, const char *name, struct head wanted)
{
    uint64_t words = nvmi_line_up(wanted.count * sizeof(uint64_t));
    s->versions = wanted.versions;
    s->stride_bytes = nvmi_line_up(wanted.size_bytes);
    void *region = nvm_region(name, NVM_LINE_BYTES + sizeof(struct head) + words +
                                        s->stride_bytes * wanted.count * wanted.versions);
    if (!region)
        return errno;
    s->head = (struct head *)nvmi_line_up((uintptr_t)region);
    s->word = (uint64_t *)(s->head + 1);
    s->version = (unsigned char *)s->word + words;
    int error = know(s, name, wanted);
    if (!error)
        take_back(s);
    return error;
}

struct nvm_interleaved *nvm_interleaved_open(const char *name, unsigned count, size_t size_bytes,
                                             unsigned versions)
{
    int error = check(name, count, size_bytes, versions);
    struct nvm_interleaved *s = error ? NULL : calloc(1, sizeof(*s));
    if (!error && !s)
        error = nvmi_fail(ENOMEM, "no-memory", "no memory for set %.60s", name);
    if (!error)
        error = allocate(s, count);
    if (!error)
        error = enter(
            s, name, (struct head){.size_bytes = size_bytes, .count = count, .versions = versions});
    if (error) {
        if (s)
            release(s);
        errno = error;
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wanted, NULL);
    pthread_cond_init(&s->done, NULL);
    s->next = sets;
    sets = s;
    nvmi_pool.unannounced = true;
    return s;
}

/*===-- Use -----------------------------------------------------------------===*/

const void *nvm_interleaved_read(const struct nvm_interleaved *s, unsigned object)
{
    return version_at_place(s, object, nvmi_version_of(word_now(s, object)));
}

void *nvm_interleaved_write(struct nvm_interleaved *s, unsigned object)
{
    uint64_t word = word_now(s, object);
    if (nvmi_pool.snapshot) /* private memory */
        return version_at_place(s, object, nvmi_version_of(word));
    s->unfinished = true;
    if (nvmi_batch_of(word) == s->batch)
        return version_at_place(s, object, nvmi_version_of(word));
    if (s->versions == 2 && nvmi_batch_of(word) > durable(s))
        wait_for_thread(s);
    struct list *list = &s->list[s->filling];
    list->object[list->count++] = object;
    unsigned number = (nvmi_version_of(word) + 1) % s->versions;
    __atomic_store_n(&s->word[object],
                     nvmi_word_of(s->batch, nvmi_batch_of(word) > durable(s), number),
                     __ATOMIC_RELEASE);
    return version_at_place(s, object, number);
}

void nvm_interleaved_commit(struct nvm_interleaved *s)
{
    uint32_t changed = s->list[s->filling].count;
    s->unfinished = false;
    if (nvmi_pool.snapshot || !changed || changed < s->threshold)
        return;
    if (is_busy(s)) {
        if (changed < s->most)
            return;
        wait_for_thread(s);
    }
    hand_over(s);
}

void nvm_interleaved_wait(struct nvm_interleaved *s)
{
    s->unfinished = false;
    if (!nvmi_pool.snapshot)
        finish(s);
}

static void stop(struct nvm_interleaved *s)
{
    if (!nvmi_pool.snapshot) {
        finish(s);
        if (s->running) {
            pthread_mutex_lock(&s->lock);
            s->stopping = true;
            pthread_cond_signal(&s->wanted);
            pthread_mutex_unlock(&s->lock);
            pthread_join(s->thread, NULL);
        }
    }
    release(s);
}

void nvm_interleaved_close(struct nvm_interleaved *s)
{
    struct nvm_interleaved **at = &sets;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    stop(s);
}

void nvmi_interleaved_finish(void)
{
    for (struct nvm_interleaved *s = sets; s; s = s->next)
        finish(s);
}

void nvmi_interleaved_close(void)
{
    while (sets)
        nvm_interleaved_close(sets);
}
