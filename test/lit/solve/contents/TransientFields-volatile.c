// What ends with the process, in objects that do not: a block that is not
// persistent, what a library gave back, a descriptor. They are told and are null
// or -1 in the next run.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: holds-descriptor {{.*}}client.fd may hold a descriptor of an open file, from open(): a restart makes it -1
// CHECK-DAG: holds-descriptor {{.*}}client.key may hold a descriptor of an open file, from open(): a restart leaves it unchanged, because it may also be a number
// CHECK-DAG: pointer-to-volatile {{.*}}client.log may point to what fopen() returns: a restart makes it null
// CHECK-DAG: pointer-to-volatile {{.*}}client.port may point to struct port, allocated here and not persistent: a restart makes it null
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      NVM_POINTER(struct client, next),
// TEXT-NEXT: NVM_FIELD(struct client, id),
// TEXT-NEXT: NVM_DESCRIPTOR(struct client, fd),
// TEXT-NEXT: NVM_FIELD(struct client, key),
// TEXT-NEXT: NVM_VOLATILE(struct client, log),
// TEXT-NEXT: NVM_VOLATILE(struct client, port));
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf abx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log 2> said
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      98 closed none none 3
// LOG-NEXT: 97 closed none none 98
// RUN: FileCheck %s --input-file said --check-prefix=SAID
// SAID: 6 pointers and descriptors of another process were reset

//--- program.c
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct port {
  int number;
};
struct client {
  struct client *next;
  int id, fd, key; /* which is a number or a descriptor */
  FILE *log;
  struct port *port;
};
static struct client *clients;
static struct port *standard;

static struct client *add(int id) {
  struct client *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  c->id = id;
  c->fd = -1;
  c->next = clients;
  clients = c;
  return c;
}
static void load(void) {
  int id;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fread(&id, sizeof id, 1, f) == 1)
    add(id);
  fclose(f);
}
static void command(int c) {
  struct client *client;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  client = add(c);
  client->fd = open("/dev/null", O_RDONLY);
  client->key = c == 'a' ? c + 1 : client->fd - client->fd + 3;
  if (c == 'y')
    client->key = client->fd;
  client->log = fopen("/dev/null", "r");
  client->port = standard;
}
int main(void) {
  int c;
  standard = malloc(sizeof *standard);
  if (!standard)
    return 1;
  standard->number = 1883;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct client *i = clients; i; i = i->next)
    printf("%d %s %s %s %d\n", i->id, i->fd < 0 ? "closed" : "open",
           i->log ? "log" : "none", i->port ? "port" : "none", i->key);
  return 0;
}
