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
#include "base/image.h"
#include "named/statics.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PROGRAM "/proc/self/exe"
#define ASK 0xffffffff

static char **arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **argument)
{
    (void)count;
    arguments = argument;
}

/* What the kernel would execute is what runs here, and no loader or emulator that was given it. */
static bool is_executed(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    uint64_t start, end, inode, code = (uintptr_t)nvmi_take_same_addresses;
    unsigned device_major, device_minor;
    struct stat program;
    bool same = false;
    while (maps && fgets(line, sizeof(line), maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %x:%x %" SCNu64, &start, &end,
                   &device_major, &device_minor, &inode) == 5 &&
            start <= code && code < end) {
            same = stat(PROGRAM, &program) == 0 && program.st_ino == inode &&
                   program.st_dev == makedev(device_major, device_minor);
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

void nvmi_take_same_addresses(void)
{
    const char *keeps = getenv("NVM_ASLR");
    int now = personality(ASK);
    if (now == -1 || (keeps && *keeps && strcmp(keeps, "0") != 0))
        return;
    if (now & ADDR_NO_RANDOMIZE) {
        nvmi_images_stay = true;
        personality((unsigned)(now & ~ADDR_NO_RANDOMIZE)); /* for what this program executes */
        return;
    }
    if (!nvmi_statics_may_move() || !arguments || getauxval(AT_SECURE) || !is_executed() ||
        personality((unsigned)(now | ADDR_NO_RANDOMIZE)) == -1)
        return;
    execve(path_of_program(), arguments, environ);
    personality((unsigned)now);
}
