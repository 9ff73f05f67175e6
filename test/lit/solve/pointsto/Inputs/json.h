// A library that reads files, as a program sees it.
#include <stddef.h>
typedef struct json_t {
  int type;
  unsigned long refcount;
} json_t;
json_t *json_load_file(const char *, int, void *);
json_t *json_object_get(const json_t *, const char *);
long json_integer_value(const json_t *);
const char *json_string_value(const json_t *);


typedef struct Description Description;
typedef struct Message {
  const Description *description;
  void *rest;
} Message;
Message *message_unpack(const Description *, size_t n, const unsigned char *);
