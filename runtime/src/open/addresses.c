/*===- addresses.c - the same addresses in each run -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * As the sanitizers of LLVM do it where a layout does not suit them, and setarch -R.
 */
#define _GNU_SOURCE
#include "open/addresses.h"
#include "named/statics.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM "/proc/self/exe"
#define ASK 0xffffffff

static char **arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **argument)
{
    (void)count;
    arguments = argument;
}

/* What the kernel would execute is what runs here, and no loader or emulator that was given it.
 * By name: maps and stat() give one file different devices on btrfs. */
static bool is_executed(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[PATH_MAX + 128], program[PATH_MAX] = "";
    uint64_t start, end, code = (uintptr_t)nvmi_take_same_addresses;
    int name = 0;
    bool same = false;
    while (maps && fgets(line, sizeof(line), maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &start, &end, &name) == 2 &&
            start <= code && code < end) {
            line[strcspn(line, "\n")] = 0;
            same = readlink(PROGRAM, program, sizeof(program) - 1) > 0 &&
                   strcmp(line + name, program) == 0;
            break;
        }
    if (maps)
        fclose(maps);
    return same;
}

/* The path by which it was executed, from which the process has its name; or that of the kernel. */
static const char *path_of_program(void)
{
    const char *path = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    struct stat named, program;
    bool same = path && stat(path, &named) == 0 && stat(PROGRAM, &program) == 0 &&
                named.st_ino == program.st_ino && named.st_dev == program.st_dev;
    return same ? path : PROGRAM;
}

bool nvmi_take_same_addresses(void)
{
    int now = personality(ASK);
    if (now == -1)
        return false;
    if (now & ADDR_NO_RANDOMIZE) {
        personality((unsigned)(now & ~ADDR_NO_RANDOMIZE)); /* for what this program executes */
        return true;
    }
    if (!nvmi_statics_may_move() || !arguments || getauxval(AT_SECURE) || !is_executed() ||
        personality((unsigned)(now | ADDR_NO_RANDOMIZE)) == -1)
        return false;
    execve(path_of_program(), arguments, environ);
    personality((unsigned)now);
    return false;
}
