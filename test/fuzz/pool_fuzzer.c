/*===- pool_fuzzer.c - pool files that lie ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A real pool of each engine, left by a crash, with some bytes changed:
 * whatever they say, the opener and nvm-pool read nothing outside of the file,
 * end, and change nothing. Checksums are made anew on demand, so that what they
 * cover is looked at as well.
 *
 * Input: engine; checksums and which command; then changes of eight bytes: part
 * of the file, how, offset in the part (2 bytes), value (4 bytes).
 */
#define _GNU_SOURCE
#include "../../runtime/tools/pool_tool.h"
#include "base/crc32c.h"
#include "base/pool.h"
#include "heap/directory.h"
#include "heap/heap.h"
#include "medium/header.h"
#include "medium/mapping.h"
#include "nvmove/nvm.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENGINES = 7, PARTS = 10, MOST_CHANGES = 16 };
static const char *const engine_name[ENGINES] = {
    "redo", "undo", "flush", "versions", "incll", "dual", "checkpoint"};

struct seed {
  char path[64];
  int fd;
  uint64_t header_at;
  struct nvm_disk_header header;
  uint64_t part[PARTS];
};
static struct seed seeds[ENGINES];

struct item {
  struct item *next;
  long value;
};
NVM_TYPE(item);
static struct item *items;
static long steps;

static void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "pool_fuzzer: %s: %s\n", what, nvm_errormsg());
    abort();
  }
}

static void step(void) {
  struct item *i = nvm_alloc(&nvm_type_item, sizeof(*i));
  require(i != NULL, "no memory");
  *NVM_OBJ(i) = (struct item){items, ++steps};
  items = i;
  void *large = nvm_zalloc(&nvm_type_bytes, 70000 + (size_t)steps);
  if (steps % 2)
    nvm_free(large);
}

/* As a crash leaves it: with a log, in the middle of a section. */
static void make_pool(const char *path, const char *engine) {
  static const struct nvm_field fields[] = {NVM_POINTER(struct item, next),
                                            NVM_FIELD(struct item, value)};
  struct nvm_options options = {.size_bytes = 16ul << 20,
                                .max_size_bytes = 16ul << 20,
                                .engine = engine,
                                .epoch_ms = -1};
  nvm_layout(&nvm_type_item, sizeof(struct item), fields, 2);
  NVM_ROOT(items);
  NVM_ROOT(steps);
  require(nvm_open(path, &options) == 0, "nvm_open");
  nvm_restore();
  step();
  nvm_ready();
  for (int i = 0; i < 12; i++) {
    nvm_begin();
    step();
    if (i == 11)
      _exit(0);
    nvm_end();
  }
}

static void make_seed(struct seed *s, const char *engine) {
  int status;
  struct nvmi_peek peek;
  snprintf(s->path, sizeof(s->path), "/dev/shm/nvmove-fuzz-%d-%s",
           (int)getpid(), engine);
  pid_t child = fork();
  if (child == 0)
    make_pool(s->path, engine);
  require(waitpid(child, &status, 0) == child && status == 0, "no seed");
  s->fd = open(s->path, O_RDWR | O_CLOEXEC);
  unlink(s->path);
  snprintf(s->path, sizeof(s->path), "/proc/self/fd/%d", s->fd);
  require(nvmi_peek(s->fd, s->path, &peek) == 0, "peek");
  const struct nvm_disk_header *h = &peek.header;
  s->header = *h;
  s->header_at = peek.control_offset - NVM_CONTROL_OFFSET;
  uint64_t part[PARTS] = {0,
                          4096,
                          s->header_at,
                          peek.control_offset,
                          h->log_offset,
                          h->arena_offset,
                          h->arena_offset + h->directory_offset,
                          h->arena_offset + h->bitmap_offset,
                          h->arena_offset + h->table_offset,
                          h->arena_offset + h->page_offset};
  memcpy(s->part, part, sizeof(part));
}

static void end(void) {
  for (int i = 0; i < ENGINES; i++)
    close(seeds[i].fd);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  for (int i = 0; i < ENGINES; i++)
    make_seed(&seeds[i], engine_name[i]);
  if (!freopen("/dev/null", "w", stdout))
    abort();
  atexit(end);
  return 0;
}

struct change {
  uint64_t at;
  uint32_t before, after;
};

static void put(const struct seed *s, struct change *c, uint64_t at,
                uint32_t value) {
  c->at = at;
  c->after = value;
  require(pread(s->fd, &c->before, 4, (off_t)at) == 4 &&
              pwrite(s->fd, &value, 4, (off_t)at) == 4,
          "change");
}

/* A checksum over [at, at + covered) that follows it. */
static void seal(const struct seed *s, struct change *c, uint64_t at,
                 size_t covered) {
  unsigned char bytes[256];
  require(pread(s->fd, bytes, covered, (off_t)at) == (ssize_t)covered, "seal");
  put(s, c, at + covered, nvmi_crc32c(0, bytes, covered));
}

/* One entry of the page directory. */
static void seal_page(const struct seed *s, struct change *c, uint32_t number) {
  struct nvm_disk_page page;
  uint64_t at = s->part[6] + number * sizeof(page);
  require(pread(s->fd, &page, sizeof(page), (off_t)at) == sizeof(page), "seal");
  put(s, c, at + offsetof(struct nvm_disk_page, crc),
      nvmi_page_crc(&page, number));
}

static unsigned apply(const struct seed *s, unsigned seals, const uint8_t *data,
                      size_t size, struct change *change) {
  unsigned count = 0;
  for (; size >= 8 && count < MOST_CHANGES; data += 8, size -= 8) {
    uint16_t offset;
    uint32_t value;
    memcpy(&offset, data + 2, 2);
    memcpy(&value, data + 4, 4);
    /* Most fields stand at the start. */
    uint64_t at = s->part[data[0] % PARTS] +
                  (data[1] & 1 ? offset : offset % 192) / 4 * 4;
    put(s, &change[count++], at, value);
    if (data[0] % PARTS == 6 && seals & 8)
      seal_page(s, &change[count++],
                (uint32_t)((at - s->part[6]) / sizeof(struct nvm_disk_page)));
  }
  if (seals & 1)
    seal(s, &change[count++], s->header_at,
         offsetof(struct nvm_disk_header, crc));
  for (unsigned i = 0; i < 2 && seals & 2; i++)
    seal(s, &change[count++], s->part[3] + i * NVM_LINE_BYTES,
         offsetof(struct nvm_disk_control, crc));
  if (seals & 4)
    seal(s, &change[count++], s->part[5], offsetof(struct nvm_disk_heap, crc));
  return count;
}

static void put_away(void) {
  nvmi_heap_close();
  nvmi_unmap(&nvmi_pool);
  if (nvmi_pool.fd >= 0)
    close(nvmi_pool.fd);
  nvmi_pool = (struct nvmi_pool){.fd = -1};
}

int pool_complain(void) { return 1; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int (*const commands[])(int, char **) = {pool_info, pool_check,
                                                  pool_stats, pool_dump};
  struct change change[2 * MOST_CHANGES + 8];
  if (size < 2)
    return 0;
  struct seed *s = &seeds[data[0] % ENGINES];
  unsigned count = apply(s, data[1], data + 2, size - 2, change);
  char *arguments[] = {s->path, NULL};
  int status = commands[data[1] >> 6](1, arguments);
  require(status == 0 || status == 1, "status");
  put_away();
  for (unsigned i = count; i-- > 0;) {
    uint32_t now;
    require(pread(s->fd, &now, 4, (off_t)change[i].at) == 4 &&
                now == change[i].after,
            "the file was written to");
    require(pwrite(s->fd, &change[i].before, 4, (off_t)change[i].at) == 4,
            "undo");
  }
  return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
/* Half of the time one more change, or another one, with a value that is small,
 * huge or one bit. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed) {
  if (rand_r(&seed) % 2 && size > 2)
    return LLVMFuzzerMutate(data, size, max_size);
  if (size < 2) {
    data[0] = (uint8_t)rand_r(&seed);
    data[1] = (uint8_t)rand_r(&seed);
    size = 2;
  }
  size_t at = 2 + (size_t)rand_r(&seed) % ((size - 2) / 8 + 1) * 8;
  if (at + 8 > max_size)
    return size;
  const uint32_t values[] = {(uint32_t)rand_r(&seed) % 300,
                             ~((uint32_t)rand_r(&seed) % 70000),
                             1u << rand_r(&seed) % 32, (uint32_t)rand_r(&seed)};
  uint16_t offset = (uint16_t)rand_r(&seed);
  data[at] = (uint8_t)rand_r(&seed);
  data[at + 1] = (uint8_t)rand_r(&seed);
  memcpy(data + at + 2, &offset, 2);
  memcpy(data + at + 4, &values[rand_r(&seed) % 4], 4);
  return at + 8 > size ? at + 8 : size;
}
