/*===- pages.c - checkpoints by write-protected pages -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "pages.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* In the file: the data, then this, then the pages. The count makes them valid. */
struct log_head {
    uint64_t count;
    uint64_t number[];
};

static char *data;
static size_t data_bytes;
static struct log_head *head;
static char *old_pages;
static unsigned long saved;
static int protects; /* as of the first checkpoint */

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static void save_page(int signal_number, siginfo_t *about, void *context)
{
    (void)context;
    size_t offset = (size_t)((char *)about->si_addr - data);
    if (offset >= data_bytes) {
        signal(signal_number, SIG_DFL);
        return;
    }
    offset &= ~(size_t)(PAGE - 1);
    uint64_t n = head->count;
    memcpy(old_pages + n * PAGE, data + offset, PAGE);
    head->number[n] = offset / PAGE;
    __atomic_store_n(&head->count, n + 1, __ATOMIC_RELEASE);
    saved++;
    mprotect(data + offset, PAGE, PROT_READ | PROT_WRITE);
}

void pages_checkpoint(void)
{
    uint64_t n = head->count;
    __atomic_store_n(&head->count, 0, __ATOMIC_RELEASE);
    if (n > 64 || !protects) { /* one call for all is then cheaper than one for each */
        protects = 1;
        mprotect(data, data_bytes, PROT_READ);
        return;
    }
    for (uint64_t i = 0; i < n; i++)
        mprotect(data + head->number[i] * PAGE, PAGE, PROT_READ);
}

void *pages_open(const char *path, size_t size_bytes)
{
    size_t pages = (size_bytes + PAGE - 1) / PAGE;
    size_t head_bytes = (sizeof(*head) + pages * sizeof(uint64_t) + PAGE - 1) / PAGE * PAGE;
    int file = open(path, O_RDWR | O_CREAT, 0600);
    data_bytes = pages * PAGE;
    if (file < 0 || ftruncate(file, (off_t)(2 * data_bytes + head_bytes)) != 0)
        fail(path);
    data = mmap(NULL, 2 * data_bytes + head_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        fail(path);
    close(file);
    head = (struct log_head *)(data + data_bytes);
    old_pages = data + data_bytes + head_bytes;
    for (uint64_t i = head->count; i-- > 0;)
        memcpy(data + head->number[i] * PAGE, old_pages + i * PAGE, PAGE);
    head->count = 0;
    struct sigaction action = {.sa_sigaction = save_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    return data;
}

unsigned long pages_saved(void)
{
    return saved;
}
