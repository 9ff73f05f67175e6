// A library of containers, as a program sees one.
typedef struct Table Table; // only the library knows it
Table *table_new(void);
void table_put(Table *t, const char *key, void *value);
void *table_get(Table *t, const char *key);
void table_each(Table *t, void (*f)(void *value, void *with), void *with);

typedef struct List {
  void *data;
  struct List *next;
} List;
List *list_add(List *l, void *data);

typedef struct Array {
  void **items;
  unsigned n;
} Array;
Array *array_new(void);
void array_add(Array *a, void *item);

typedef struct Queue {
  List *head;
} Queue;
void queue_push(Queue *q, void *item);
Queue *queue_new(void);

typedef struct Walk {
  void *hidden;
} Walk;
void walk_start(Walk *w, Table *t);
int walk_next(Walk *w, const char **key, void **value);

// It takes things and gives none back.
typedef struct Stream {
  void *hidden;
} Stream;
Stream *stream_open(const char *name);
void stream_log(Stream *s, void *what);
void *lib_alloc(unsigned long n) __attribute__((malloc));
