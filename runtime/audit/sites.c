/*===- sites.c - places of the program that store without announcement ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The source line comes from addr2line, which is there wherever the compiler is.
 */
#define _GNU_SOURCE
#include "sites.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "named/describe.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SITES 4096u
#define PLACE_BYTES 300u

struct site {
    const void *caller;
    unsigned long stores;
    char place[PLACE_BYTES];
};

/* In order of appearance; those that do not fit are counted as the last. */
static struct site *sites;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern char **environ;

/* The module and its own address of the instruction before `caller`. */
static unsigned long module_of(const void *caller, char *path, size_t path_bytes)
{
    Dl_info info;
    struct link_map *map = NULL;
    unsigned long address = (unsigned long)caller - 1;
    ssize_t n = 0;
    if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) {
        snprintf(path, path_bytes, "?");
        return address;
    }
    if (!map->l_name || !*map->l_name) /* the program; its name may have been relative */
        n = readlink("/proc/self/exe", path, path_bytes - 1);
    if (n > 0)
        path[n] = 0;
    else
        snprintf(path, path_bytes, "%s", info.dli_fname);
    return address - map->l_addr;
}

/* The output of addr2line: the function, then file:line; the same of the function
 * that it is inlined into, and so on. */
static void run_addr2line(const char *module, unsigned long address, char *text, size_t text_bytes)
{
    char hex[32], *arguments[] = {"addr2line", "-f", "-i", "-e", (char *)module, hex, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child;
    size_t n = 0;
    snprintf(hex, sizeof(hex), "%#lx", address);
    if (pipe(ends))
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t got = 1; !error && got > 0 && n < text_bytes - 1; n += got > 0 ? (size_t)got : 0)
        got = read(ends[0], text + n, text_bytes - 1 - n);
    close(ends[0]);
    text[n] = 0;
    if (!error)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
}

/* Cuts the line off and gives it back, with the rest in *text; NULL at the end. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = 0;
    *text = end + 1;
    return line;
}

/* "file.c:12 (function)", or the module and the address in it. An inline function
 * of a library's header stands for the place that calls it. */
static void find_place(const void *caller, char *place)
{
    char module[4096], output[8192] = "", *text = output, *function, *line;
    unsigned long address = module_of(caller, module, sizeof(module));
    snprintf(place, PLACE_BYTES, "%.200s+%#lx", module, address);
    run_addr2line(module, address, output, sizeof(output));
    while ((function = take_line(&text)) && (line = take_line(&text)) && *line != '?') {
        char *discriminator = strstr(line, " (discriminator");
        if (discriminator)
            *discriminator = 0;
        snprintf(place, PLACE_BYTES, "%s (%s)", line, function);
        if (strncmp(line, "/usr/include/", 13) != 0)
            break;
    }
}

static struct site *site_of(const void *caller)
{
    if (!sites && !(sites = nvmi_reserve(MOST_SITES * sizeof(*sites))))
        nvmi_die(NVMI_EXIT_START, "no-memory", "no address space for the audit's report");
    for (size_t i = 0; i < count; i++)
        if (sites[i].caller == caller)
            return &sites[i];
    if (count == MOST_SITES)
        return &sites[MOST_SITES - 1];
    sites[count].caller = caller;
    return &sites[count++];
}

void nvmi_site(const void *p, size_t size_bytes, const void *caller)
{
    char what[NVMI_DESCRIPTION_BYTES];
    int error = errno;
    pthread_mutex_lock(&lock);
    struct site *site = site_of(caller);
    if (site->stores++ == 0) {
        pthread_mutex_lock(&nvmi_heap_lock);
        nvmi_describe(p, what, sizeof(what));
        pthread_mutex_unlock(&nvmi_heap_lock);
        find_place(caller, site->place);
        nvmi_note("audit: %s: unannounced store of %zu bytes to %s", site->place, size_bytes, what);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
}

size_t nvmi_sites(unsigned long *stores)
{
    *stores = 0;
    for (size_t i = 0; i < count; i++)
        *stores += sites[i].stores;
    return count;
}

void nvmi_sites_print(void)
{
    for (size_t i = 0; i < count; i++)
        nvmi_note("audit: %s: %lu stores", sites[i].place, sites[i].stores);
}
