// The capacity of a vector in a static record is restored with its count, also
// where both are reached through a pointer.
//
// RUN: rm -rf %t && %nvmove --load load --out %t %s -- -w | FileCheck %s
// CHECK:      2 restored scalars
// CHECK-NEXT: srv.aheap  is the size of what is loaded
// CHECK-NEXT: srv.nheap  is an index or offset into what is loaded
#include <stdio.h>
#include <stdlib.h>
struct job { int n; };
struct server { struct job **heap; int nheap, aheap; };
static struct server srv;
static void push(struct server *s, struct job *j)
{
	if (s->nheap == s->aheap) {
		s->aheap = s->aheap ? s->aheap * 2 : 4;
		s->heap = realloc(s->heap, s->aheap * sizeof *s->heap);
	}
	s->heap[s->nheap++] = j;
}
static void add(struct server *s, int n) { struct job *j = malloc(sizeof *j); j->n = n; push(s, j); }
static int load(struct server *s, const char *name)
{
	FILE *f = fopen(name, "r");
	int c;
	if (!f) return 0;
	while ((c = getc(f)) != EOF) add(s, c);
	fclose(f);
	return 1;
}
static void command(struct server *s, const char *l)
{
	int i;
	if (*l == 'a') add(s, s->nheap);
	if (*l == 's') { for (i = 0; i < s->nheap; i++) printf("%d ", s->heap[i]->n); printf("capacity %d\n", s->aheap); }
	fflush(stdout);
}
int main(int c, char **v)
{
	char l[80];
	if (!load(&srv, v[1])) add(&srv, 1);
	while (fgets(l, 80, stdin)) command(&srv, l);
	return 0;
}
