/*===- ycsb_redis.c - YCSB's core mixes against a Redis server --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: ycsb_redis SOCKET string|hash load RECORDS
 *        ycsb_redis SOCKET string|hash RECORDS READ-PERCENT OPERATIONS
 *                   PIPELINE SEED [RATE]
 *
 * Records of 1000 bytes: one string, or a hash of ten fields of 100 bytes. A
 * read asks for all of a record; an update writes the string, or one field.
 * Which record is asked for follows the scrambled Zipfian distribution with
 * exponent 0.99 (Cooper et al., Benchmarking Cloud Serving Systems with YCSB;
 * the generator is that of Gray et al., Quickly Generating Billion-Record
 * Synthetic Databases).
 *
 * 16 connections take turns: each gets PIPELINE commands, then each is read. So
 * 16 times PIPELINE commands wait at the server. Prints lines of
 * `parameter,value,unit`: the rate, and quantiles of the time from the sending
 * of a connection's commands to its last reply.
 *
 * With RATE, in operations a second, turns begin by the clock, and times count
 * from the moment at which a turn was due: what piles up behind a server that
 * stands still has waited, too (Tene calls it coordinated omission where it is
 * left out).
 */
#define _GNU_SOURCE
#include "bench.h"
#include <hiredis/hiredis.h>
#include <math.h>

#define CONNECTIONS 16
#define FIELDS 10
#define FIELD_BYTES 100
#define EXPONENT 0.99

static redisContext *connection[CONNECTIONS];
static char value[FIELDS * FIELD_BYTES];
static int is_hash;

static void lost(const char *what, const char *why) {
  fprintf(stderr, "ycsb_redis: error: %s: %s\n", what, why);
  exit(1);
}

/*===-- Which record ------------------------------------------------------===*/

struct zipf {
  double count, zeta, alpha, eta, half;
};

static struct zipf zipf_of(uint64_t count) {
  struct zipf z = {.count = (double)count, .alpha = 1 / (1 - EXPONENT)};
  for (uint64_t i = 1; i <= count; i++)
    z.zeta += 1 / pow((double)i, EXPONENT);
  z.half = 1 + pow(0.5, EXPONENT);
  z.eta = (1 - pow(2 / z.count, 1 - EXPONENT)) / (1 - z.half / z.zeta);
  return z;
}

static uint64_t rank_of(const struct zipf *z, double uniform) {
  double at = uniform * z->zeta;
  if (at < 1)
    return 0;
  if (at < z->half)
    return 1;
  return (uint64_t)(z->count * pow(z->eta * uniform - z->eta + 1, z->alpha));
}

/* So that the records that are asked for most do not lie side by side
 * (FNV-1a). */
static uint64_t scramble(uint64_t rank, uint64_t count) {
  uint64_t hash = 14695981039346656037u;
  for (unsigned i = 0; i < 8; i++, rank >>= 8)
    hash = (hash ^ (rank & 255)) * 1099511628211u;
  return hash % count;
}

/*===-- Commands ----------------------------------------------------------===*/

static void append(redisContext *c, int count, const char **word,
                   const size_t *bytes) {
  if (redisAppendCommandArgv(c, count, word, bytes) != REDIS_OK)
    lost("append", c->errstr);
}

static void insert(redisContext *c, const char *key, size_t key_bytes) {
  const char *word[2 + 2 * FIELDS] = {is_hash ? "HMSET" : "SET", key, value};
  size_t bytes[2 + 2 * FIELDS] = {strlen(word[0]), key_bytes, sizeof(value)};
  static const char names[] = "field0field1field2field3field4field5field6field7"
                              "field8field9";
  for (size_t i = 0; is_hash && i < FIELDS; i++) {
    word[2 + 2 * i] = names + 6 * i;
    bytes[2 + 2 * i] = 6;
    word[3 + 2 * i] = value + FIELD_BYTES * i;
    bytes[3 + 2 * i] = FIELD_BYTES;
  }
  append(c, is_hash ? 2 + 2 * FIELDS : 3, word, bytes);
}

static void update(redisContext *c, const char *key, size_t key_bytes,
                   uint64_t random) {
  char field[] = "field0";
  field[5] = (char)('0' + random % FIELDS);
  const char *word[] = {"HSET", key, field, value};
  size_t bytes[] = {4, key_bytes, 6, FIELD_BYTES};
  if (is_hash)
    append(c, 4, word, bytes);
  else
    insert(c, key, key_bytes);
}

static void ask(redisContext *c, const char *key, size_t key_bytes) {
  const char *word[] = {is_hash ? "HGETALL" : "GET", key};
  size_t bytes[] = {strlen(word[0]), key_bytes};
  append(c, 2, word, bytes);
}

static void send_all(redisContext *c) {
  for (int done = 0; !done;)
    if (redisBufferWrite(c, &done) != REDIS_OK)
      lost("send", c->errstr);
}

/* A record that is not there is an error: everything is loaded before. */
static void receive(redisContext *c) {
  redisReply *reply;
  if (redisGetReply(c, (void **)&reply) != REDIS_OK)
    lost("receive", c->errstr);
  if (reply->type == REDIS_REPLY_ERROR)
    lost("the server", reply->str);
  if (reply->type == REDIS_REPLY_NIL ||
      (reply->type == REDIS_REPLY_ARRAY && reply->elements != 2 * FIELDS))
    lost("the server", "a record is missing");
  freeReplyObject(reply);
}

static size_t key_of(char *key, size_t room, uint64_t number) {
  return (size_t)snprintf(key, room, "user%012llu", (unsigned long long)number);
}

/*===-- The runs ----------------------------------------------------------===*/

static void load(uint64_t records) {
  enum { AT_ONCE = 100 };
  char key[32];
  double begin = now_s();
  for (uint64_t i = 0; i < records; i += AT_ONCE) {
    uint64_t n = records - i < AT_ONCE ? records - i : AT_ONCE;
    for (uint64_t k = 0; k < n; k++)
      insert(connection[0], key, key_of(key, sizeof(key), i + k));
    send_all(connection[0]);
    for (uint64_t k = 0; k < n; k++)
      receive(connection[0]);
  }
  printf("load,%.0f,records/s\n", (double)records / (now_s() - begin));
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void quantile(const char *name, const double *sorted, size_t count,
                     double part) {
  printf("%s,%.1f,us\n", name,
         sorted[(size_t)(part * (double)(count - 1))] * 1e6);
}

static void wait_until(double when_s) {
  double left_s = when_s - now_s();
  if (left_s > 0)
    usleep((useconds_t)(left_s * 1e6));
}

static void run(uint64_t records, unsigned reads, uint64_t operations,
                unsigned pipeline, uint64_t seed, double rate) {
  struct zipf zipf = zipf_of(records);
  uint64_t turns = operations / (CONNECTIONS * (uint64_t)pipeline) + 1;
  double *latency = calloc(turns * CONNECTIONS, sizeof(*latency));
  double sent[CONNECTIONS], begin = now_s();
  size_t count = 0;
  char key[32];
  if (!latency)
    lost("run", "no memory");
  for (uint64_t turn = 0; turn < turns; turn++) {
    double due = 0;
    if (rate > 0) {
      due = begin + (double)(turn * CONNECTIONS * pipeline) / rate;
      wait_until(due);
    }
    for (unsigned c = 0; c < CONNECTIONS; c++) {
      for (unsigned i = 0; i < pipeline; i++) {
        double uniform = (double)next_random(&seed) / 0x1p48;
        uint64_t record = scramble(rank_of(&zipf, uniform), records);
        size_t bytes = key_of(key, sizeof(key), record);
        uint64_t random = next_random(&seed);
        if (random % 100 < reads)
          ask(connection[c], key, bytes);
        else
          update(connection[c], key, bytes, random / 100);
      }
      sent[c] = rate > 0 ? due : now_s();
      send_all(connection[c]);
    }
    for (unsigned c = 0; c < CONNECTIONS; c++) {
      for (unsigned i = 0; i < pipeline; i++)
        receive(connection[c]);
      latency[count++] = now_s() - sent[c];
    }
  }
  double taken = now_s() - begin;
  qsort(latency, count, sizeof(*latency), by_value);
  printf("rate,%.0f,operations/s\n",
         (double)(turns * CONNECTIONS * pipeline) / taken);
  quantile("p50", latency, count, 0.5);
  quantile("p99", latency, count, 0.99);
  quantile("p99.9", latency, count, 0.999);
  quantile("longest", latency, count, 1);
  free(latency);
}

static uint64_t number(const char *text, uint64_t most) {
  char *end;
  unsigned long long n = strtoull(text, &end, 10);
  if (*end || end == text || n == 0 || n > most)
    lost(text, "not a number that can be");
  return n;
}

int main(int argc, char **argv) {
  int loads = argc == 5 && strcmp(argv[3], "load") == 0;
  if ((!loads && argc != 8 && argc != 9) ||
      (strcmp(argv[2], "string") && strcmp(argv[2], "hash"))) {
    fprintf(stderr, "usage: ycsb_redis SOCKET string|hash load RECORDS\n"
                    "       ycsb_redis SOCKET string|hash RECORDS READ-PERCENT "
                    "OPERATIONS PIPELINE SEED [RATE]\n");
    return 2;
  }
  is_hash = argv[2][0] == 'h';
  uint64_t seed = 88172645463325252u;
  for (size_t i = 0; i < sizeof(value); i++)
    value[i] = (char)('a' + next_random(&seed) % 26);
  for (unsigned c = 0; c < CONNECTIONS; c++) {
    connection[c] = redisConnectUnix(argv[1]);
    if (!connection[c] || connection[c]->err)
      lost(argv[1], connection[c] ? connection[c]->errstr : "no memory");
  }
  if (loads)
    load(number(argv[4], 1u << 30));
  else
    run(number(argv[3], 1u << 30), (unsigned)number(argv[4], 100),
        number(argv[5], 1ull << 40), (unsigned)number(argv[6], 1000),
        number(argv[7], UINT64_MAX),
        argc == 9 ? (double)number(argv[8], 1u << 30) : 0);
  for (unsigned c = 0; c < CONNECTIONS; c++)
    redisFree(connection[c]);
  return 0;
}
