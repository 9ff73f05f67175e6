/*===- symbols.c - functions and variables of the program by name ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * From the table of symbols in its file: that has static functions, too.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LOADS 64u

uintptr_t nvmi_main, nvmi_slide;
static uintptr_t loads[MOST_LOADS];
static unsigned load_count;
static const ElfW(Sym) * symbols;
static size_t symbol_count;
static const char *names;
extern const char __executable_start[], etext[];

bool nvmi_is_text(uintptr_t address)
{
    return address >= (uintptr_t)__executable_start && address < (uintptr_t)etext;
}

uintptr_t nvmi_text(size_t *size_bytes)
{
    *size_bytes = (size_t)(etext - __executable_start);
    return (uintptr_t)__executable_start;
}

bool nvmi_is_load(uintptr_t function)
{
    for (unsigned i = 0; i < load_count; i++)
        if (loads[i] == function)
            return true;
    return false;
}

/* The table stays mapped. */
static bool map_symbols(void)
{
    struct stat info;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const char *file = MAP_FAILED;
    if (fd >= 0 && !fstat(fd, &info))
        file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (file == MAP_FAILED)
        return false;
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    for (unsigned i = 0; header->e_shoff && i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB) {
            symbols = (const void *)(file + sections[i].sh_offset);
            symbol_count = sections[i].sh_size / sizeof(*symbols);
            names = file + sections[sections[i].sh_link].sh_offset;
            return true;
        }
    return false;
}

/* "load", and what gcc makes of it: "load.constprop.0". */
static bool is_named(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(symbol, name, n) && (!symbol[n] || symbol[n] == '.');
}

static bool find_loads(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < symbol_count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx &&
            is_named(names + symbols[i].st_name, name) && load_count < MOST_LOADS) {
            loads[load_count++] = symbols[i].st_value + nvmi_slide;
            found = true;
        }
    return found;
}

static int find_slide(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    nvmi_slide = info->dlpi_addr; /* the program comes first */
    return 1;
}

void nvmi_symbols_read(void)
{
    dl_iterate_phdr(find_slide, NULL);
    if (!map_symbols())
        nvmi_observe_fail("no-symbols", "the program has no table of symbols: link it without -s",
                          "");
    for (size_t i = 0; i < symbol_count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
            !strcmp(names + symbols[i].st_name, "main"))
            nvmi_main = symbols[i].st_value + nvmi_slide;
    for (const char *name = nvmi_observed; *name; name += strlen(name) + 1)
        if (!find_loads(name))
            nvmi_observe_fail(
                "unknown-load-function",
                "nvmove-cc --observe names a function that the program lacks: ", name);
}

void nvmi_each_function(void (*visit)(const char *name, uintptr_t function))
{
    for (size_t i = 0; i < symbol_count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx)
            visit(names + symbols[i].st_name, symbols[i].st_value + nvmi_slide);
}

const char *nvmi_variable_at(uintptr_t address, uintptr_t *start)
{
    const ElfW(Sym) *best = NULL;
    for (size_t i = 0; i < symbol_count; i++) {
        const ElfW(Sym) *s = &symbols[i];
        uintptr_t value = s->st_value + nvmi_slide;
        if (ELF64_ST_TYPE(s->st_info) == STT_OBJECT && address >= value &&
            address < value + s->st_size && (!best || s->st_size > best->st_size))
            best = s;
    }
    if (best)
        *start = best->st_value + nvmi_slide;
    return best ? names + best->st_name : NULL;
}
