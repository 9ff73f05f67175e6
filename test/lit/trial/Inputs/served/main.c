// A server at the socket "sock": a request for each connection.
#include <nvmove/nvm.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
static int sum, in, out;
static int edits; // is kept with -DKEPT
static const char *mode;
static int is(const char *what) { return !strcmp(mode, what); }
static void *spin(void *p) {
  for (;;)
    ;
  return p;
}
static void handle(const char *request, char *answer) {
  int n;
  if (sscanf(request, "add %d", &n) == 1) {
    nvm_begin();
    sum += n;
    edits++;
    nvm_end();
    sprintf(answer, "ok\n");
  } else if (!strcmp(request, "half")) {
    nvm_begin();
    in++;
    nvm_end();
    nvm_begin();
    out++;
    nvm_end();
    sprintf(answer, "%d %d\n", in, out);
  } else if (!strcmp(request, "info")) {
    sprintf(answer, "pid %d\nedits %d\n", (int)getpid(), edits);
  } else if (!strcmp(request, "show")) {
    sprintf(answer, "%d\n", sum);
  } else if (!strcmp(request, "bye")) {
    exit(3);
  }
}
static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  unlink(path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 5))
    exit(9);
  return fd;
}
int main(int argc, char **argv) {
  pthread_t thread;
  mode = argc > 1 ? argv[1] : "";
  nvm_start();
  int again = nvm_restore();
  nvm_ready();
  if (is("ends"))
    return 5;
  if (is("spins"))
    pthread_create(&thread, NULL, spin, NULL);
  if (is("stays"))
    signal(SIGTERM, SIG_IGN);
  if (is("late")) // waits for something else first
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
  if (is("never"))
    for (;;)
      ;
  if (is("aborts") && again)
    abort();
  int server = listen_at("sock");
  for (;;) {
    char request[64] = "", answer[128] = "";
    int fd = accept(server, NULL, NULL);
    ssize_t n = read(fd, request, sizeof(request) - 1);
    while (is("hangs") && again)
      ;
    if (n > 0 && !(is("mute") && again))
      handle(request, answer);
    if (write(fd, answer, strlen(answer)) < 0 && errno != EPIPE)
      return 1;
    close(fd);
  }
}
NVM_REGISTER(main) {
  NVM_ROOT(sum);
  NVM_ROOT(in);
  NVM_ROOT(out);
#ifdef KEPT
  NVM_ROOT(edits);
#endif
}
