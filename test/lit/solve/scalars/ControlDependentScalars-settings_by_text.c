// Settings that text of the file chooses: what a function makes of the text is
// restored, over a local too; what a function is handed where such text is seen
// is told.
//
// RUN: rm -rf %t && %nvmove --notes --load load --out %t %s -- -w | FileCheck %s
// CHECK: tight  gets a value from the file
// CHECK-DAG: set-by-load {{.*}}facility is set by the load
// CHECK-DAG: set-by-load {{.*}}options is set by the load
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct param { struct param *next; char *text; };
static struct param *params;
static int tight = 0;
static int facility = -1;
static unsigned long options = 1;
static int get_boolean(const char *s)
{
	if (strcmp(s, "on") == 0) return 1;
	if (strcmp(s, "off") == 0) return 0;
	return -1;
}
static void set_facility(int f) { facility = f; }
static void set_options(unsigned long o) { options = o; }
static void on_tight(const char *arg)
{
	int b = get_boolean(arg);
	if (b == -1) return;
	tight = b;
}
static void on_facility(const char *arg)
{
	struct { const char *name; int n; } table[] = { { "auth", 4 }, { "ftp", 11 }, { NULL, 0 } };
	int i;
	for (i = 0; table[i].name; i++)
		if (strcmp(arg, table[i].name) == 0) { set_facility(table[i].n); return; }
}
static void on_options(const char *arg)
{
	unsigned long o = 1;
	if (*arg == '+') o |= 2; else o &= ~1;
	set_options(o);
}
static void on_param(const char *arg)
{
	struct param *p = malloc(sizeof *p);
	p->text = strdup(arg); p->next = params; params = p;
}
static struct handler { const char *name; void (*call)(const char *); } handlers[] = {
	{ "tight", on_tight }, { "facility", on_facility }, { "options", on_options }, { "param", on_param }, { NULL, NULL } };
static int load(const char *name)
{
	FILE *f = fopen(name, "r");
	char word[40], arg[40];
	int i;
	while (fscanf(f, "%39s %39s", word, arg) == 2)
		for (i = 0; handlers[i].name; i++)
			if (strcmp(handlers[i].name, word) == 0) handlers[i].call(arg);
	fclose(f);
	return 0;
}
static void command(char *s)
{
	struct param *p;
	if (*s == '+') on_param(s + 1);
	for (p = params; p; p = p->next) printf("param %s\n", p->text);
	printf("tight %d facility %d options %lu\n", tight, facility, options);
}
int main(int c, char **v)
{
	char l[80];
	load(v[1]);
	while (fgets(l, 80, stdin)) command(l);
	return 0;
}
