/*===- wrapped.c - each wrapped function of libc, in the heap and outside ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Each call writes to p, a buffer that was prepared by its setup: once outside
 * the heap and once in it, in a section of its own. Prints for each whether
 * NVM_VERIFY found its bytes announced, and "differs" when the two results do;
 * those of V() depend on time, chance or addresses and are not compared.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <locale.h>
#include <nvmove/nvm.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define BYTES 2048
#define TEXT "c,b;a\nline two\n\0\n"
#define W(p) ((wchar_t *)(void *)(p))
#define AT(type, offset) ((type *)(void *)(p + (offset)))

static int file, pair[2], datagram[2], listener, polled[2], epoll,
    messages = -1;
static FILE *stream;
static const time_t noon = 86400 / 2;
static struct tm day = {.tm_year = 100, .tm_mday = 5};
static char path[64], link_path[64];

/* Those that no header declares. */
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
ssize_t __getdelim(char **, size_t *, int, FILE *);
#undef getline
#undef getdelim

static int ascending(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}
static int descending(const void *a, const void *b, void *unused) {
  (void)unused;
  return *(const char *)b - *(const char *)a;
}

static FILE *from_start(void) {
  rewind(stream);
  return stream;
}

/* The last, incomplete item of 10 bytes belongs to what is read. */
static FILE *at_end(void) {
  fseek(stream, -13, SEEK_END);
  return stream;
}

static int start_of_file(void) {
  lseek(file, 0, SEEK_SET);
  return file;
}

static int sent(int fd) { return send(fd, "packet", 6, 0) == 6 ? fd : -1; }
static int received_by(int *fds) { return sent(fds[0]) < 0 ? -1 : fds[1]; }

/* A queue with one message, which goes with whoever takes it. */
static int queue(void) {
  struct {
    long type;
    char text[7];
  } message = {3, "queued"};
  if (messages < 0)
    messages = msgget(IPC_PRIVATE, 0600);
  return msgsnd(messages, &message, 7, 0) == 0 ? messages : -1;
}

static locale_t english(void) {
  static locale_t c;
  return c ? c : (c = newlocale(LC_ALL_MASK, "C", NULL));
}

static int connected(void) {
  struct sockaddr_un address;
  socklen_t n = sizeof(address);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  getsockname(listener, (struct sockaddr *)&address, &n);
  connect(fd, (struct sockaddr *)&address, n);
  return fd;
}

#define THROUGH(function, ...)                                                 \
  va_list ap;                                                                  \
  va_start(ap, p);                                                             \
  function(__VA_ARGS__);                                                       \
  va_end(ap)
static void through_vsprintf(char *p, ...) {
  THROUGH(vsprintf, p, "%s %d", ap);
}
static void through_vsnprintf(char *p, ...) {
  THROUGH(vsnprintf, p, 9, "%s %d", ap);
}
static void through___vsprintf_chk(char *p, ...) {
  THROUGH(__vsprintf_chk, p, 1, BYTES, "%s %d", ap);
}
static void through___vsnprintf_chk(char *p, ...) {
  THROUGH(__vsnprintf_chk, p, 9, 1, BYTES, "%s %d", ap);
}

#define NOTHING (void)0
#define TEXT_IN strcpy(p, TEXT)
#define WIDE_IN wcscpy(W(p), L"wide")
#define BUFFERS                                                                \
  (AT(struct iovec, 0)[0] = (struct iovec){p + 200, 5},                        \
   AT(struct iovec, 0)[1] = (struct iovec){p + 300, 90})
#define MESSAGE                                                                \
  (BUFFERS, *AT(struct msghdr, 100) = (struct msghdr){                         \
                .msg_iov = AT(struct iovec, 0), .msg_iovlen = 2})
#define ROOM (*AT(socklen_t, 500) = 128)
#define ADDRESS AT(struct sockaddr, 0), AT(socklen_t, 500)
#define HEAP_LINE                                                              \
  (*AT(char *, 0) = nvm_alloc(&nvm_type_bytes, 3), *AT(size_t, 8) = 3)
#define LINE AT(char *, 0), AT(size_t, 8)

/* clang-format off */
#define FUNCTIONS(X, V)                                                        \
  X(memcpy, NOTHING, memcpy(p, TEXT, 8))                                       \
  X(memmove, TEXT_IN, memmove(p + 3, p, 80))                                   \
  X(memset, NOTHING, memset(p, 7, 100))                                        \
  X(mempcpy, NOTHING, mempcpy(p, TEXT, 8))                                     \
  X(memccpy, NOTHING, memccpy(p, TEXT, ';', 8))                                \
  X(bcopy, NOTHING, bcopy(TEXT, p, 8))                                         \
  X(bzero, TEXT_IN, bzero(p, 8))                                               \
  X(explicit_bzero, TEXT_IN, explicit_bzero(p, 8))                             \
  X(swab, NOTHING, swab(TEXT, p, 7))                                           \
  X(wmemcpy, NOTHING, wmemcpy(W(p), L"wide", 4))                               \
  X(wmemmove, NOTHING, wmemmove(W(p), L"wide", 4))                             \
  X(wmempcpy, NOTHING, wmempcpy(W(p), L"wide", 4))                             \
  X(wmemset, NOTHING, wmemset(W(p), L'w', 40))                                 \
  X(qsort, TEXT_IN, qsort(p, 5, 1, ascending))                                 \
  X(qsort_r, NOTHING; memcpy(p, "abc", 3), qsort_r(p, 3, 1, descending, NULL)) \
  X(strcpy, NOTHING, strcpy(p, TEXT))                                          \
  X(strncpy, memset(p, 1, 200), strncpy(p, TEXT, 150))                         \
  X(stpcpy, NOTHING, stpcpy(p, TEXT))                                          \
  X(stpncpy, memset(p, 1, 200), stpncpy(p, TEXT, 150))                         \
  X(strcat, TEXT_IN, strcat(p, TEXT))                                          \
  X(strncat, TEXT_IN, strncat(p, TEXT, 3))                                     \
  X(wcscpy, NOTHING, wcscpy(W(p), L"wide"))                                    \
  X(wcsncpy, memset(p, 1, 200), wcsncpy(W(p), L"wide", 40))                    \
  X(wcscat, WIDE_IN, wcscat(W(p), L"wider"))                                   \
  X(wcsncat, WIDE_IN, wcsncat(W(p), L"wider", 3))                              \
  X(strtok, TEXT_IN, (strtok(p, ",;"), strtok(NULL, ",;")))                    \
  V(strtok_r, TEXT_IN, strtok_r(p, ",;", AT(char *, 512)))                     \
  V(strsep, (TEXT_IN, *AT(char *, 512) = p), strsep(AT(char *, 512), ",;"))    \
  X(strtol, NOTHING, strtol("12x", AT(char *, 0), 10))                         \
  X(strtoul, NOTHING, strtoul("12x", AT(char *, 0), 10))                       \
  X(strtoll, NOTHING, strtoll("12x", AT(char *, 0), 10))                       \
  X(strtoull, NOTHING, strtoull("12x", AT(char *, 0), 10))                     \
  X(strtod, NOTHING, strtod("1.5x", AT(char *, 0)))                            \
  X(strtof, NOTHING, strtof("1.5x", AT(char *, 0)))                            \
  X(strtold, NOTHING, strtold("1.5x", AT(char *, 0)))                          \
  X(sprintf, NOTHING, sprintf(p, "%s %d", "number", 12))                       \
  X(snprintf, NOTHING, snprintf(p, 9, "%s %d", "number", 123))                 \
  X(vsprintf, NOTHING, through_vsprintf(p, "number", 12))                               \
  X(vsnprintf, NOTHING, through_vsnprintf(p, "number", 123))                            \
  X(strftime, NOTHING, strftime(p, 99, "%Y", &day))                            \
  X(strftime_l, NOTHING, strftime_l(p, 99, "%Y", &day, english()))             \
  X(asctime_r, NOTHING, asctime_r(&day, p))                                    \
  X(ctime_r, NOTHING, ctime_r(&noon, p))                                       \
  X(inet_ntop, NOTHING, inet_ntop(AF_INET, "\1\2\3\4", p, 40))                 \
  X(inet_pton, NOTHING, inet_pton(AF_INET6, "1:2::3", p))                      \
  X(inet_aton, NOTHING, inet_aton("1.2.3.4", AT(struct in_addr, 0)))           \
  X(read, NOTHING, read(start_of_file(), p, 999))                              \
  X(pread, NOTHING, pread(file, p, 999, 2))                                    \
  X(pread64, NOTHING, pread64(file, p, 999, 2))                                \
  V(readv, BUFFERS, readv(start_of_file(), AT(struct iovec, 0), 2))            \
  V(preadv, BUFFERS, preadv(file, AT(struct iovec, 0), 2, 1))                  \
  X(recv, NOTHING, recv(received_by(pair), p, 999, 0))                         \
  X(recvfrom, ROOM, recvfrom(received_by(datagram), p, 4, MSG_TRUNC, ADDRESS))\
  V(recvmsg, MESSAGE, recvmsg(received_by(pair), AT(struct msghdr, 100), 0))   \
  V(recvmmsg, MESSAGE, recvmmsg(received_by(pair), AT(struct mmsghdr, 100), 1, 0, NULL))\
  X(msgrcv, NOTHING, msgrcv(queue(), p, 99, 0, 0))                             \
  X(fread, NOTHING, fread(p, 10, 99, at_end()))                                \
  X(fread_unlocked, NOTHING, fread_unlocked(p, 1, 99, from_start()))           \
  X(fgets, NOTHING, fgets(p, 99, from_start()))                                \
  X(fgets_unlocked, NOTHING, fgets_unlocked(p, 99, from_start()))              \
  V(getline, NOTHING, getline(LINE, from_start()))                             \
  V(getdelim, NOTHING, getdelim(LINE, ';', from_start()))                      \
  V(__getdelim, NOTHING, __getdelim(LINE, ';', from_start()))                  \
  V(getline_heap, HEAP_LINE, getline(LINE, from_start()))                      \
  V(getdelim_heap, HEAP_LINE, getdelim(LINE, ';', from_start()))               \
  V(__getdelim_heap, HEAP_LINE, __getdelim(LINE, ';', from_start()))           \
  X(getcwd, NOTHING, getcwd(p, 999))                                           \
  X(gethostname, NOTHING, gethostname(p, 99))                                  \
  X(getdomainname, NOTHING, getdomainname(p, 99))                              \
  X(readlink, NOTHING, readlink(link_path, p, 99))                             \
  V(getrandom, NOTHING, getrandom(p, 16, 0))                                   \
  V(getentropy, NOTHING, getentropy(p, 16))                                    \
  V(arc4random_buf, NOTHING, arc4random_buf(p, 16))                            \
  V(time, NOTHING, time(AT(time_t, 0)))                                        \
  V(gettimeofday, NOTHING, gettimeofday(AT(struct timeval, 0), NULL))          \
  V(clock_gettime, NOTHING, clock_gettime(CLOCK_REALTIME, AT(struct timespec, 0)))\
  X(gmtime_r, NOTHING, gmtime_r(&noon, AT(struct tm, 0)))                      \
  X(localtime_r, NOTHING, localtime_r(&noon, AT(struct tm, 0)))                \
  V(stat, NOTHING, stat(path, AT(struct stat, 0)))                             \
  V(lstat, NOTHING, lstat(path, AT(struct stat, 0)))                           \
  V(fstat, NOTHING, fstat(file, AT(struct stat, 0)))                           \
  V(fstatat, NOTHING, fstatat(AT_FDCWD, path, AT(struct stat, 0), 0))          \
  V(pipe, NOTHING, pipe(AT(int, 0)))                                           \
  V(socketpair, NOTHING, socketpair(AF_UNIX, SOCK_STREAM, 0, AT(int, 0)))      \
  X(getsockopt, *AT(socklen_t, 500) = 4,                                       \
    getsockopt(pair[0], SOL_SOCKET, SO_TYPE, p, AT(socklen_t, 500)))           \
  X(getsockname, ROOM, getsockname(listener, ADDRESS))                         \
  X(getpeername, ROOM, getpeername(connected(), ADDRESS))                      \
  X(accept, (ROOM, connected()), accept(listener, ADDRESS))                    \
  X(poll, *AT(struct pollfd, 0) = ((struct pollfd){polled[0], POLLIN, 0}),     \
    poll(AT(struct pollfd, 0), 1, 1000))                                       \
  X(epoll_wait, NOTHING, epoll_wait(epoll, AT(struct epoll_event, 0), 3, 1000))\
  X(__memcpy_chk, NOTHING, __memcpy_chk(p, TEXT, 8, BYTES))                    \
  X(__memmove_chk, NOTHING, __memmove_chk(p, TEXT, 8, BYTES))                  \
  X(__mempcpy_chk, NOTHING, __mempcpy_chk(p, TEXT, 8, BYTES))                  \
  X(__memset_chk, NOTHING, __memset_chk(p, 7, 100, BYTES))                     \
  X(__strcpy_chk, NOTHING, __strcpy_chk(p, TEXT, BYTES))                       \
  X(__stpcpy_chk, NOTHING, __stpcpy_chk(p, TEXT, BYTES))                       \
  X(__strcat_chk, TEXT_IN, __strcat_chk(p, TEXT, BYTES))                       \
  X(__strncpy_chk, NOTHING, __strncpy_chk(p, TEXT, 50, BYTES))                 \
  X(__strncat_chk, TEXT_IN, __strncat_chk(p, TEXT, 3, BYTES))                  \
  X(__sprintf_chk, NOTHING, __sprintf_chk(p, 1, BYTES, "%s %d", "number", 1))  \
  X(__snprintf_chk, NOTHING, __snprintf_chk(p, 9, 1, BYTES, "%s %d", "no", 1)) \
  X(__vsprintf_chk, NOTHING, through___vsprintf_chk(p, "number", 12))                      \
  X(__vsnprintf_chk, NOTHING, through___vsnprintf_chk(p, "number", 123))                   \
  X(__read_chk, NOTHING, __read_chk(start_of_file(), p, 999, BYTES))           \
  X(__pread_chk, NOTHING, __pread_chk(file, p, 999, 2, BYTES))                 \
  X(__pread64_chk, NOTHING, __pread64_chk(file, p, 999, 2, BYTES))             \
  X(__recv_chk, NOTHING, __recv_chk(received_by(pair), p, 999, BYTES, 0))      \
  X(__fread_chk, NOTHING, __fread_chk(p, BYTES, 1, 99, from_start()))          \
  X(__fgets_chk, NOTHING, __fgets_chk(p, BYTES, 99, from_start()))
/* clang-format on */

#define FUNCTION(name, setup, call)                                            \
  static void setup_##name(char *p) {                                          \
    setup;                                                                     \
    (void)p;                                                                   \
  }                                                                            \
  __attribute__((noinline)) static void call_##name(char *p) { (void)call; }
FUNCTIONS(FUNCTION, FUNCTION)

static const struct {
  const char *name;
  void (*setup)(char *), (*call)(char *);
  int varies;
} functions[] = {
#define ENTRY(name, setup, call) {#name, setup_##name, call_##name, 0},
#define VARYING(name, setup, call) {#name, setup_##name, call_##name, 1},
    FUNCTIONS(ENTRY, VARYING)};

static void prepare(void) {
  struct sockaddr_un any = {.sun_family = AF_UNIX};
  snprintf(path, sizeof(path), "/tmp/nvmove-wrapped-%d", (int)getpid());
  snprintf(link_path, sizeof(link_path), "%s-link", path);
  file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, TEXT, sizeof(TEXT)) != sizeof(TEXT) ||
      symlink("target", link_path) ||
      socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
      socketpair(AF_UNIX, SOCK_DGRAM, 0, datagram) || pipe(polled) ||
      write(polled[1], "x", 1) != 1)
    _exit(1);
  stream = fopen(path, "r");
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr *)&any,
       sizeof(any.sun_family)); /* any name */
  listen(listener, 9);
  epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5};
  epoll_ctl(epoll, EPOLL_CTL_ADD, polled[0], &event);
}

static unsigned long unannounced(void) {
  struct nvm_stats stats;
  nvm_get_stats(&stats);
  return stats.unannounced;
}

/* With an argument, without the functions that only a wrapper lets touch a
 * block of the heap. */
int main(int argc, char **argv) {
  static char outside[BYTES];
  (void)argv;
  nvm_start();
  nvm_restore();
  char *p = nvm_zalloc(&nvm_type_bytes, BYTES);
  nvm_ready();
  prepare();
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    if (argc > 1 && strstr(functions[i].name, "_heap"))
      continue;
    memset(outside, 0, BYTES);
    functions[i].setup(outside);
    functions[i].call(outside);
    nvm_begin();
    nvm_memset(p, 0, BYTES);
    functions[i].setup(p);
    nvm_end();
    unsigned long before = unannounced();
    nvm_begin();
    functions[i].call(p);
    nvm_end();
    int same = functions[i].varies || memcmp(p, outside, BYTES) == 0;
    printf("%s: %s\n", functions[i].name,
           !same                     ? "differs"
           : unannounced() == before ? "announced"
                                     : "unannounced");
  }
  fflush(stdout);
  msgctl(messages, IPC_RMID, NULL);
  unlink(path);
  unlink(link_path);
  return 0;
}
