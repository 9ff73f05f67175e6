/*===- nvm-pool.c - looks at a pool file ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The table of subcommands. info, check and whatever else only looks opens the
 * file for reading only: it never changes a byte. gc opens it as a program would, relocate
 * replaces it.
 */
#define _GNU_SOURCE
#include "examine.h"
#include "locks.h"
#include "pool_tool.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct subcommand {
    const char *name, *arguments, *purpose;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"info", "FILE", "what the pool is, holds and survives", pool_info},
    {"check", "FILE", "reads all of it; status 0 if it is sound, 1 if not", pool_check},
    {"gc", "[--dry-run] FILE", "frees what nothing leads to, puts counts right", pool_gc},
    {"relocate", "[--to ADDRESS] [--pointers NAME].. [--data NAME].. FILE",
     "moves the heap to another address", pool_relocate},
};
#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

int pool_complain(void)
{
    fprintf(stderr, "nvm-pool: error: %s\n", nvm_errormsg());
    return 1;
}

int pool_look(const char *path)
{
    struct nvmi_pool *pool = &nvmi_pool;
    snprintf(pool->path, sizeof(pool->path), "%s", path);
    pool->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat file;
    if (pool->fd < 0 || fstat(pool->fd, &file) != 0)
        return nvmi_fail(errno, "pool-missing", "%s: %s", path, strerror(errno));
    pool->device = file.st_dev;
    pool->inode = file.st_ino;
    return nvmi_examine(pool, true);
}

bool pool_in_use(void)
{
    const struct nvmi_pool *p = &nvmi_pool;
    return nvmi_lock_is_held(p->fd, p->path, p->device, p->inode, NVMI_LOCK_OWNER);
}

static void print_usage(FILE *to)
{
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        fprintf(to, "%s nvm-pool %-6s %-28s %s\n", i ? "      " : "usage:", subcommands[i].name,
                subcommands[i].arguments, subcommands[i].purpose);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return 0;
    }
    int status = POOL_TOOL_WRONG_CALL;
    for (size_t i = 0; argc > 1 && i < SUBCOMMANDS; i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            status = subcommands[i].run(argc - 2, argv + 2);
    if (status == POOL_TOOL_WRONG_CALL)
        print_usage(stderr);
    return status;
}
