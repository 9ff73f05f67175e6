/*===- sim.c - a medium that remembers what a power cut would leave ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "sim.h"
#include "crc32c.h"
#include "persist.h"
#include "pool.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE NVM_LINE_BYTES
#define SLOTS (1u << 18)

/* A line that is not known to be on the medium. */
struct pending {
  unsigned char *line;
  unsigned char
      *versions; /* the one on the medium, then each one written since */
  unsigned count;
};
static struct pending *slots; /* open addressing by the line's address */
static unsigned *used;        /* slots in use */
static unsigned used_count;

static struct sim_plan plan;
static long count, barriers;

static void stop_if(int broken) {
  if (broken) {
    if (write(2, "simulator failed\n", 17) < 0)
      _exit(97);
    _exit(98);
  }
}

/* Where a byte of one of the runtime's mappings lies in the file. */
static off_t file_offset(const unsigned char *p) {
  const struct nvmi_pool *pool = &nvmi_pool;
  const struct nvm_disk_header *h = &pool->header;
  if ((size_t)(p - pool->log) < h->log_size_bytes)
    return (off_t)h->log_offset + (p - pool->log);
  if ((size_t)(p - (unsigned char *)pool->control_page) <
      pool->control_page_bytes) {
    /* The page that holds the slots; where it lies follows from the root. */
    uint64_t root;
    stop_if(pread(pool->fd, &root, sizeof(root), 6144) != sizeof(root));
    off_t slot = (off_t)(nvmi_line_up(root) + NVM_CONTROL_OFFSET);
    return slot + (p - pool->control);
  }
  size_t offset = (size_t)(p - pool->home);
  for (uint32_t i = 0; i < h->segment_count; i++) {
    if (offset < h->segment[i].size_bytes)
      return (off_t)(h->segment[i].file_offset + offset);
    offset -= h->segment[i].size_bytes;
  }
  stop_if(1);
  return 0;
}

/* The shape of the loss is drawn once per cut: even odds, mostly old, mostly
 * new, or a single line that did not arrive. A line may arrive in part. */
static unsigned version_left(const struct pending *p, unsigned shape,
                             bool unlucky) {
  unsigned newest = p->count - 1, any = (unsigned)rand_r(&plan.seed) % p->count;
  bool rarely = rand_r(&plan.seed) % 10 == 0;
  switch (shape) {
  case 0:
    return any;
  case 1:
    return rarely ? any : 0;
  case 2:
    return rarely ? any : newest;
  default:
    return unlucky ? 0 : newest;
  }
}

static void cut(void) {
  unsigned shape = (unsigned)rand_r(&plan.seed) % 4;
  unsigned unlucky = used_count ? (unsigned)rand_r(&plan.seed) % used_count : 0;
  int from = open(nvmi_pool.path, O_RDONLY),
      to = open(plan.left_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  struct stat file;
  stop_if(from < 0 || to < 0 || fstat(from, &file) != 0);
  off_t at = 0;
  while (at < file.st_size)
    stop_if(sendfile(to, from, &at, (size_t)(file.st_size - at)) <= 0);
  for (unsigned i = 0; i < used_count; i++) {
    const struct pending *p = &slots[used[i]];
    unsigned char line[LINE];
    for (unsigned word = 0; word < LINE;
         word += 8) { /* 8 bytes arrive or do not */
      unsigned version = version_left(p, shape, i == unlucky);
      memcpy(line + word, p->versions + (size_t)version * LINE + word, 8);
    }
    stop_if(pwrite(to, line, LINE, file_offset(p->line)) != LINE);
  }
  _exit(0);
}

static void step(void) {
  if (++count == plan.cut_at)
    cut();
}

static void barrier(void) {
  if (++barriers == plan.cut_at_barrier)
    cut();
  step();
}

static struct pending *find(unsigned char *line) {
  unsigned slot = (unsigned)((uintptr_t)line / LINE * 2654435761u) % SLOTS;
  while (slots[slot].line && slots[slot].line != line)
    slot = (slot + 1) % SLOTS;
  struct pending *p = &slots[slot];
  if (!p->line) {
    stop_if(used_count == SLOTS / 2);
    used[used_count++] = slot;
    p->line = line;
    p->versions = malloc(LINE);
    stop_if(!p->versions);
    memcpy(p->versions, line, LINE);
    p->count = 1;
  }
  return p;
}

static void write_line(unsigned char *to, const unsigned char *from) {
  step();
  struct pending *p = find(to);
  memcpy(to, from, LINE);
  p->versions = realloc(p->versions, (size_t)(p->count + 1) * LINE);
  stop_if(!p->versions);
  memcpy(p->versions + (size_t)p->count++ * LINE, to, LINE);
}

static void settle(void) {
  for (unsigned i = 0; i < used_count; i++) {
    free(slots[used[i]].versions);
    memset(&slots[used[i]], 0, sizeof(slots[0]));
  }
  used_count = 0;
}

static void sim_copy(void *dst, const void *src, size_t size_bytes) {
  unsigned char line[LINE];
  for (size_t i = 0; i < size_bytes; i += LINE) {
    memcpy(line, (const unsigned char *)src + i, LINE);
    write_line((unsigned char *)dst + i, line);
  }
}

static uint32_t sim_gather(uint32_t crc, void *dst, const unsigned char *base,
                           const uint32_t *number, size_t n) {
  for (size_t i = 0; i < n; i++)
    write_line((unsigned char *)dst + i * LINE,
               base + (size_t)number[i] * LINE);
  return nvmi_crc32c_lines(crc, dst, n);
}

static void sim_scatter(unsigned char *base, const uint32_t *number,
                        const void *src, size_t n) {
  for (size_t i = 0; i < n; i++)
    sim_copy(base + (size_t)number[i] * LINE,
             (const unsigned char *)src + i * LINE, LINE);
}

static void sim_zero(void *dst, size_t size_bytes) {
  static const unsigned char zero[LINE];
  for (size_t i = 0; i < size_bytes; i += LINE)
    write_line((unsigned char *)dst + i, zero);
}

static void sim_fence(void) {
  barrier();
  if (plan.medium == SIM_FENCE_IS_ENOUGH)
    settle();
}

static int sim_sync(void) {
  barrier();
  if (plan.medium == SIM_SYNC_IS_NEEDED)
    settle();
  return 0;
}

static const struct nvmi_persist sim = {sim_copy, sim_gather, sim_scatter,
                                        sim_zero, sim_fence,  sim_sync};

void sim_install(struct sim_plan wanted) {
  plan = wanted;
  slots = calloc(SLOTS, sizeof(*slots));
  used = calloc(SLOTS, sizeof(*used));
  stop_if(!slots || !used);
  nvmi_persist = &sim;
}

long sim_count(void) { return count; }

long sim_barriers(void) { return barriers; }
