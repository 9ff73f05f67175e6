// usage: ask [REQUEST ..]: each on a connection of its own to the server at the
// socket "sock"; prints its answer. Fails if there is no server.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "sock"};
  char answer[256];
  for (int i = 1; i < argc; ++i) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        write(fd, argv[i], strlen(argv[i])) < 0 || shutdown(fd, SHUT_WR) != 0) {
      perror("ask");
      return 1;
    }
    ssize_t n = read(fd, answer, sizeof(answer));
    if (n <= 0) {
      fputs("ask: no answer\n", stderr);
      return 1;
    }
    fwrite(answer, 1, (size_t)n, stdout);
    fflush(stdout);
    close(fd);
  }
  return 0;
}
