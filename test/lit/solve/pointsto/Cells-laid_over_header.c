// A block of a computed size, made and read as a header, over which larger records
// are laid by casts: what the load keeps pointers into lies there.
//
// RUN: %nvmove --print types --load store_open %s | FileCheck %s
// CHECK-DAG: {{^avail$}}
// CHECK-DAG: {{^ext$}}
// CHECK-DAG: {{^std_header$}}
// CHECK-DAG: {{^ext_header$}}
// CHECK-DAG: {{^header$}}
// CHECK-DAG: {{^store$}}
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
struct elem { int size; long adr; };
struct header { int magic, block_size; long dir; };
struct ext { int version; unsigned numsync; };
struct avail { int size, count; long next; struct elem table[1]; };
struct std_header { struct header hdr; struct avail avail; };
struct ext_header { struct header hdr; struct ext ext; struct avail avail; };
struct store { int fd; struct header *header; struct avail *avail; struct ext *ext; };
static struct store *store;
static void find_avail(struct header *h, struct avail **avail, struct ext **ext)
{
    if (h->magic == 1) {
        *ext = NULL;
        *avail = &((struct std_header *)h)->avail;
    } else {
        *ext = &((struct ext_header *)h)->ext;
        *avail = &((struct ext_header *)h)->avail;
    }
}
static int full_read(int fd, void *buffer, size_t size)
{
    char *p = buffer;
    while (size) {
        ssize_t n = read(fd, p, size);
        if (n <= 0) return -1;
        p += n;
        size -= n;
    }
    return 0;
}
int store_open(const char *name)
{
    struct header partial;
    struct store *s = calloc(1, sizeof *s);
    s->fd = open(name, O_RDWR);
    if (full_read(s->fd, &partial, sizeof partial)) return -1;
    s->header = malloc(partial.block_size);
    memcpy(s->header, &partial, sizeof partial);
    if (read(s->fd, s->header + 1, s->header->block_size - sizeof partial) < 0) return -1;
    find_avail(s->header, &s->avail, &s->ext);
    store = s;
    return 0;
}
int main(int argc, char **argv)
{
    if (store_open(argv[1])) return 1;
    while (read(0, &store->avail->table[0].adr, 8) == 8) {
        store->avail->count++;
        if (store->ext) store->ext->numsync++;
        write(1, &store->avail->table[0].adr, 8);
    }
    return 0;
}
