/*===- main.c - a simulation that can be interrupted ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "checkpoint.h"
#include "lost.h"
#ifdef RANKS
#include "ranks.h"
#endif
#include "state.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: fluid [-t THREADS] [-c CHECKPOINT] [-e EVERY] [-p] [-m] STEPS IN OUT\n"
    "  Loads the state IN, goes on to step STEPS and saves the state OUT.\n"
    "  -c  saves checkpoints there, and goes on from the last one\n"
    "  -e  after so many steps each (1)\n"
    "  -p  tells on stdout when the state is there, and each step\n"
    "  -m  tells at the end how long the quickest step and save took, in ms\n"
    "  -l, -L  in that step a page of memory is lost: poisoned, or a hole (for tests)\n";

static struct {
    unsigned threads, every;
    uint64_t steps;
    const char *checkpoint, *in, *out;
    const char *rank, *exchange;
    bool tells_steps, tells_times;
} run = {.threads = 1, .every = 1};

/* By the clock, and of processors, ms. */
struct times {
    double wall, cpu;
};
/* What is between two steps is a save. The quickest counts, for others use the machine, too. */
static struct {
    struct times ready, stepped, compute, save;
    double move; /* part of compute */
} taken = {.compute = {1e9, 1e9}, .save = {1e9, 1e9}, .move = 1e9};

static double ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static struct times now(void)
{
    return (struct times){ms(CLOCK_MONOTONIC), ms(CLOCK_PROCESS_CPUTIME_ID)};
}

static void keep_least(struct times *least, struct times begin, struct times end)
{
    least->wall = fmin(least->wall, end.wall - begin.wall);
    least->cpu = fmin(least->cpu, end.cpu - begin.cpu);
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return (*text >= '0' && *text <= '9' && !*end && !errno && value >= least && value <= most) ||
           failed("usage", "%s: a number from %llu to %llu is wanted", text,
                  (unsigned long long)least, (unsigned long long)most);
}

static bool read_options(int argc, char **argv)
{
    int option;
    uint64_t value;
    while ((option = getopt(argc, argv, "t:c:e:l:L:r:x:pm")) != -1) {
        if (option == 't' && number(optarg, 1, MOST_THREADS, &value))
            run.threads = (unsigned)value;
        else if (option == 'e' && number(optarg, 1, 1000000, &value))
            run.every = (unsigned)value;
        else if ((option == 'l' || option == 'L') && number(optarg, 0, 1000000, &value))
            lost_plan((int64_t)value, option == 'L');
#ifdef RANKS
        else if (option == 'r')
            run.rank = optarg;
        else if (option == 'x')
            run.exchange = optarg;
#endif
        else if (option == 'c')
            run.checkpoint = optarg;
        else if (option == 'p')
            run.tells_steps = true;
        else if (option == 'm')
            run.tells_times = true;
        else
            return false;
    }
    if (argc - optind != 3)
        return failed("usage", "STEPS, IN and OUT are wanted");
    if (!run.rank != !run.exchange)
        return failed("usage", "-r and -x go together");
    run.in = argv[optind + 1];
    run.out = argv[optind + 2];
    return number(argv[optind], 0, 1000000, &run.steps);
}

static void tell(const char *what, uint64_t step)
{
    if (!run.tells_steps)
        return;
    printf("%s %llu\n", what, (unsigned long long)step);
    fflush(stdout);
}

static void one_step(void)
{
    struct times begin = now();
#ifdef RANKS
    ranks_exchange();
#endif
    team_run(STEP);
    fluid.step++;
    taken.stepped = now();
    keep_least(&taken.compute, begin, taken.stepped);
    taken.move = fmin(taken.move, grid_move_ms());
}

/* Goes on from the state, wherever that comes from. */
static bool compute(void)
{
#ifdef RANKS
    ranks_done();
#endif
    tell("ready", fluid.step);
    while (fluid.step < run.steps) {
        one_step();
        bool is_due = fluid.step % run.every == 0 || fluid.step == run.steps;
        if (run.checkpoint && is_due && !checkpoint_save(run.checkpoint))
            return false;
        if (is_due)
            keep_least(&taken.save, taken.stepped, now());
#ifdef RANKS
        ranks_done();
#endif
        tell("step", fluid.step);
    }
    return true;
}

static void tell_times(void)
{
    printf("restore: %.3f\n", taken.ready.cpu);
    printf("compute: %.3f %.3f\n", taken.compute.wall, taken.compute.cpu);
    printf("move: %.3f\n", taken.move);
    printf("save: %.3f %.3f\n", taken.save.wall, taken.save.cpu);
    printf("written: %llu\n", (unsigned long long)written_bytes);
    printf("pairs: %llu\n", (unsigned long long)grid_pairs());
}

int main(int argc, char **argv)
{
    lost_start(argv);
    if (!read_options(argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
#ifdef RANKS
    if (run.rank && !ranks_start(run.rank, run.exchange))
        return 1;
#endif
    if (!checkpoint_load(run.checkpoint, run.in, run.threads))
        return 1;
    if (!state_is_of_run(run.in, run.steps))
        return 1;
    taken.ready = now();
    if (!grid_make(run.threads) || !team_start(run.threads)) {
        failed("memory", "no memory for %u particles and %u threads", fluid.total, run.threads);
        return 1;
    }
    if (!compute() || !state_save(run.out))
        return 1;
    team_end();
    if (run.tells_times)
        tell_times();
    return 0;
}
