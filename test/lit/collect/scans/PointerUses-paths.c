// Which uses of members, parameters and results stand behind a test, by the flow
// of control and the places that tests spell.
//
// RUN: cd %S && %nvmove --load run --print facts PointerUses-paths.c > %t.log
// RUN: FileCheck %s --input-file %t.log

struct net { int n; };
struct item { struct item *next; struct net *net, *nets[4]; };
extern void use(struct net *net, int n);
extern struct net *get(int n);

// CHECK-DAG: pointer-use run: item.net followed at {{.*}}:[[#@LINE+6]]:{{[0-9]+}} tested
// CHECK-DAG: pointer-use run: item.net followed at {{.*}}:[[#@LINE+8]]:{{[0-9]+$}}
// CHECK-DAG: pointer-use run: item.next followed at {{.*}}:[[#@LINE+8]]:{{[0-9]+$}}
void run(struct item *i, int k) {
  int n = 0;
  if (i->net && n == 0)
    n = i->net->n;
  switch (k) {
  case 1:
    n += i->net->n;
    n += i->next->net->n;
  }
  use(0, n);
}

// What an element of an array is tested for holds as long as the index does.
// CHECK-DAG: pointer-use element: item.nets followed at {{.*}}:[[#@LINE+5]]:{{[0-9]+}} tested
// CHECK-DAG: pointer-use element: item.nets followed at {{.*}}:[[#@LINE+7]]:{{[0-9]+$}}
int element(struct item *i, int k) {
  int n = 0;
  if (i->nets[k])
    n = i->nets[k]->n;
  if (i->nets[k] != 0) {
    k++;
    n += i->nets[k]->n;
  }
  return n;
}

// A local is what it was given; a parameter, what it is handed.
// CHECK-DAG: pointer-use local: item.net handed to call 0 as 0 at {{.*}}:[[#@LINE+9]]:{{[0-9]+$}}
// CHECK-DAG: pointer-use local: net#1 followed at {{.*}}:[[#@LINE+11]]:{{[0-9]+$}}
// CHECK-DAG: pointer-use local: item.net returned at {{.*}}:[[#@LINE+11]]:{{[0-9]+}} tested
// CHECK-DAG: pointer-use local: %[[#]] followed at {{.*}}:[[#@LINE+8]]:{{[0-9]+$}}
struct net *local(struct item *i, struct net *net) {
  struct net *one = i->net;
  int n = 0;
  while (!one)
    one = i->net;
  use(i->net, 0);
  if (n)
    use(0, get(1)->n);
  use(0, net->n);
  return one;
}
