/*===- relocate.c - nvm-pool relocate: a pool at another address --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * --pointers and --data promise what a type, a field (type.field) or a root is made
 * of, where the pool does not know.
 */
#include "open/relocate.h"
#include "pool_tool.h"
#include "reachability/pointers.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROMISES 256u

static bool parse_address(const char *text, uint64_t *to)
{
    char *end;
    *to = strtoull(text, &end, 0);
    return *text && !*end && *to;
}

int pool_relocate(int argc, char **argv)
{
    static struct nvmi_promise promise[MOST_PROMISES];
    struct nvmi_relocation r = {.promise = promise};
    const char *path = NULL;
    for (int i = 0; i < argc; i++) {
        bool pointers = strcmp(argv[i], "--pointers") == 0;
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--to") == 0 && has_value) {
            if (!parse_address(argv[++i], &r.to))
                return POOL_TOOL_WRONG_CALL;
        } else if ((pointers || strcmp(argv[i], "--data") == 0) && has_value &&
                   r.promise_count < MOST_PROMISES) {
            promise[r.promise_count++] = (struct nvmi_promise){argv[++i], pointers};
        } else if (!path && argv[i][0] != '-') {
            path = argv[i];
        } else {
            return POOL_TOOL_WRONG_CALL;
        }
    }
    if (!path)
        return POOL_TOOL_WRONG_CALL;
    if (nvmi_relocate(path, &r) != 0)
        return pool_complain();
    printf("moved from 0x%" PRIx64 " to 0x%" PRIx64 ", %" PRIu64 " pointers changed\n", r.from,
           r.to, r.pointers);
    return 0;
}
