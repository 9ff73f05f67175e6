//===- dump_facts.cpp - Facts of C files, on the command line -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   dump_facts [--summary] file.c... -- compiler arguments
//
// Prints the merged facts, or with --summary how many there are, which sites
// cannot be edited, and what it cost.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Collect.h"
#include "passes/facts/References.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/resource.h>

using namespace nvmove;

namespace {

double now_seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void printInvalid(const Facts &f, const char *what, Id function, Loc loc,
                  const std::string &more) {
  std::printf("  no span: %s in %s at %s:%u:%u %s\n", what,
              function == None ? "-" : f.functions[function].name.c_str(),
              loc.file == None ? "?" : f.files[loc.file].path.c_str(), loc.line,
              loc.column, more.c_str());
}

/// Counts references that point nowhere: there must be none.
unsigned countBroken(const Facts &f) {
  unsigned broken = 0;
  auto check = [&](Table table, Id id) {
    size_t size = 0;
    switch (table) {
    case Table::File:
      size = f.files.size();
      break;
    case Table::Type:
      size = f.types.size();
      break;
    case Table::Record:
      size = f.records.size();
      break;
    case Table::Field:
      size = f.fields.size();
      break;
    case Table::Node:
      size = f.nodes.size();
      break;
    case Table::Function:
      size = f.functions.size();
      break;
    case Table::Loop:
      size = f.loops.size();
      break;
    }
    broken += id != None && id >= size;
  };
  auto checkAll = [&](const auto &facts) {
    for (const auto &fact : facts)
      forEachReference(fact, check);
  };
  forEachDefinitionList([&](auto list, auto) { checkAll(f.*list); });
  checkAll(f.records);
  checkAll(f.fields);
  checkAll(f.nodes);
  checkAll(f.functions);
  checkAll(f.definitions);
  for (const StoreSite &s : f.stores)
    broken += s.address == None;
  return broken;
}

void printSummary(const Facts &f) {
  std::printf("%u broken references\n", countBroken(f));
  std::printf(
      "%zu files %zu types %zu records %zu fields %zu nodes %zu functions\n",
      f.files.size(), f.types.size(), f.records.size(), f.fields.size(),
      f.nodes.size(), f.functions.size());
  std::printf("%zu definitions %zu constraints %zu calls %zu loops %zu stores "
              "%zu static writes\n",
              f.definitions.size(), f.constraints.size(), f.calls.size(),
              f.loops.size(), f.stores.size(), f.staticWrites.size());
  std::printf("%zu address uses %zu sizeof uses %zu gaps\n",
              f.addressUses.size(), f.sizeofUses.size(), f.gaps.size());
  for (const StoreSite &s : f.stores)
    if (!s.span.valid())
      printInvalid(f, "store", s.function, s.loc, "");
  for (const Call &c : f.calls)
    if (!c.span.valid())
      printInvalid(f, "call", c.function, c.loc,
                   c.callee == None ? "indirect" : f.functions[c.callee].name);
  unsigned arguments = 0, statements = 0, uses = 0;
  for (const Call &c : f.calls) {
    if (!c.statement.span.valid())
      ++statements;
    if (c.span.valid())
      for (size_t i = 0; i < c.argSpans.size(); ++i)
        if (!c.argSpans[i].valid()) {
          ++arguments;
          printInvalid(f, "argument", c.function, c.loc,
                       c.callee == None ? "indirect"
                                        : f.functions[c.callee].name);
        }
  }
  for (const AddressUse &u : f.addressUses)
    if (!u.span.valid()) {
      ++uses;
      printInvalid(f, "address use", u.function, u.loc,
                   f.nodes[u.variable].name);
    }
  std::printf("no span: %u arguments, %u address uses; %u calls without "
              "statement span\n",
              arguments, uses, statements);
  std::map<std::string, unsigned> gaps;
  for (const Gap &g : f.gaps)
    ++gaps[g.what];
  for (auto &[what, count] : gaps)
    std::printf("gap x%u: %s\n", count, what.c_str());
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> files, flags;
  bool summary = false, afterDashes = false;
  for (int i = 1; i < argc; ++i) {
    if (!afterDashes && !std::strcmp(argv[i], "--"))
      afterDashes = true;
    else if (afterDashes)
      flags.push_back(argv[i]);
    else if (!std::strcmp(argv[i], "--summary"))
      summary = true;
    else
      files.push_back(argv[i]);
  }
  llvm::SmallString<256> here;
  llvm::sys::fs::current_path(here);
  std::vector<Facts> parts;
  int status = 0;
  double start = now_seconds();
  for (const std::string &file : files) {
    llvm::SmallString<256> path(file);
    llvm::sys::fs::make_absolute(path);
    CompileJob job{path.str().str(), here.str().str(), {"cc"}};
    job.arguments.insert(job.arguments.end(), flags.begin(), flags.end());
    job.arguments.push_back(job.file);
    CollectResult r = collect(job);
    if (r.failure) {
      status = 1;
      for (const std::string &m : r.failure->messages)
        std::fprintf(stderr, "%s\n", m.c_str());
      for (const std::string &m : r.failure->missingHeaders)
        std::fprintf(stderr, "%s: missing header %s\n", file.c_str(),
                     m.c_str());
      continue;
    }
    parts.push_back(std::move(r.facts));
  }
  double collected = now_seconds();
  Facts all = merge(std::move(parts));
  double merged = now_seconds();
  if (!summary) {
    std::fputs(dump(all).c_str(), stdout);
    return status;
  }
  printSummary(all);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("collect %.2f s, merge %.2f s, %ld MiB\n", collected - start,
              merged - collected, usage.ru_maxrss / 1024);
  return status;
}
