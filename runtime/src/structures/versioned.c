/*===- versioned.c - objects with versions ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The versions follow the head, each in lines of its own. Which is current
 * is the value of a cell: rolling that back makes the version before current again,
 * whose bytes no one has touched since the last commit. So what the new version
 * overwrites need not be saved.
 */
#include "base/error.h"
#include "base/pool.h"
#include "commit/thread.h"
#include "hook/hook.h"
#include "named/types.h"
#include "nvmove/region.h"
#include "nvmove/restart.h"
#include <errno.h>

static unsigned char *version(const struct nvm_versioned *v, unsigned long number)
{
    uintptr_t first = nvmi_line_up((uintptr_t)(v + 1));
    return (unsigned char *)first + number * nvmi_line_up(v->size_bytes);
}

struct nvm_versioned *nvm_versioned_new(struct nvm_type *type, size_t size_bytes, unsigned versions)
{
    if (size_bytes == 0 || size_bytes > PTRDIFF_MAX / 8 || versions < 2 || versions > 3) {
        errno = nvmi_fail(EINVAL, "versions", "%u versions of %zu bytes", versions, size_bytes);
        return NULL;
    }
    size_t whole = sizeof(struct nvm_versioned) + NVM_LINE_BYTES + /* for the alignment */
                   versions * nvmi_line_up(size_bytes);
    struct nvm_cell *current = nvm_cell_new(0);
    struct nvm_versioned *v = current ? nvm_zalloc(type, whole) : NULL;
    if (v)
        *NVM_OBJ(v) = (struct nvm_versioned){size_bytes, versions, current, 0};
    else
        nvm_free(current);
    if (v && nvmi_pool.open)
        nvmi_type_saw(type, NVMI_PREFIX_MIXED); /* not laid out as the type is */
    return v;
}

const void *nvm_versioned_read(const struct nvm_versioned *v)
{
    return version(v, (unsigned long)v->current->value);
}

const void *nvm_versioned_previous(const struct nvm_versioned *v)
{
    return version(v, ((unsigned long)v->current->value + v->versions - 1) % v->versions);
}

/* The commit that will make the open section durable. */
static unsigned long next_commit(void)
{
    return (nvmi_pool.threaded ? nvmi_thread_epoch() : nvmi_pool.epoch) + 1;
}

void *nvm_versioned_write(struct nvm_versioned *v)
{
    struct nvm_cell *current = v->current;
    unsigned long next = next_commit();
    if (nvmi_pool.open && nvmi_depth == 0)
        nvmi_bug("nvm_versioned_write() outside every section");
    /* Until the commit the current version is this section's own. */
    if (current->epoch != next || !nvmi_pool.open) {
        nvm_cell_set(current, (current->value + 1) % (long)v->versions);
        if (current->epoch != next)
            NVM(current->epoch) = next;
    }
    unsigned char *p = version(v, (unsigned long)current->value);
    nvmi_hook_overwrite(p, v->size_bytes);
    return p;
}

void nvm_versioned_free(struct nvm_versioned *v)
{
    if (v)
        nvm_free(v->current);
    nvm_free(v);
}
