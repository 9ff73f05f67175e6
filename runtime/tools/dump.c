/*===- dump.c - nvm-pool dump: objects as JSON ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   {"pool": .., "commit": .., "roots": {NAME: VALUE ..}, "objects": {ID: {"type": ..,
 *    "bytes": .., "fields": {..}} ..}}
 *
 * An object's id is its address, and a pointer to it is that id, so shared ones
 * and cycles appear once. What has no layout is text, or bytes as hex digits and
 * the ids of what it points to; so is a field of which the pool knows too little, an
 * array for instance. It does not know which integers are unsigned.
 */
#include "base/error.h"
#include "base/pool.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "named/table.h"
#include "named/types.h"
#include "pool_tool.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_BYTES 16u
#define MOST_HEX_BYTES 64u
#define MOST_ELEMENTS 1000u
#define DEFAULT_DEPTH 16ul

static struct {
    unsigned char *seen; /* one bit per unit: waits to be printed, or was */
    unsigned char **queue;
    size_t count, capacity, next;
} walk;

/* The block that an address in the pool leads to; false: to none. */
static bool target(uint64_t address, struct nvmi_block *out)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    uint64_t offset = address - pool->header.heap_address;
    return offset < pool->header.arena_size_bytes && nvmi_heap_find(pool->heap + offset, out) &&
           out->allocated;
}

static uint64_t id_of(const unsigned char *start)
{
    return nvmi_pool.header.heap_address + (uint64_t)(start - nvmi_pool.heap);
}

/* To be printed once. */
static void enqueue(const struct nvmi_block *block)
{
    size_t unit = (size_t)(block->start - nvmi_heap.pages) / UNIT_BYTES;
    if (walk.seen[unit / 8] >> unit % 8 & 1)
        return;
    walk.seen[unit / 8] |= (unsigned char)(1 << unit % 8);
    if (walk.count == walk.capacity) {
        walk.capacity = walk.capacity ? 2 * walk.capacity : 1024;
        walk.queue = realloc(walk.queue, walk.capacity * sizeof(*walk.queue));
        if (!walk.queue)
            nvmi_die(1, "no-memory", "no memory for the objects");
    }
    walk.queue[walk.count++] = block->start;
}

static void print_string(const unsigned char *p, size_t size_bytes)
{
    putchar('"');
    for (size_t i = 0; i < size_bytes; i++)
        if (p[i] == '"' || p[i] == '\\')
            printf("\\%c", p[i]);
        else if (p[i] < 0x20 || p[i] >= 0x7f)
            printf("\\u%04x", p[i]);
        else
            putchar(p[i]);
    putchar('"');
}

static void print_name(const char *name)
{
    print_string((const unsigned char *)name, strlen(name));
}

static void print_hex(const unsigned char *p, size_t size_bytes)
{
    size_t n = size_bytes < MOST_HEX_BYTES ? size_bytes : MOST_HEX_BYTES;
    fputs("\"hex:", stdout);
    for (size_t i = 0; i < n; i++)
        printf("%02x", p[i]);
    fputs(n < size_bytes ? "..\"" : "\"", stdout);
}

static bool is_text(const unsigned char *p, size_t size_bytes)
{
    size_t n = strnlen((const char *)p, size_bytes);
    for (size_t i = 0; i < n; i++)
        if (!isprint(p[i]) && !isspace(p[i]))
            return false;
    for (size_t i = n; i < size_bytes; i++)
        if (p[i])
            return false;
    return n > 0;
}

/* A word: a pointer to an object, else a number. */
static void print_word(const unsigned char *p)
{
    struct nvmi_block block;
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    if (!target(word, &block)) {
        printf("%" PRId64, (int64_t)word);
        return;
    }
    enqueue(&block);
    uint64_t id = id_of(block.start);
    if (word == id)
        printf("\"0x%" PRIx64 "\"", id);
    else
        printf("\"0x%" PRIx64 "+%" PRIu64 "\"", id, word - id);
}

static void print_words(const unsigned char *p, size_t count)
{
    putchar('[');
    for (size_t i = 0; i < count && i < MOST_ELEMENTS; i++) {
        if (i)
            putchar(',');
        print_word(p + 8 * i);
    }
    putchar(']');
}

static int64_t integer(const unsigned char *p, size_t size_bytes, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 64 - 8 * (unsigned)size_bytes;
    memcpy(&number, p, size_bytes);
    return is_signed ? (int64_t)(number << shift) >> shift : (int64_t)number;
}

/* JSON has no infinity. */
static void print_real(const unsigned char *p, size_t size_bytes)
{
    float single;
    double real;
    long double longest;
    if (size_bytes == sizeof(single)) {
        memcpy(&single, p, sizeof(single));
        printf("\"%.9g\"", (double)single);
    } else if (size_bytes == sizeof(real)) {
        memcpy(&real, p, sizeof(real));
        printf("\"%.17g\"", real);
    } else if (size_bytes == sizeof(longest)) {
        memcpy(&longest, p, sizeof(longest));
        printf("\"%.21Lg\"", longest);
    } else
        print_hex(p, size_bytes);
}

/* Is each word null or a pointer to an object? */
static bool are_pointers(const unsigned char *p, size_t size_bytes)
{
    struct nvmi_block block;
    bool any = false;
    for (size_t i = 0; i + 8 <= size_bytes; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof(word));
        if (word && !target(word, &block))
            return false;
        any = any || word;
    }
    return any && size_bytes % 8 == 0;
}

static void print_untyped(const unsigned char *p, size_t room);

/* What the pool knows no more of than its bytes. */
static void print_bytes(const unsigned char *p, size_t size_bytes)
{
    struct nvmi_block block;
    bool leads_on = false;
    for (size_t i = 0; i + 8 <= size_bytes && !leads_on; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof(word));
        leads_on = target(word, &block);
    }
    if (is_text(p, size_bytes))
        print_string(p, strnlen((const char *)p, size_bytes));
    else if (!leads_on)
        print_hex(p, size_bytes);
    else if (are_pointers(p, size_bytes))
        print_words(p, size_bytes / 8);
    else {
        putchar('{');
        print_untyped(p, size_bytes);
        putchar('}');
    }
}

static bool is_power(size_t size_bytes)
{
    return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

/* A pointer, or an array that is as long: text of six letters could be an address. */
static void print_pointer(const unsigned char *p)
{
    bool some_text = is_text(p, 8) && strnlen((const char *)p, 8) != 6;
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    if (!word || are_pointers(p, 8))
        print_word(p);
    else if (some_text)
        print_string(p, strnlen((const char *)p, 8));
    else
        print_hex(p, 8);
}

static void print_nested(const char *record, const unsigned char *p, size_t size_bytes);

/* Classes as in struct nvm_field: __builtin_classify_type() + 1. */
enum {
    CLASS_UNKNOWN = 0,
    CLASS_INTEGER = 2,
    CLASS_LAST_INTEGER = 5,
    CLASS_POINTER = 6,
    CLASS_REAL = 9
};

static void print_value(const unsigned char *p, size_t size_bytes, const struct nvm_field *field)
{
    unsigned class = field->kind & 0xff, kind = field->kind & ~0xffu;
    bool is_integer = class >= CLASS_INTEGER && class <= CLASS_LAST_INTEGER;
    bool is_bits = class == CLASS_UNKNOWN && strchr(field->name, ':');
    if (kind == NVM_KIND_RECORD && field->record)
        print_nested(field->record, p, size_bytes);
    else if (class == CLASS_REAL)
        print_real(p, size_bytes);
    else if ((kind == NVM_KIND_POINTER || kind == NVM_KIND_VOLATILE) && size_bytes % 8 == 0) {
        if (size_bytes == 8)
            print_word(p);
        else
            print_words(p, size_bytes / 8);
    } else if (size_bytes == 8 && (is_integer || class == CLASS_UNKNOWN))
        print_word(p); /* it may be a pointer in disguise */
    else if (size_bytes == 8 && class == CLASS_POINTER)
        print_pointer(p);
    else if (is_power(size_bytes) && (is_integer || class == CLASS_UNKNOWN))
        printf("%" PRId64, integer(p, size_bytes, !is_bits));
    else
        print_bytes(p, size_bytes);
}

static const struct nvm_disk_entry *type_of(unsigned number)
{
    struct nvm_disk_entry *e = nvmi_entry_first();
    while (e && (e->kind != NVM_ENTRY_TYPE || e->a != number))
        e = nvmi_entry_next(e);
    return e;
}

static void print_fields(const struct nvm_disk_entry *layout, const unsigned char *p, size_t room)
{
    struct nvmi_entry_field at = {0};
    bool any = false;
    putchar('{');
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        uint64_t offset = at.field.offset, size = at.field.size_bytes;
        if (offset > room || nvmi_is_kind(&at.field, NVM_KIND_LINE_LOG))
            continue;
        if (size == 0 || size > room - offset)
            size = room - offset; /* a flexible array */
        if (any)
            putchar(',');
        any = true;
        print_name(at.field.name);
        putchar(':');
        print_value(p + offset, size, &at.field);
    }
    putchar('}');
}

static void print_nested(const char *record, const unsigned char *p, size_t size_bytes)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, record);
    size_t size = layout ? layout->a : 0, count = size ? size_bytes / size : 0;
    if (count == 0 || size_bytes % size) {
        print_bytes(p, size_bytes);
        return;
    }
    if (count == 1) {
        print_fields(layout, p, size);
        return;
    }
    putchar('[');
    for (size_t i = 0; i < count && i < MOST_ELEMENTS; i++) {
        if (i)
            putchar(',');
        print_fields(layout, p + i * size, size);
    }
    putchar(']');
}

static bool all_zero(const unsigned char *p, size_t size_bytes)
{
    while (size_bytes && !*p) {
        p++;
        size_bytes--;
    }
    return size_bytes == 0;
}

/* One record, or several one after the other. What follows them in the block is zero. */
static void print_records(const struct nvm_disk_entry *layout, const unsigned char *p, size_t room)
{
    size_t size = layout->a, count = size ? room / size : 0;
    while (count > 1 && all_zero(p + (count - 1) * size, size))
        count--;
    if (count <= 1) {
        fputs(",\"fields\":", stdout);
        print_fields(layout, p, room);
        return;
    }
    fputs(",\"elements\":[", stdout);
    for (size_t i = 0; i < count && i < MOST_ELEMENTS; i++) {
        if (i)
            putchar(',');
        print_fields(layout, p + i * size, size);
    }
    putchar(']');
}

static void print_untyped(const unsigned char *p, size_t room)
{
    struct nvmi_block block;
    bool any = false;
    if (is_text(p, room)) {
        fputs("\"text\":", stdout);
        print_string(p, strnlen((const char *)p, room));
        return;
    }
    fputs("\"content\":", stdout);
    print_hex(p, room);
    for (size_t i = 0; i + 8 <= room; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof(word));
        if (!target(word, &block))
            continue;
        fputs(any ? "," : ",\"pointers\":[", stdout);
        print_word(p + i);
        any = true;
    }
    if (any)
        putchar(']');
}

static void print_object(const unsigned char *start)
{
    struct nvmi_block block;
    nvmi_heap_find(start, &block);
    const struct nvm_disk_entry *type = type_of(block.type), *layout = NULL;
    const char *name = type ? nvmi_entry_name(type) : "?";
    uint64_t prefix = type ? nvmi_entry_prefix(type) : NVMI_PREFIX_MIXED;
    if (prefix < block.size_bytes)
        layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, name);
    printf("\"0x%" PRIx64 "\":{\"type\":", id_of(start));
    print_name(name);
    printf(",\"bytes\":%zu", block.size_bytes);
    if (layout)
        print_records(layout, start + prefix, block.size_bytes - prefix);
    else {
        putchar(',');
        print_untyped(start, block.size_bytes);
    }
    putchar('}');
}

/* Level by level: an object has the smallest depth that it can have. */
static void print_objects(unsigned long depth)
{
    fputs("\n},\"objects\":{", stdout);
    for (; depth && walk.next < walk.count; depth--)
        for (size_t end = walk.count; walk.next < end; walk.next++) {
            fputs(walk.next ? ",\n" : "\n", stdout);
            print_object(walk.queue[walk.next]);
        }
    printf("\n},\"not_shown\":%zu}\n", walk.count - walk.next);
}

static bool is_root(const struct nvm_disk_entry *e, const char *wanted)
{
    return (e->kind == NVM_ENTRY_ROOT || e->kind == NVM_ENTRY_ARRAY ||
            e->kind == NVM_ENTRY_REGION) &&
           (!wanted || strcmp(wanted, nvmi_entry_name(e)) == 0);
}

static bool has_root(const char *wanted)
{
    struct nvm_disk_entry *e = nvmi_entry_first();
    while (e && !is_root(e, wanted))
        e = nvmi_entry_next(e);
    return e != NULL;
}

static void print_root(struct nvm_disk_entry *e)
{
    const struct nvm_field unknown = {.name = nvmi_entry_name(e)};
    print_name(unknown.name);
    putchar(':');
    if (e->kind == NVM_ENTRY_REGION) /* address, size */
        print_words(nvmi_entry_value(e), 2);
    else
        print_value(nvmi_entry_value(e), e->value_bytes, &unknown);
}

static void print_roots(const char *wanted)
{
    unsigned count = 0;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (is_root(e, wanted)) {
            fputs(count++ ? ",\n" : "\n", stdout);
            print_root(e);
        }
}

static int dump(const char *root, unsigned long depth)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (root && !has_root(root)) {
        fprintf(stderr, "nvm-pool: error: %s has no root %s\n", pool->path, root);
        return 1;
    }
    size_t units = (size_t)pool->backed_pages * (NVM_PAGE_BYTES / UNIT_BYTES);
    walk.count = walk.next = 0;
    walk.seen = calloc(units / 8 + 1, 1);
    if (!walk.seen) {
        perror("nvm-pool");
        return 1;
    }
    fputs("{\"pool\":", stdout);
    print_name(pool->path);
    printf(",\"commit\":%" PRIu64 ",\"roots\":{", pool->epoch);
    print_roots(root);
    print_objects(depth);
    free(walk.seen);
    return 0;
}

int pool_dump(int argc, char **argv)
{
    const char *file = NULL, *root = NULL;
    unsigned long depth = DEFAULT_DEPTH;
    for (int i = 0; i < argc; i++) {
        char *end = "";
        if (strcmp(argv[i], "--depth") == 0 && i + 1 < argc)
            depth = strtoul(argv[++i], &end, 10);
        else if (argv[i][0] == '-' || root)
            return POOL_TOOL_WRONG_CALL;
        else if (file)
            root = argv[i];
        else
            file = argv[i];
        if (*end)
            return POOL_TOOL_WRONG_CALL;
    }
    if (!file)
        return POOL_TOOL_WRONG_CALL;
    return pool_look_whole(file) == 0 ? dump(root, depth) : pool_complain();
}
