/*===- sim.c - a medium that remembers what a power cut would leave ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "sim.h"
#include "base/crc32c.h"
#include "medium/persist.h"
#include "schedule.h"
#include "sim_file.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINE 64u

/* Of a line: what is not known to be on the medium. */
struct pending {
  unsigned char
      *versions;   /* each one written or flushed since the last fence */
  const void **by; /* which thread did it: its fence counts */
  unsigned count;
  int by_copy;
};
static _Thread_local const char me;
static struct pending *pending; /* by the number of the line in the file */
static size_t *used;            /* lines that have versions */
static size_t used_count;

static struct sim_plan plan;
static unsigned first_seed;
static long count, fences;
static int armed;
/* What is on the medium; the file as the program sees it; where a cut goes. */
static unsigned char *durable, *seen, *left;
static size_t file_bytes;

/*===-- What is pending ---------------------------------------------------===*/

static void add_version(size_t number, int by_copy) {
  sim_require(number < file_bytes / LINE);
  struct pending *p = &pending[number];
  if (!p->count)
    used[used_count++] = number;
  p->versions = realloc(p->versions, (size_t)(p->count + 1) * LINE);
  p->by = realloc(p->by, (size_t)(p->count + 1) * sizeof(*p->by));
  sim_require(p->versions != NULL && p->by != NULL);
  p->by[p->count] = &me;
  memcpy(p->versions + (size_t)p->count++ * LINE, seen + number * LINE, LINE);
  p->by_copy |= by_copy;
}

/* Not the newest `left` versions of the line. */
static void forget_line(size_t number, unsigned left) {
  struct pending *p = &pending[number];
  if (!left) {
    free(p->versions);
    free(p->by);
    memset(p, 0, sizeof(*p));
    return;
  }
  unsigned gone = p->count - left;
  memmove(p->versions, p->versions + (size_t)gone * LINE, (size_t)left * LINE);
  memmove(p->by, p->by + gone, left * sizeof(*p->by));
  p->count = left;
}

/* The first so many versions are on the medium now. */
static void settle_line(size_t number, unsigned versions) {
  const struct pending *p = &pending[number];
  if (versions)
    memcpy(durable + number * LINE, p->versions + (size_t)(versions - 1) * LINE,
           LINE);
}

/* What this thread has written or flushed; or any has. */
static void settle(int all) {
  size_t kept = 0;
  for (size_t i = 0; i < used_count; i++) {
    size_t number = used[i];
    const struct pending *p = &pending[number];
    unsigned versions = p->count;
    while (!all && versions && p->by[versions - 1] != &me)
      versions--;
    unsigned left = p->count - versions;
    settle_line(number, versions);
    forget_line(number, left);
    if (left)
      used[kept++] = number;
  }
  used_count = kept;
}

/*===-- The cut ---------------------------------------------------------===*/

/* The shape of the loss is drawn once per cut. */
enum shape { EVEN, MOSTLY_OLD, MOSTLY_NEW, ONE_LOST, ONE_ARRIVED, SHAPES };

static unsigned draw(unsigned below) {
  return (unsigned)rand_r(&plan.seed) % below;
}

/* Versions of a line: 0 is on the medium, the last is what the program sees. */
static const unsigned char *version(size_t number, unsigned which) {
  const struct pending *p = &pending[number];
  if (which == 0)
    return durable + number * LINE;
  return which <= p->count ? p->versions + (size_t)(which - 1) * LINE
                           : seen + number * LINE;
}

static unsigned choose(enum shape shape, unsigned newest, int is_the_one) {
  int rarely = draw(10) == 0;
  switch (shape) {
  case EVEN:
    return draw(newest + 1);
  case MOSTLY_OLD:
    return rarely ? draw(newest + 1) : 0;
  case MOSTLY_NEW:
    return rarely ? draw(newest + 1) : newest;
  case ONE_LOST:
    return is_the_one ? 0 : newest;
  default:
    return is_the_one ? newest : 0;
  }
}

static void leave_line(size_t number, enum shape shape, int is_the_one,
                       int whole) {
  unsigned newest = pending[number].count + 1;
  unsigned which = choose(shape, newest, is_the_one);
  for (unsigned word = 0; word < LINE; word += 8) {
    memcpy(left + number * LINE + word, version(number, which) + word, 8);
    if (!whole)
      which = choose(shape, newest, is_the_one);
  }
}

/* Lines that differ from the medium, or did since the last fence. */
static size_t list_lines(size_t **lines) {
  size_t n = 0, room = 4096;
  size_t *list = malloc(room * sizeof(*list));
  for (size_t page = 0; page < file_bytes; page += 4096) {
    if (memcmp(left + page, durable + page, 4096) != 0)
      memcpy(left + page, durable + page, 4096);
    if (memcmp(seen + page, durable + page, 4096) == 0)
      continue;
    if (n + 64 + used_count > room) {
      room = 2 * room + used_count;
      list = realloc(list, room * sizeof(*list));
    }
    sim_require(list != NULL);
    for (size_t at = page; at < page + 4096; at += LINE)
      if (memcmp(seen + at, durable + at, LINE) != 0)
        list[n++] = at / LINE;
  }
  list = realloc(list, (n + used_count + 1) * sizeof(*list));
  sim_require(list != NULL);
  for (size_t i = 0; i < used_count; i++)
    if (memcmp(seen + used[i] * LINE, durable + used[i] * LINE, LINE) == 0)
      list[n++] = used[i];
  *lines = list;
  return n;
}

void sim_cut(void) {
  size_t *lines, n = list_lines(&lines);
  enum shape shape = draw(SHAPES);
  int whole = plan.whole_lines || draw(2);
  size_t the_one = n ? draw((unsigned)n) : 0;
  for (size_t i = 0; i < n; i++)
    leave_line(lines[i], shape, i == the_one, whole);
  free(lines);
  int before = armed;
  armed = 0;
  plan.at_cut();
  armed = before;
}

static void step(void) {
  schedule_point();
  count++;
  if (armed &&
      (count == plan.cut_at || (plan.odds && draw(1000000) < plan.odds)))
    sim_cut();
}

/*===-- The primitives ----------------------------------------------------===*/

static void write_line(unsigned char *to, const unsigned char *from) {
  step();
  memcpy(to, from, LINE);
  long offset = sim_file_offset(to);
  if (offset >= 0 && !(plan.fault == SIM_LOG_LINE_LOST && draw(8) == 0))
    add_version((size_t)offset / LINE, 1);
}

static void flush(const void *p, size_t size_bytes) {
  uintptr_t first = (uintptr_t)p / LINE * LINE, end = (uintptr_t)p + size_bytes;
  for (uintptr_t at = first; at < end; at += LINE) {
    step();
    long offset = sim_file_offset((const void *)at);
    if (offset < 0 || plan.fault == SIM_NO_FLUSH ||
        (plan.fault == SIM_FIRST_CUT_LINE && at != first))
      continue;
    add_version((size_t)offset / LINE, 0);
  }
}

/* Without a fence the copies stay on their way. */
static void settle_flushed_only(void) {
  for (size_t i = 0; i < used_count; i++)
    if (!pending[used[i]].by_copy)
      settle_line(used[i], pending[used[i]].count);
}

static void fence(void) {
  step();
  fences++;
  if (plan.medium != SIM_FENCE_IS_ENOUGH || plan.fault == SIM_NO_FENCE ||
      (plan.fault == SIM_EVERY_THIRD_FENCE && fences % 3 != 0))
    return;
  if (plan.fault == SIM_NO_COPY_FENCE)
    settle_flushed_only();
  else
    settle(0);
}

/* All that any thread has written there. */
static void settle_part(size_t from, size_t to) {
  size_t kept = 0;
  for (size_t i = 0; i < used_count; i++) {
    size_t number = used[i];
    if (number < from || number >= to) {
      used[kept++] = number;
      continue;
    }
    settle_line(number, pending[number].count);
    forget_line(number, 0);
  }
  used_count = kept;
}

static int sync_file(const void *p, size_t size_bytes) {
  step();
  if (plan.medium != SIM_SYNC_IS_NEEDED || plan.fault == SIM_NO_SYNC)
    return 0;
  long offset = p ? sim_file_offset(p) : 0;
  sim_require(offset >= 0);
  if (p)
    settle_part((size_t)offset / LINE, ((size_t)offset + size_bytes) / LINE -
                                           (plan.fault == SIM_SHORT_SYNC));
  else
    settle(1);
  return 0;
}

static void copy(void *dst, const void *src, size_t size_bytes) {
  unsigned char line[LINE];
  for (size_t i = 0; i < size_bytes; i += LINE) {
    memcpy(line, (const unsigned char *)src + i, LINE);
    write_line((unsigned char *)dst + i, line);
  }
}

static uint32_t gather(uint32_t crc, void *dst, const unsigned char *base,
                       const uint32_t *number, size_t n) {
  for (size_t i = 0; i < n; i++)
    write_line((unsigned char *)dst + i * LINE,
               base + (size_t)number[i] * LINE);
  return nvmi_crc32c_lines(crc, dst, n);
}

static void scatter(unsigned char *base, const uint32_t *number,
                    const void *src, size_t n) {
  for (size_t i = 0; i < n; i++)
    copy(base + (size_t)number[i] * LINE, (const unsigned char *)src + i * LINE,
         LINE);
}

static void zero(void *dst, size_t size_bytes) {
  static const unsigned char none[LINE];
  for (size_t i = 0; i < size_bytes; i += LINE)
    write_line((unsigned char *)dst + i, none);
}

static const struct nvmi_persist sim = {copy,  gather,    scatter, zero,
                                        fence, sync_file, flush};

/* Zeros, in large pages: the faults took half of the time of a run. */
static void *take(size_t size_bytes) {
  void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sim_require(p != MAP_FAILED);
  (void)madvise(p, size_bytes, MADV_HUGEPAGE);
  return p;
}

void sim_install(const struct sim_plan *wanted) {
  plan = *wanted;
  first_seed = plan.seed;
  seen = sim_map_file(plan.pool_path, &file_bytes);
  pending = take(file_bytes / LINE * sizeof(*pending));
  used = take(file_bytes / LINE * sizeof(*used));
  durable = take(file_bytes);
  memcpy(durable, seen, file_bytes);
  if (plan.left_path)
    left = sim_make_file(plan.left_path, file_bytes);
  armed = plan.at_cut != NULL;
  count = fences = 0;
  sim_watch_pmem(flush, fence);
  nvmi_persist = &sim;
}

/* The runtime makes an arena afresh by giving its blocks back, and waits for
 * it. */
int fallocate(int fd, int mode, off_t offset, off_t size_bytes) {
  struct stat file;
  int result = (int)syscall(SYS_fallocate, fd, mode, offset, size_bytes);
  if (result == 0 && durable && (mode & FALLOC_FL_PUNCH_HOLE) &&
      fstat(fd, &file) == 0 && sim_is_pool(file.st_ino))
    memset(durable + offset, 0, (size_t)size_bytes);
  return result;
}

void sim_arm(int on) { armed = on; }

long sim_count(void) { return count; }

unsigned sim_seed(void) { return first_seed; }
