/*===- sim_file.c - the pool file under the power cut simulator -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "sim_file.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static ino_t inode;

void sim_require(int condition) {
  if (!condition) {
    if (write(2, "simulator failed\n", 17) < 0)
      _exit(97);
    _exit(98);
  }
}

unsigned char *sim_map_file(const char *path, size_t *size_bytes) {
  struct stat file;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  sim_require(fd >= 0 && fstat(fd, &file) == 0);
  inode = file.st_ino;
  *size_bytes = (size_t)file.st_size;
  void *p =
      mmap(NULL, *size_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  sim_require(p != MAP_FAILED);
  close(fd);
  return p;
}

int sim_is_pool(unsigned long number) { return number == inode; }

unsigned char *sim_make_file(const char *path, size_t size_bytes) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  sim_require(fd >= 0 && ftruncate(fd, (off_t)size_bytes) == 0);
  void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_POPULATE, fd, 0);
  sim_require(p != MAP_FAILED);
  close(fd);
  return p;
}

/*===-- Where a mapped byte lies in the file ------------------------------===*/

#define MOST_RANGES 64u
static struct {
  uintptr_t start, end;
  size_t offset;
} ranges[MOST_RANGES];
static unsigned range_count;

static void read_maps(void) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "re");
  sim_require(maps != NULL);
  range_count = 0;
  while (fgets(line, sizeof(line), maps)) {
    unsigned long start, end, offset, number;
    char access[8];
    if (sscanf(line, "%lx-%lx %7s %lx %*s %lu", &start, &end, access, &offset,
               &number) != 5 ||
        number != inode || access[3] != 's')
      continue;
    sim_require(range_count < MOST_RANGES);
    ranges[range_count].start = start;
    ranges[range_count].end = end;
    ranges[range_count++].offset = offset;
  }
  fclose(maps);
}

long sim_file_offset(const void *p) {
  uintptr_t at = (uintptr_t)p;
  for (int attempt = 0; attempt < 2; attempt++) {
    for (unsigned i = 0; i < range_count; i++)
      if (at >= ranges[i].start && at < ranges[i].end)
        return (long)(ranges[i].offset + (at - ranges[i].start));
    read_maps();
  }
  return -1;
}
