// What a library makes of text and numbers of the file is data of the file.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 1 persistent type
// CHECK-NEXT: host {{.*}} writes host.at in load; hosts
// CHECK: 2 roots
// CHECK-NEXT: hosts[].at
// CHECK-NEXT: hosts[].label
// CHECK: 14 restored scalars
// CHECK-NEXT: home.sin_addr gets a value from the file
// CHECK-NEXT: mask gets a value from the file
// CHECK-NEXT: seconds gets a value from the file
// CHECK-NEXT: since.tm_gmtoff read from the file
// CHECK: since.tm_year read from the file
// CHECK-NEXT: title gets a value from the file
// CHECK-EMPTY:

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

struct host {
  struct in_addr at;
  char label[20];
};
static struct host hosts[10];
static struct sockaddr_in home;
static uint32_t mask;
static struct tm since;
static char title[80];
static struct stat status;
static time_t now, seconds;

static void load(FILE *f) {
  char text[80];
  long n, i = 0;
  struct tm day = {0};
  time(&now);
  while (fscanf(f, "%79s %ld", text, &n) == 2) {
    if (!inet_aton(text, &hosts[i].at))
      continue;
    snprintf(hosts[i].label, sizeof hosts[i].label, "host %ld", n);
    inet_pton(AF_INET, text, &home.sin_addr);
    mask = inet_addr(text);
    localtime_r(&n, &since);
    sprintf(title, "%s of %ld", text, n);
    stat(text, &status);
    sscanf(text, "%d.%d", &day.tm_mon, &day.tm_mday);
    seconds = mktime(&day);
    i = (i + 1) % 10;
  }
}

int main(void) {
  load(stdin);
  for (int c; (c = getchar()) != EOF;)
    printf("%s %s %u %d %s %ld %ld %ld\n", inet_ntoa(hosts[c % 10].at),
           hosts[c % 10].label, home.sin_addr.s_addr ^ mask, since.tm_year,
           title, (long)status.st_size, (long)now,
           (long)seconds);
}
