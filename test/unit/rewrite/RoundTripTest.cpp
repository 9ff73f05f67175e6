//===- RoundTripTest.cpp - Whole programs, rewritten twice ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program goes through the real passes. At every layer it must compile
// without warnings, and the last text must yield no further edits.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Collect.h"
#include "test/unit/rewrite/RewriteTesting.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>

REPORTS(WrittenOtherwise)

using namespace nvmove;
using namespace nvmove::test;

namespace {

using Sources = std::map<std::string, std::string>;

struct Rewritten {
  std::map<Layer, Sources> after; ///< the sources up to each layer
  std::map<std::string, uint32_t> counts;
  FindingList findings;
  size_t editCount = 0;
};

/// Collects, solves and rewrites the program; `load` is its load function.
Rewritten rewriteProgram(const Sources &sources, const std::string &load) {
  TemporaryDirectory directory;
  std::vector<Facts> units;
  for (const auto &[name, text] : sources)
    directory.write(name, text);
  llvm::SmallString<128> root;
  llvm::sys::fs::real_path(directory.path(), root);
  for (const auto &[name, text] : sources) {
    if (!llvm::StringRef(name).ends_with(".c"))
      continue;
    std::string path = (root + "/" + name).str();
    CollectResult result =
        collect({path,
                 root.str().str(),
                 {"cc", "-std=c99", "-I", runtimeInclude(), path}});
    for (size_t i = 0; result.failure && i < result.failure->messages.size();
         ++i)
      ADD_FAILURE() << result.failure->messages[i];
    units.push_back(std::move(result.facts));
  }
  Facts facts = merge(std::move(units));
  SolveOptions options;
  options.load = {load};
  auto solution = solve(facts, options);
  if (!solution) {
    ADD_FAILURE() << llvm::toString(solution.takeError());
    return {};
  }
  std::vector<std::string> contents(facts.files.size());
  auto nameOf = [&](Id file) {
    llvm::StringRef path = facts.files[file].path;
    return path.consume_front((root + "/").str()) ? path.str() : std::string();
  };
  for (Id file = 0; file < facts.files.size(); ++file)
    if (facts.files[file].editable && !nameOf(file).empty())
      contents[file] = sources.at(nameOf(file));
    else // the runtime's own header, when it is the program's second run
      facts.files[file].editable = false;

  Rewritten result;
  auto edits = makeEdits(facts, *solution, contents);
  if (!edits) {
    ADD_FAILURE() << llvm::toString(edits.takeError());
    return {};
  }
  for (Layer layer :
       {Layer::Roots, Layer::Allocation, Layer::Sections, Layer::Stores}) {
    result.after[layer] = sources;
    for (Id file = 0; file < facts.files.size(); ++file)
      if (facts.files[file].editable)
        result.after[layer][nameOf(file)] =
            apply(edits->edits, file, contents[file], layer);
  }
  result.counts = edits->counts;
  result.findings = edits->findings;
  result.editCount = edits->edits.size();
  return result;
}

void expectRoundTrip(const Sources &sources, const std::string &load,
                     const std::map<std::string, uint32_t> &counts) {
  Rewritten first = rewriteProgram(sources, load);
  for (const auto &[layer, texts] : first.after)
    expectCompiles(texts);
  for (const auto &[what, count] : counts)
    EXPECT_EQ(first.counts[what], count) << what;
  Rewritten second = rewriteProgram(first.after[Layer::Stores], load);
  EXPECT_EQ(second.editCount, 0u);
  for (const Finding &n : std::as_const(second.findings))
    EXPECT_NE(n.id, FindingId::WrittenOtherwise) << n.what;
  for (const auto &[name, text] : first.after[Layer::Stores])
    EXPECT_EQ(second.after[Layer::Stores][name], text) << name;
}

TEST(RoundTrip, Table) {
  expectRoundTrip({{"table.c", R"c(
#include <stdio.h>
#include <stdlib.h>
struct item { int id; struct item *next; };
static struct item *table[64];
static long count;
static void add(int id) {
  struct item *it = malloc(sizeof *it);
  if (it == NULL) return;
  it->id = id;
  it->next = table[id % 64];
  table[id % 64] = it;
  count++;
}
static void load(FILE *f) {
  int id;
  while (fread(&id, sizeof id, 1, f) == 1)
    add(id);
}
static void drop(int id) {
  struct item **p = &table[id % 64];
  while (*p && (*p)->id != id)
    p = &(*p)->next;
  if (*p) {
    struct item *gone = *p;
    *p = gone->next;
    free(gone);
    count--;
  }
}
int main(void) {
  int id;
  FILE *f = fopen("table", "r");
  if (f)
    load(f);
  while (scanf("%d", &id) == 1) {
    if (id > 0) add(id);
    else drop(-id);
  }
  printf("%ld\n", count);
  return 0;
}
)c"}},
                  "load",
                  {{"type layouts", 1},
                   {"allocation sites", 1},
                   {"guarded loads", 1},
                   {"calls of nvm_start", 1}});
}

TEST(RoundTrip, ManyForms) {
  Sources sources;
  sources["store.h"] = R"c(#ifndef STORE_H
#define STORE_H
#include <stddef.h>
struct kind { int (*compare)(const char *, const char *); };
struct __attribute__((packed)) header { unsigned char flags; unsigned length; };
typedef struct entry {
  struct entry *next;
  const struct kind *kind;
  unsigned hot : 1;
  unsigned uses : 31;
  __extension__ union { long number; char *text; };
  struct { int x, y; } place;
  char name[24];
} entry;
struct store { entry *first; size_t used; int fd; char scratch[64]; };
extern struct store store;
extern const struct kind plain;
#define LINK(e, n) ((e)->next = (n))
#define TOUCH(e) do { (e)->hot = 1; (e)->uses++; } while (0)
entry *newEntry(const char *name, long number);
void *allocate(size_t n);
int loadStore(const char *path);
void setText(entry *e, const char *text);
int handle(const char *line);
#endif
)c";
  sources["store.c"] = R"c(/* The data. */

#include "store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store store;
static int compareNames(const char *a, const char *b) { return strcmp(a, b); }
const struct kind plain = { compareNames };

void *allocate(size_t n) {
  void *p = malloc(n);
  if (p == NULL) abort();
  return p;
}

entry *newEntry(const char *name, long number) {
  entry *e = allocate(sizeof(entry));
  memset(e, 0, sizeof(*e));
  e->kind = &plain;
  e->number = number;
  e->place.x = e->place.y = (int)number;
  snprintf(e->name, sizeof(e->name), "%s", name);
  TOUCH(e);
  LINK(e, store.first);
  store.first = e;
  store.used++;
  return e;
}

void setText(entry *e, const char *text) {
  size_t n = strlen(text);
  char *block = allocate(sizeof(struct header) + n + 1);
  struct header *h = (struct header *)block;
  h->flags = 1;
  h->length = (unsigned)n;
  memcpy(block + sizeof(*h), text, n + 1);
  e->text = block + sizeof(*h);
  e->text[0] ^= 1;
}

int loadStore(const char *path) {
  char name[24];
  long number;
  FILE *f = fopen(path, "r");
  if (f == NULL) return -1;
  while (fscanf(f, "%23s %ld", name, &number) == 2)
    setText(newEntry(name, number), name);
  fclose(f);
  return 0;
}
)c";
  sources["main.c"] = R"c(#include "store.h"
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

int handle(const char *line) {
  entry *e;
  for (e = store.first; e; e = e->next)
    if (e->kind->compare(e->name, line) == 0) {
      TOUCH(e);
      if (write(1, e->name, strlen(e->name)) < 0) return -1;
      return (int)e->uses;
    }
  newEntry(line, 1);
  return 0;
}

int main(int argc, char **argv) {
  char line[24];
  int result = 0;
  if (argc > 1 && loadStore(argv[1]) != 0) return 1;
  for (;;) {
    fd_set set;
    ssize_t n;
    FD_ZERO(&set);
    FD_SET(0, &set);
    if (select(1, &set, NULL, NULL, NULL) < 0) break;
    n = read(0, line, sizeof(line) - 1);
    if (n <= 0) break;
    line[n] = '\0';
    result += handle(line);
  }
  return result < 0;
}
)c";
  expectRoundTrip(sources, "loadStore",
                  {{"guarded loads", 1},
                   {"calls of nvm_start", 1},
                   {"outputs replaced", 1}});
}

} // namespace
