/*===- runtime/src/base/layout.h - what lies on the medium ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   pool file (made and opened by libpmemobj)
 *     root object      header | control slot 0 | control slot 1 | marks | counters
 *     last object      log (redo: records, appended from the start; other engines: see there)
 *                      arena; both go on behind libpmemobj's heap to the end of the file
 *
 *   The file is as long as the pool may become; what is not in use has no blocks (backing.h).
 *
 *   arena, seen through any mapping
 *     heap header | runs | page directory | bitmaps | tables | twins | pages of 64 KiB
 *
 * The header never changes after creation. Everything in the arena is ordinary
 * logged data: it changes only by commits. A control slot is written whole and
 * in turns, so that a torn write leaves the other one.
 *
 * Invariants
 *   epoch of the pool   = control.base_epoch - 1, with redo + number of valid records
 *   state of the pool   = redo: home arena + records of the log, in order
 *   record k of the log   has epoch control.base_epoch + k and lap control.sequence
 *   bitmap of a page      is all zero unless the page is a slab
 *   pages from heap.virgin_page on hold only zero bytes
 *   twins               are not logged: refreshed from the program at each start
 */
#ifndef NVMOVE_SRC_LAYOUT_H
#define NVMOVE_SRC_LAYOUT_H

#include <stdint.h>

#define NVM_DISK_LAYOUT_NAME "nvmove"
#define NVM_DISK_MAGIC 0x313045564f4d564eull
#define NVM_DISK_VERSION 5u
#ifndef NVM_HEAP_ADDRESS /* ThreadSanitizer keeps this one to itself */
#define NVM_HEAP_ADDRESS 0x200000000000ull
#endif

#define NVM_LINE_BYTES 64u
#define NVM_PAGE_BYTES 65536u
#define NVM_CONTROL_OFFSET 1024u /* from the header; two slots of one line, then the marks */
#define NVM_ROOT_BYTES 4096u

static inline uint64_t nvmi_line_up(uint64_t size_bytes)
{
    return (size_bytes + NVM_LINE_BYTES - 1) / NVM_LINE_BYTES * NVM_LINE_BYTES;
}

/* First 64-byte boundary of libpmemobj's root object. */
struct nvm_disk_header {
    uint64_t magic;
    uint32_t version;
    uint32_t engine;             /* its number; 0: redo */
    uint64_t pool_size_bytes;    /* size of the file: what the pool may grow to */
    uint64_t initial_size_bytes; /* so much of it had blocks when it was made */
    uint64_t heap_address;       /* where the arena is mapped in every run */
    uint64_t arena_offset;       /* in the file; multiple of NVM_PAGE_BYTES */
    uint64_t arena_size_bytes;
    uint64_t log_offset; /* in the file; multiple of NVM_PAGE_BYTES. The engine's area */
    uint64_t log_size_bytes;
    uint64_t log_soft_bytes; /* the log is applied when it would pass this */
    uint64_t page_count;
    uint64_t directory_offset; /* these: in the arena */
    uint64_t bitmap_offset;
    uint64_t table_offset, table_size_bytes;
    uint64_t twin_offset, twin_size_bytes;
    uint64_t page_offset;
    uint64_t created_unix_s;
    uint8_t uuid[16];
    uint32_t reserved;
    uint32_t crc; /* CRC-32C of all bytes before */
};
_Static_assert(sizeof(struct nvm_disk_header) == 176, "no padding");
_Static_assert(sizeof(struct nvm_disk_header) <= NVM_CONTROL_OFFSET, "slots follow");

/* States. Far apart, so that no flipped bit turns one into another. */
#define NVM_STATE_IMPORTING 0x474e4954524f504dull /* no commit yet, arena all zero */
#define NVM_STATE_WRITING 0x2d2d474e49544952ull   /* first commit began: arena is to be wiped */
#define NVM_STATE_VALID 0x21212144494c4156ull

struct nvm_disk_control {
    uint64_t sequence; /* the slot is sequence % 2; the greater valid one counts */
    uint64_t state;
    uint64_t base_epoch;  /* of the first record in the log */
    uint64_t dirty_pages; /* pages below this may hold bytes that no commit covers */
    uint64_t copy;        /* engines with two copies of the arena: the one that counts */
    uint64_t list;        /* engine dual: CRC of the last commit's list, + 1; 0: it has none */
    uint64_t settled;     /* engine tx: 1, libpmemobj has nothing to roll back */
    uint32_t pad;
    uint32_t crc;
};
_Static_assert(sizeof(struct nvm_disk_control) == NVM_LINE_BYTES, "one line");

/* The marks follow the slots. Each of the two words is stored after the barrier that follows
 * what it speaks of, and no barrier waits for it: what it says is true, what it does not say
 * may be true, too. A crash of the process leaves them exact, a loss of power may leave them
 * out of date. By them damage is known from what a crash has torn. */
struct nvm_disk_marks {
    uint64_t sequence; /* of a control slot that was whole */
    uint64_t saved;    /* upper half: the lower half of an epoch's number; lower half: so much
                          that its engine saved in it was whole, counted as the engine does */
    uint64_t reserved[6];
};
_Static_assert(sizeof(struct nvm_disk_marks) == NVM_LINE_BYTES, "one line");
#define NVM_MARKS_OFFSET (2 * NVM_LINE_BYTES) /* from the first slot */

/* After the marks: what the process that had the pool last has counted. It is for
 * people to read: never flushed, checked by nothing, and nothing depends on it. */
#define NVM_COUNTERS_MAGIC 0x73726574636f4d56ull
struct nvm_disk_counters {
    uint64_t magic; /* else nothing was counted */
    uint64_t started_unix_s;
    char media[16]; /* ends with a 0 */
    uint64_t stores, sections, lines_logged, log_bytes, checkpoints, media_waits;
    uint64_t lines_written, lines_flushed, fences, lines_read, energy_nj;
    uint64_t replica_lag; /* commits that the replica had not confirmed */
};
_Static_assert(sizeof(struct nvm_disk_counters) == 2 * NVM_LINE_BYTES, "two lines");
#define NVM_COUNTERS_OFFSET (NVM_MARKS_OFFSET + NVM_LINE_BYTES) /* from the first slot */

/* One commit in the log: head, line numbers (uint32_t, filled up to a line),
 * zero ranges (filled up to a line), line images. */
#define NVM_RECORD_MAGIC 0x64726f6365724d56ull
struct nvm_disk_record {
    uint64_t magic;
    uint64_t epoch;
    uint64_t size_bytes;   /* of all parts; multiple of a line */
    uint64_t pool_tag;     /* first half of the uuid */
    uint64_t synced_epoch; /* records up to this one were on the medium before */
    uint32_t line_count;
    uint32_t zero_count;
    uint64_t lap; /* control.sequence when the log started over; older laps' records are dead */
    uint32_t pad;
    uint32_t crc; /* over head without this field, numbers, ranges, and the CRCs of the images */
};
_Static_assert(sizeof(struct nvm_disk_record) == NVM_LINE_BYTES, "one line");

struct nvm_disk_zero {
    uint64_t offset, size_bytes; /* in the arena; multiples of a line; before the images */
};

/* Start of the arena. */
#define NVM_HEAP_MAGIC 0x504145484d564e00ull
struct nvm_disk_heap {
    uint64_t magic;
    uint64_t virgin_page;
    uint64_t table_used_bytes;
    uint64_t twin_used_bytes;
    uint32_t load_done; /* 1: these are the load's result and errno; 2: likewise, and what the
                           program makes since there was nothing to load is not there yet */
    int32_t load_errno;
    int64_t load_result;
    uint64_t headroom_pages; /* free pages that sections leave to the next start-up */
    uint32_t statics_named;  /* n: some pointers to statics are numbers, of place n - 1, see
                                reachability/follow.c */
    uint32_t crc;            /* of the fields above, as of each commit */
};
_Static_assert(sizeof(struct nvm_disk_heap) == NVM_LINE_BYTES, "one line");

/* After the heap header: which process made which commits, of a pool that has had a replica;
 * else all zero. Two pools whose last run and last commit are the same hold the same: each
 * start of a program enters a new run with its first commit. The entry of run n is n % NVM_RUNS. */
#define NVM_RUNS 251u
#define NVM_RUNS_MAGIC 0x736e7572204d564eull
struct nvm_disk_run {
    uint64_t id, first_epoch;
};
struct nvm_disk_runs {
    uint64_t magic;
    uint64_t count;
    struct nvm_disk_run run[NVM_RUNS];
};
_Static_assert(sizeof(struct nvm_disk_heap) + sizeof(struct nvm_disk_runs) == 4096,
               "the page directory follows");

/* Page directory. */
enum nvm_page_state { NVM_PAGE_FREE = 0, NVM_PAGE_SLAB = 1, NVM_PAGE_LARGE = 2, NVM_PAGE_TAIL = 3 };
struct nvm_disk_page {
    uint8_t state;
    uint8_t size_class; /* slab */
    uint16_t type;      /* slab, large */
    uint32_t run;       /* large: pages; tail: distance to its large */
    uint32_t slack;     /* large: unused 16-byte units at the end */
    uint32_t crc;       /* of the fields above and the page's number; 0 when all are 0 */
};
_Static_assert(sizeof(struct nvm_disk_page) == 16, "four to a line");
#define NVM_BITMAP_BYTES (NVM_PAGE_BYTES / 16 / 8)

/* Blocks of this type are struct nvm_cell: the engine rolls them back by the copies in them. */
#define NVMI_CELL_BYTES 32u
#define NVMI_CELL_TYPE "nvm.cell"

/* Tables: entries one after the other, never removed. */
enum nvm_entry_kind {
    NVM_ENTRY_TYPE = 1,   /* a = number of the type, b = prefix of its blocks + 1, 0: unknown,
                             UINT64_MAX: not always the same */
    NVM_ENTRY_LAYOUT = 2, /* a = size of the type; fields */
    NVM_ENTRY_ROOT = 3,   /* value = the bytes; b = 1: pointers */
    NVM_ENTRY_ARRAY = 4,  /* a = size of an element; fields; value = the pointer */
    NVM_ENTRY_KEEP = 5,   /* value = the bytes */
    NVM_ENTRY_TWIN = 6,   /* a = offset in the arena, b = capacity */
    NVM_ENTRY_REGION = 7, /* value = address and size */
    NVM_ENTRY_CODE = 8,   /* a = offset in the arena, among the twins */
    NVM_ENTRY_STATIC = 9  /* a = size of an element, b = size; value = address, build */
};
struct nvm_disk_entry {
    uint32_t size_bytes;   /* of the whole entry; multiple of 8 */
    uint32_t value_offset; /* what lies before is immutable and covered by crc */
    uint32_t crc;
    uint16_t kind;
    uint16_t name_bytes; /* with the final 0; the name follows the entry */
    uint32_t field_count;
    uint32_t value_bytes;
    uint64_t a, b;
};
_Static_assert(sizeof(struct nvm_disk_entry) == 40, "no padding");
/* The fields follow the name (which is filled up to 8 bytes). */
struct nvm_disk_field {
    uint64_t offset, size_bytes;
    /* With the final 0. The name follows, and after it, if name_bytes says so, the
     * name of the record that it holds; filled up to 8 bytes. */
    uint32_t name_bytes;
    uint32_t kind; /* as in struct nvm_field; 0: not known when the entry was made */
};
_Static_assert(sizeof(struct nvm_disk_field) == 24, "no padding");

#endif /* NVMOVE_SRC_LAYOUT_H */
