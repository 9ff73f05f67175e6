/*===- main.c - a simulation that can be interrupted --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "checkpoint.h"
#include "state.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: fluid [-t THREADS] [-c CHECKPOINT] [-e EVERY] [-p] [-m] STEPS IN OUT\n"
    "  Loads the state IN, goes on to step STEPS and saves the state OUT.\n"
    "  -c  saves checkpoints there, and goes on from the last one\n"
    "  -e  after so many steps each (1)\n"
    "  -p  tells each step on stdout\n"
    "  -m  tells at the end what took how long, in ms\n";

static struct {
    unsigned threads, every;
    uint64_t steps;
    const char *checkpoint, *in, *out;
    bool tells_steps, tells_times;
} run = {.threads = 1, .every = 1};

/* What a step, and what is between two steps, took: of all of them the median counts. */
static struct {
    double load, ended;
    double *step, *between;
    size_t count;
} taken;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return count ? values[count / 2] : 0;
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
    while ((option = getopt(argc, argv, "t:c:e:pm")) != -1) {
        if (option == 't' && number(optarg, 1, MOST_THREADS, &value))
            run.threads = (unsigned)value;
        else if (option == 'e' && number(optarg, 1, 1000000, &value))
            run.every = (unsigned)value;
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
    run.in = argv[optind + 1];
    run.out = argv[optind + 2];
    return number(argv[optind], 0, 1000000, &run.steps);
}

static void one_step(void)
{
    double begin = now_ms();
    team_run(STEP);
    fluid.step++;
    taken.ended = now_ms();
    taken.step[taken.count] = taken.ended - begin;
}

/* Goes on from the state, wherever that comes from. */
static bool compute(void)
{
    while (fluid.step < run.steps) {
        one_step();
        if (run.checkpoint && (fluid.step % run.every == 0 || fluid.step == run.steps) &&
            !checkpoint_save(run.checkpoint))
            return false;
        taken.between[taken.count++] = now_ms() - taken.ended;
        if (run.tells_steps) {
            printf("step %llu\n", (unsigned long long)fluid.step);
            fflush(stdout);
        }
    }
    return true;
}

static void tell_times(void)
{
    double all = 0;
    for (size_t i = 0; i < taken.count; i++)
        all += taken.between[i];
    printf("load %.3f\nstep %.3f\nsave %.3f\n", taken.load, median(taken.step, taken.count),
           median(taken.between, taken.count));
    printf("saves %.3f\npairs %llu\n", all, (unsigned long long)grid_pairs());
}

int main(int argc, char **argv)
{
    if (!read_options(argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    double begin = now_ms();
    if (!checkpoint_load(run.checkpoint, run.in, run.threads))
        return 1;
    taken.load = now_ms() - begin;
    taken.step = calloc(run.steps + 1, sizeof(*taken.step));
    taken.between = calloc(run.steps + 1, sizeof(*taken.between));
    if (!taken.step || !taken.between || !grid_make(run.threads) || !team_start(run.threads)) {
        failed("memory", "no memory for %u particles and %u threads", fluid.count, run.threads);
        return 1;
    }
    if (!compute() || !state_save(run.out))
        return 1;
    team_end();
    if (run.tells_times)
        tell_times();
    return 0;
}
