/*===- mss_bench.c - the eight variants of memory-style storage -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   mss_bench VARIANT SWAPS FILE clflush|clwb mfence|sfence [VERSIONS]
 *   mss_bench check VARIANT FILE [VERSIONS]
 *
 * SPS: of 100 000 strings of 256 bytes two change places at a time.
 *
 *   disk-log            a log of the old strings, fdatasync() as the fence
 *   log                 the same log, neither flushed nor fenced
 *   log-flush           the same, flushed and fenced
 *   interleaved         nvm_interleaved_*(), each swap made durable at once
 *   interleaved+thread  the same, made durable by a second thread
 *
 * The last three with either fence are the eight of the paper. With
 * MSS_KILL_AT=N a run kills itself at its Nth point: within a copy, between
 * two, before a flush or a fence. `check` opens what it left: each string must
 * be whole, and each there once.
 */
#define _GNU_SOURCE
#include "bench.h"
#include "medium/media.h"
#include "medium/persist.h"
#include <fcntl.h>
#include <nvmove/region.h>
#include <signal.h>
#include <sys/mman.h>

#define STRINGS 100000u
#define BYTES 256u
#define LINE 64u
#define WORDS (BYTES / sizeof(unsigned))

enum { CLWB, CLFLUSH };
static int instruction, full_fence, disk = -1;
static unsigned versions = 2;

static long kill_at; /* atomic; 0: never */

static void point(void) {
  if (__atomic_load_n(&kill_at, __ATOMIC_RELAXED) &&
      __atomic_sub_fetch(&kill_at, 1, __ATOMIC_RELAXED) == 0)
    raise(SIGKILL);
}

static void copy(void *to, const void *from) {
  memcpy(to, from, BYTES / 2);
  point();
  memcpy((char *)to + BYTES / 2, (const char *)from + BYTES / 2, BYTES / 2);
  point();
}

/*===-- Flushes and fences ------------------------------------------------===*/

static void flush(const void *p, size_t size_bytes) {
  const char *end = (const char *)p + size_bytes;
  const char *line = (const char *)((uintptr_t)p / LINE * LINE);
  unsigned long lines = 0;
  point();
  for (; line < end; line += LINE, lines++) {
    volatile char *at = (volatile char *)(uintptr_t)line;
    if (instruction == CLWB)
      __asm__ volatile("clwb %0" : "+m"(*at));
    else
      __asm__ volatile("clflush %0" : "+m"(*at));
  }
  __atomic_fetch_add(&nvmi_media_counts.lines_flushed, lines, __ATOMIC_RELAXED);
  nvmi_media_spin(lines * (nvmi_media.write_ns + nvmi_media.flush_ns));
}

static void fence(void) {
  point();
  if (full_fence)
    __asm__ volatile("mfence" ::: "memory");
  else
    __asm__ volatile("sfence" ::: "memory");
  __atomic_fetch_add(&nvmi_media_counts.fences, 1, __ATOMIC_RELAXED);
  nvmi_media_spin(nvmi_media.fence_ns);
}

static void no_flush(const void *p, size_t size_bytes) {
  (void)p;
  (void)size_bytes;
}

static void order(void) { __asm__ volatile("" ::: "memory"); }

static void wait_for_disk(void) {
  if (fdatasync(disk) != 0)
    fail("fdatasync");
  __atomic_fetch_add(&nvmi_media_counts.fences, 1, __ATOMIC_RELAXED);
}

/*===-- A log by hand -----------------------------------------------------===*/

struct file {
  unsigned valid, made, a, b; /* while `valid`, a and b are as in the log */
  char to_line[LINE - 4 * sizeof(unsigned)];
  unsigned char log[2][BYTES];
  unsigned char string[STRINGS][BYTES];
};
static struct file *file;
static void (*log_flush)(const void *, size_t) = no_flush;
static void (*log_fence)(void) = order;

static void set_valid(unsigned valid) {
  __atomic_store_n(&file->valid, valid, __ATOMIC_RELEASE);
  log_flush(file, LINE);
  log_fence();
}

static void swap_logged(unsigned a, unsigned b) {
  file->a = a;
  file->b = b;
  copy(file->log[0], file->string[a]);
  copy(file->log[1], file->string[b]);
  log_flush(file->log, sizeof(file->log));
  log_fence();
  set_valid(1);
  copy(file->string[a], file->log[1]);
  copy(file->string[b], file->log[0]);
  log_flush(file->string[a], BYTES);
  log_flush(file->string[b], BYTES);
  log_fence();
  set_valid(0);
}

static void recover_log(void) {
  if (file->valid) {
    memcpy(file->string[file->a], file->log[0], BYTES);
    memcpy(file->string[file->b], file->log[1], BYTES);
    set_valid(0);
  }
}

static void open_file(const char *path) {
  disk = open(path, O_RDWR | O_CREAT, 0600);
  if (disk < 0 || ftruncate(disk, sizeof(*file)) != 0)
    fail("no file");
  void *p =
      mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, disk, 0);
  if (p == MAP_FAILED)
    fail("no mapping");
  file = p;
}

/*===-- Versions ----------------------------------------------------------===*/

static struct nvm_interleaved *set;
static int own_thread;

static void swap_interleaved(unsigned a, unsigned b) {
  if (a == b)
    return;
  char keep[BYTES]; /* the second write of a batch to an object is in place */
  memcpy(keep, nvm_interleaved_read(set, a), BYTES);
  const void *of_b = nvm_interleaved_read(set, b);
  copy(nvm_interleaved_write(set, a), of_b);
  copy(nvm_interleaved_write(set, b), keep);
  if (own_thread)
    nvm_interleaved_commit(set);
  else
    nvm_interleaved_wait(set);
}

static void open_set(const char *path) {
  static const struct setup undo = {"", "undo", 0, 0};
  open_pool(&undo, path, 256ul << 20);
  nvm_restore();
  nvm_ready();
  set = nvm_interleaved_open("strings", STRINGS, BYTES, versions);
  if (!set)
    fail("no set");
}

/* Of the thread that swaps. */
static double thread_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*===-- Runs --------------------------------------------------------------===*/

static void fill(void *string, unsigned number) {
  unsigned *word = string;
  for (unsigned i = 0; i < WORDS; i++)
    word[i] = number;
}

static void make(void) {
  for (unsigned i = 0; i < STRINGS; i++)
    fill(set ? nvm_interleaved_write(set, i) : file->string[i], i);
  if (set)
    nvm_interleaved_wait(set);
  else
    __atomic_store_n(&file->made, 1, __ATOMIC_RELEASE);
}

static int check(void) {
  static unsigned char there[STRINGS];
  for (unsigned i = 0; i < STRINGS; i++) {
    const unsigned *word =
        set ? nvm_interleaved_read(set, i) : (const void *)file->string[i];
    for (unsigned w = 1; w < WORDS; w++)
      if (word[w] != word[0]) {
        printf("string %u is torn: %u and %u\n", i, word[0], word[w]);
        return 1;
      }
    if (word[0] >= STRINGS || there[word[0]]++) {
      printf("string %u is there twice: half of a swap is missing\n", word[0]);
      return 1;
    }
  }
  printf("each string is whole and there once\n");
  return 0;
}

static void run(void (*swap)(unsigned, unsigned), long swaps) {
  uint64_t state = 88172645463325252u;
  for (long i = 0; i < swaps; i++) {
    unsigned a = (unsigned)(next_random(&state) % STRINGS),
             b = (unsigned)(next_random(&state) % STRINGS);
    swap(a, b);
  }
  if (set)
    nvm_interleaved_wait(set);
}

static void measure(void (*swap)(unsigned, unsigned), long swaps) {
  const char *dies = getenv("MSS_KILL_AT");
  kill_at = dies ? atol(dies) : 0;
  run(swap, swaps / 10 + 1);
  struct nvmi_media_counts before = nvmi_media_counts;
  double start = now_s(), cpu = cpu_s(), own = thread_s(), n = (double)swaps;
  run(swap, swaps);
  printf("throughput,%.0f,swaps/s\n", n / (now_s() - start));
  printf("processor time,%.1f,ns/swap\n", (cpu_s() - cpu) * 1e9 / n);
  printf("of that the program's thread,%.1f,ns/swap\n",
         (thread_s() - own) * 1e9 / n);
  printf("lines flushed,%.3f,lines/swap\n",
         (double)(nvmi_media_counts.lines_flushed - before.lines_flushed) / n);
  printf("fences,%.4f,fences/swap\n",
         (double)(nvmi_media_counts.fences - before.fences) / n);
}

static const char *const variants[] = {"disk-log", "log", "log-flush",
                                       "interleaved", "interleaved+thread"};

static void set_up(const char *variant, const char *path) {
  unsigned v = 0;
  while (strcmp(variants[v], variant) != 0)
    if (++v == sizeof(variants) / sizeof(variants[0])) {
      fprintf(stderr, "bench: no variant %s\n", variant);
      exit(2);
    }
  static struct nvmi_persist table; /* the runtime's, with these flushes */
  own_thread = v == 4;
  if (v > 2) {
    open_set(path);
  } else {
    open_file(path);
    if (nvmi_media_read() != 0)
      fail("NVM_MEDIA");
    nvmi_media_install();
  }
  if (nvmi_media.name) {
    table = *nvmi_persist;
    table.flush = flush;
    table.fence = fence;
    nvmi_persist = &table;
  }
  if (v == 2) {
    log_flush = flush;
    log_fence = fence;
  } else if (v == 0) {
    log_fence = wait_for_disk;
  }
}

int main(int argc, char **argv) {
  int checks = argc >= 4 && strcmp(argv[1], "check") == 0,
      named = checks ? 4 : 6;
  if (argc < named || argc > named + 1) {
    fprintf(stderr, "usage: mss_bench VARIANT SWAPS FILE clflush|clwb "
                    "mfence|sfence [VERSIONS]\n"
                    "       mss_bench check VARIANT FILE [VERSIONS]\n");
    return 2;
  }
  if (argc > named)
    versions = (unsigned)atoi(argv[named]);
  if (!checks) {
    instruction = strcmp(argv[4], "clflush") == 0 ? CLFLUSH : CLWB;
    full_fence = strcmp(argv[5], "mfence") == 0;
  }
  set_up(argv[checks ? 2 : 1], argv[3]);
  if (checks) {
    if (file)
      recover_log();
    return check();
  }
  make();
  measure(file ? swap_logged : swap_interleaved, atol(argv[2]));
  return 0;
}
