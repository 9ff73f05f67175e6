/*===- versioned.c - objects with versions ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The versions stand behind the head, each in lines of its own. The head is
 * ordinary data: rolling it back makes the version before current again, whose
 * bytes no one has touched since the last commit. So what the new version
 * overwrites need not be saved.
 */
#include "engines/engine.h"
#include "nvmove/region.h"
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
    struct nvm_versioned *v = nvm_zalloc(type, whole);
    if (v)
        *NVM_OBJ(v) = (struct nvm_versioned){size_bytes, versions, 0, nvmi_pool.epoch + 1};
    return v;
}

const void *nvm_versioned_read(const struct nvm_versioned *v)
{
    return version(v, v->current);
}

const void *nvm_versioned_previous(const struct nvm_versioned *v)
{
    return version(v, (v->current + v->versions - 1) % v->versions);
}

void *nvm_versioned_write(struct nvm_versioned *v)
{
    if (nvmi_pool.open && nvmi_depth == 0)
        nvmi_bug("nvm_versioned_write() outside every section");
    /* Until the commit the current version is this section's own. */
    if (v->epoch != nvmi_pool.epoch + 1 || !nvmi_pool.open) {
        NVM_OBJ(v)->current = (v->current + 1) % v->versions;
        v->epoch = nvmi_pool.epoch + 1;
    }
    unsigned char *p = version(v, v->current);
    nvmi_hook_overwrite(p, v->size_bytes);
    return p;
}
