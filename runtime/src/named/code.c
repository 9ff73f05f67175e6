/*===- code.c - functions that persistent objects point to ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Each has an entry of its own among the twins: a jump to wherever the function
 * lies in this process. Objects hold the entry's address, which stays. The entries
 * fill machine pages of private memory, laid over the file's, that are first written
 * and then made executable; they never reach the medium.
 */
#define _GNU_SOURCE
#include "named/code.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "named/table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STUB_BYTES 32u

struct code {
    const char *name;
    nvm_function *function;
    unsigned char *stub; /* NULL while no pool is open */
};
static struct code *codes; /* sorted by the function's address while a pool is open */
static size_t code_count, code_capacity;

void nvm_register_code(const char *name, nvm_function *function)
{
    nvmi_register_early("function", name);
    for (size_t i = 0; i < code_count; i++)
        if (strcmp(codes[i].name, name) == 0)
            nvmi_die(NVMI_EXIT_START, "code-twice", "function %s is registered twice", name);
    codes = nvmi_grow(codes, code_count, &code_capacity, sizeof(*codes), "the functions");
    codes[code_count++] = (struct code){name, function, NULL};
}

static bool is_registered(const char *name)
{
    for (size_t i = 0; i < code_count; i++)
        if (strcmp(codes[i].name, name) == 0)
            return true;
    return false;
}

int nvmi_codes_check(void)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_CODE && !is_registered(nvmi_entry_name(e)))
            return nvmi_fail(
                ENOEXEC, "pool-layout",
                "%s: objects may point to function %s, which this program does not have",
                nvmi_pool.path, nvmi_entry_name(e));
    return 0;
}

/* A jump to an address that follows it. */
static void write_stub(unsigned char *to, nvm_function *function)
{
    uint64_t address = (uint64_t)(uintptr_t)function;
#if defined(__x86_64__)
    static const unsigned char jump[] = {0xf3, 0x0f, 0x1e, 0xfa,       /* endbr64 */
                                         0xff, 0x25, 0,    0,    0, 0, /* jmp *(%rip) */
                                         0,    0,    0,    0,    0, 0};
    static const size_t address_at = 10;
#elif defined(__aarch64__)
    static const unsigned char jump[] = {0x5f, 0x24, 0x03, 0xd5, /* bti c */
                                         0x70, 0x00, 0x00, 0x58, /* ldr x16, .+12 */
                                         0x00, 0x02, 0x1f, 0xd6, /* br x16 */
                                         0,    0,    0,    0};
    static const size_t address_at = 16;
#else
#error "write the jump for this processor"
#endif
    memcpy(to, jump, sizeof(jump));
    memcpy(to + address_at, &address, sizeof(address));
}

/* The next place: after the last one, or on a page of its own. */
static uint64_t next_place(void)
{
    struct nvm_disk_heap *header = nvmi_heap_header();
    const struct nvm_disk_header *h = &nvmi_pool.header;
    uint64_t last = 0;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_CODE)
            last = e->a;
    if (last && (last + STUB_BYTES) % NVMI_MACHINE_PAGE_BYTES)
        return last + STUB_BYTES;
    uint64_t page = (h->twin_offset + header->twin_used_bytes + NVMI_MACHINE_PAGE_BYTES - 1) /
                    NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES;
    if (page + NVMI_MACHINE_PAGE_BYTES > h->twin_offset + h->twin_size_bytes)
        nvmi_die(NVMI_EXIT_FULL, "pool-full", "%s: no space for the entries of functions",
                 nvmi_pool.path);
    NVM(header->twin_used_bytes) = page + NVMI_MACHINE_PAGE_BYTES - h->twin_offset;
    return page;
}

static unsigned char *page_of(uint64_t offset)
{
    return nvmi_pool.heap + offset / NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES;
}

static _Noreturn void not_executable(void)
{
    nvmi_die(NVMI_EXIT_START, "code", "%s: memory cannot be made executable: %s", nvmi_pool.path,
             strerror(errno));
}

/* Entries lie one after the other, so a page begins with one. */
static void each_page(void (*act)(unsigned char *page))
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_CODE && e->a % NVMI_MACHINE_PAGE_BYTES == 0)
            act(page_of(e->a));
}

static void make_private(unsigned char *page)
{
    if (mmap(page, NVMI_MACHINE_PAGE_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        not_executable();
}

static void make_executable(unsigned char *page)
{
    if (mprotect(page, NVMI_MACHINE_PAGE_BYTES, PROT_READ | PROT_EXEC) != 0)
        not_executable();
    __builtin___clear_cache((char *)page, (char *)page + NVMI_MACHINE_PAGE_BYTES);
}

void nvmi_codes_protect(void)
{
    each_page(make_executable);
}

bool nvmi_is_code(uint64_t offset)
{
    for (size_t i = 0; i < code_count; i++)
        if (codes[i].stub && page_of((uint64_t)(codes[i].stub - nvmi_pool.heap)) == page_of(offset))
            return true;
    return false;
}

static int by_function(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct code *)a)->function;
    uintptr_t y = (uintptr_t)((const struct code *)b)->function;
    return (x > y) - (x < y);
}

void nvmi_codes_enter(void)
{
    if (code_count == 0)
        return;
    for (size_t i = 0; i < code_count; i++)
        if (!nvmi_entry_find(NVM_ENTRY_CODE, codes[i].name))
            nvmi_entry_add(NVM_ENTRY_CODE, codes[i].name, next_place(), 0, (struct nvmi_fields){0},
                           0);
    each_page(make_private);
    for (size_t i = 0; i < code_count; i++) {
        codes[i].stub = nvmi_pool.heap + nvmi_entry_find(NVM_ENTRY_CODE, codes[i].name)->a;
        write_stub(codes[i].stub, codes[i].function);
    }
    nvmi_codes_protect();
    qsort(codes, code_count, sizeof(*codes), by_function);
}

void nvmi_codes_close(void)
{
    for (size_t i = 0; i < code_count; i++)
        codes[i].stub = NULL;
}

nvm_function *nvm_code_of(nvm_function *function)
{
    size_t low = 0, high = nvmi_pool.open ? code_count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uintptr_t)codes[middle].function < (uintptr_t)function)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == code_count || codes[low].function != function || !codes[low].stub)
        return function;
    return (nvm_function *)(uintptr_t)codes[low].stub;
}
