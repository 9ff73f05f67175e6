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
#include "nvmove/nvm.h"
#include "pool_tool.h"
#include <stdio.h>
#include <string.h>

static const struct subcommand {
    const char *name, *arguments, *purpose;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"info", "FILE", "properties and contents of the pool", pool_info},
    {"check", "FILE", "reads all of it; status 0 if it is sound, 1 if not", pool_check},
    {"stats", "FILE", "objects, bytes and pages of each type", pool_stats},
    {"dump", "FILE [ROOT] [--depth N]", "objects reachable from the roots, as JSON", pool_dump},
    {"gc", "[--dry-run] [--typed] FILE", "frees unreachable objects, corrects counts", pool_gc},
    {"relocate", "[--to ADDRESS] [--pointers NAME].. [--data NAME].. FILE",
     "moves the heap to another address", pool_relocate},
};
#define SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

int pool_complain(void)
{
    fprintf(stderr, "nvm-pool: error: %s\n", nvm_errormsg());
    return 1;
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
