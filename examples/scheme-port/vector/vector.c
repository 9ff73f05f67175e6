/*===- vector.c - a sorted vector of keys and values, each put durable ------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: vector PAIRS OPERATIONS PERCENT-OF-PUTS
 *
 * The same text is the unsafe program, that on a mapped file (-DMAPPED), the one with checkpoints
 * by protected pages of a mapped file (-DPAGES), and the one that `nvmove --load load --section
 * put` moves. Prints nanoseconds for each operation of the fastest of ten parts, in processor time,
 * and a sum over what was read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined PAGES
#include "pages.h"
#elif defined MAPPED
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { PARTS = 10 };

struct pair {
    long key, value;
};

static struct pair *pairs;
static long count;

#ifdef MAPPED
static void *mapped(const char *path, size_t size_bytes)
{
    int file = open(path, O_RDWR | O_CREAT, 0600);
    void *p = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)size_bytes) == 0)
        p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return p == MAP_FAILED ? NULL : p;
}
#endif

static void load(long size)
{
    count = size;
#if defined PAGES
    pairs = pages_open(getenv("PAGES"), size * sizeof(*pairs));
#elif defined MAPPED
    pairs = mapped(getenv("PAGES"), size * sizeof(*pairs));
#else
    pairs = malloc(size * sizeof(*pairs));
#endif
    if (!pairs) {
        fprintf(stderr, "vector: error: no memory [vector-memory]\n");
        exit(2);
    }
    for (long i = 0; i < size; i++) {
        pairs[i].key = 2 * i;
        pairs[i].value = i;
    }
}

static struct pair *find(long key)
{
    long low = 0, high = count;
    while (high - low > 1) {
        long middle = (low + high) / 2;
        if (pairs[middle].key <= key)
            low = middle;
        else
            high = middle;
    }
    return &pairs[low];
}

static void put(long key, long value)
{
    find(key)->value = value;
}

static unsigned long next(unsigned long *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long number(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || n < 0) {
        fprintf(stderr, "vector: error: %s is no number [vector-number]\n", text);
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: vector PAIRS OPERATIONS PERCENT-OF-PUTS\n");
        return 2;
    }
    long size = number(argv[1]), operations = number(argv[2]) / PARTS, puts = number(argv[3]);
    unsigned long seed = 42;
    long sum = 0;
    double least = 0;
    load(size);
#ifdef PAGES
    pages_checkpoint();
#endif
    for (int part = 0; part < PARTS; part++) {
        double begin = now_ns();
        for (long i = 0; i < operations; i++) {
            unsigned long r = next(&seed);
            long key = (long)(r >> 8) % (2 * count);
            if ((long)(r & 0xff) * 100 < puts * 256) {
                put(key, i);
#ifdef PAGES
                pages_checkpoint();
#endif
            } else {
                sum += find(key)->value;
            }
        }
        double taken = (now_ns() - begin) / (double)operations;
        if (part == 0 || taken < least)
            least = taken;
    }
    printf("%.1f %ld\n", least, sum);
    return 0;
}
