/*===- describe.c - what stands at an address of the heap -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/describe.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "named/types.h"
#include <stdio.h>

/* The field that holds this byte of an object of the type; NULL: padding. Its last
 * field may have no size of its own and go on to the end of the block. */
static const struct nvm_field *field_at(const struct nvm_type *type, size_t offset)
{
    for (unsigned i = 0; i < type->field_count; i++) {
        const struct nvm_field *f = &type->fields[i];
        if (offset >= f->offset && (f->size_bytes == 0 || offset - f->offset < f->size_bytes))
            return f;
    }
    return NULL;
}

static void describe_field(unsigned id, size_t offset, char *text, size_t text_bytes)
{
    const char *name = nvmi_type_name(id);
    const struct nvm_type *type = nvmi_type_layout(name);
    uint64_t prefix = nvmi_type_prefix(id);
    if (type && prefix != NVMI_PREFIX_MIXED && offset < prefix) {
        snprintf(text, text_bytes, "the memory before %s", name);
        return;
    }
    /* Not known: objects allocated directly begin at the start. */
    offset -= type && prefix != NVMI_PREFIX_MIXED ? prefix : 0;
    const struct nvm_field *last =
        type && type->field_count ? &type->fields[type->field_count - 1] : NULL;
    bool flexible = last && last->size_bytes == 0;
    size_t element = 0;
    if (type && type->size_bytes && !flexible) {
        element = offset / type->size_bytes;
        offset %= type->size_bytes;
    }
    const struct nvm_field *field = type ? field_at(type, offset) : NULL;
    char index[32] = "";
    if (element)
        snprintf(index, sizeof(index), "[%zu]", element);
    snprintf(text, text_bytes, "%s%s%s%s", name, index, field ? "." : "", field ? field->name : "");
}

void nvmi_describe(const void *p, char *text, size_t text_bytes)
{
    struct nvmi_block block;
    char field[NVMI_DESCRIPTION_BYTES / 2];
    if (!nvmi_heap_find(p, &block)) {
        snprintf(text, text_bytes, "%p, outside of all objects", p);
        return;
    }
    size_t offset = (size_t)((const unsigned char *)p - block.start);
    describe_field(block.type, offset, field, sizeof(field));
    snprintf(text, text_bytes, "%p: %s, offset %zu of %s of %zu bytes at %p", p, field, offset,
             block.allocated ? "the object" : "a free block", block.size_bytes,
             (void *)block.start);
}
