/*===- regions.c - named regions beside a mapped file and libpmemobj --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: regions nvmove|file|libpmemobj FOLDER BYTES
 *
 * Makes a region, touches each of its pages, reads it at random, and finds it again in a second
 * process. One line: microseconds for creation, and nanoseconds for a page's first touch, for a
 * read, and for finding it and touching its first page.
 */
#include <fcntl.h>
#include <libpmemobj.h>
#include <nvmove/region.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, READS = 1000000 };

static char path[4096];

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *failed(const char *what)
{
    fprintf(stderr, "regions: error: %s [regions]\n", what);
    exit(2);
}

/* What is open before: a pool. Not measured. */
static void open_nvmove(unsigned long bytes)
{
    struct nvm_options options = {.engine = "undo", .size_bytes = 2 * bytes + (64ul << 20)};
    if (nvm_open(path, &options) != 0)
        failed(nvm_errormsg());
    nvm_restore();
    nvm_ready();
}

static void *region_nvmove(unsigned long bytes)
{
    void *p = nvm_region("region", bytes);
    return p ? p : failed(nvm_errormsg());
}

static void open_file(unsigned long bytes)
{
    (void)bytes;
}

static void *region_file(unsigned long bytes)
{
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        failed(path);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return p == MAP_FAILED ? failed("mmap") : p;
}

static PMEMobjpool *pool;

static void open_libpmemobj(unsigned long bytes)
{
    pool = access(path, F_OK) ? pmemobj_create(path, "regions", 2 * bytes + (64ul << 20), 0600)
                              : pmemobj_open(path, "regions");
    if (!pool)
        failed(pmemobj_errormsg());
}

static void *region_libpmemobj(unsigned long bytes)
{
    PMEMoid *root = pmemobj_direct(pmemobj_root(pool, sizeof(PMEMoid)));
    if (OID_IS_NULL(*root) && pmemobj_zalloc(pool, root, bytes, 1) != 0)
        failed(pmemobj_errormsg());
    return pmemobj_direct(*root);
}

static const struct manager {
    const char *name;
    void (*open)(unsigned long bytes);
    void *(*region)(unsigned long bytes);
} managers[] = {
    {"nvmove", open_nvmove, region_nvmove},
    {"file", open_file, region_file},
    {"libpmemobj", open_libpmemobj, region_libpmemobj},
};

/* In a process of its own: what it measures. */
static void measure(const struct manager *m, unsigned long bytes, int again, double *out)
{
    m->open(bytes);
    double begin = now_ns();
    volatile char *p = m->region(bytes);
    double made = now_ns();
    if (again) {
        if (p[0] != 1)
            failed("the region has lost its content");
        out[3] = now_ns() - begin;
        return;
    }
    out[0] = (made - begin) / 1000;
    for (unsigned long at = 0; at < bytes; at += PAGE) {
        nvm_begin();
        *NVM_BUF(&p[at], 1) = 1;
        nvm_end();
    }
    double touched = now_ns();
    unsigned long random = 42, sum = 0;
    for (int i = 0; i < READS; i++) {
        random = random * 6364136223846793005ul + 1442695040888963407ul;
        sum += (unsigned char)p[(random >> 20) % bytes];
    }
    double read = now_ns();
    out[1] = (touched - made) / (double)(bytes / PAGE);
    out[2] = (read - touched) / READS + (sum > READS);
    if (m->open == open_nvmove)
        nvm_close();
}

int main(int argc, char **argv)
{
    const struct manager *m = managers;
    unsigned long bytes = argc == 4 ? strtoul(argv[3], NULL, 10) / PAGE * PAGE : 0;
    const struct manager *last = managers + sizeof(managers) / sizeof(*managers);
    while (m < last && (argc != 4 || strcmp(m->name, argv[1]) != 0))
        m++;
    if (m == last || bytes == 0) {
        fprintf(stderr, "usage: regions nvmove|file|libpmemobj FOLDER BYTES\n");
        return 2;
    }
    snprintf(path, sizeof(path), "%s/%s", argv[2], m->name);
    double *out = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int again = 0; again < 2; again++) {
        int status = 1;
        if (fork() == 0) {
            measure(m, bytes, again, out);
            _exit(0);
        }
        if (wait(&status) < 0 || status != 0)
            return 2;
    }
    printf("%.1f %.0f %.1f %.0f\n", out[0], out[1], out[2], out[3]);
    return 0;
}
