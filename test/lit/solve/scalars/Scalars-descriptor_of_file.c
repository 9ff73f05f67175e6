// The load opens a device by a name in the file: the descriptor is none of the
// next run.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s --implicit-check-not=set-by-load --implicit-check-not="restored scalar"
// CHECK: 1 root
// CHECK-NEXT: device
// CHECK: holds-descriptor{{ +}}device_fd is set by the load to a descriptor of an open file, from open(): it is not restored
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *device;
int device_fd = -1;
static int load(const char *name) {
  char value[64];
  FILE *f = fopen(name, "r");
  if (!f)
    return 0;
  if (fscanf(f, "%63s", value) == 1)
    device = strdup(value);
  fclose(f);
  device_fd = open(device, O_RDWR);
  return device_fd >= 0;
}
int main(void) {
  char line[64];
  if (!load("conf"))
    return 1;
  while (read(0, line, sizeof line) > 0) {
    free(device);
    device = strdup(line);
    write(device_fd, line, 1);
  }
}
