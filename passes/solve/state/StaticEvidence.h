//===- StaticEvidence.h - What is known of each static scalar ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   rules ── note(place, evidence) ──► one table ── decide() ──► restored
//                                                              ► kept
//                                                              ► remade
//                                                              ► reported
//
// Whether a static number or text comes back is decided in one place. Rules say
// what they have seen, and ask what is decided by then. The form is that of the
// nullability inference of Crubit: evidence of a closed list of kinds, merged,
// and a decision that does not depend on the order in which it came.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_STATICEVIDENCE_H
#define NVMOVE_PASSES_SOLVE_STATE_STATICEVIDENCE_H

#include "passes/solve/program/Program.h"
#include "passes/solve/state/RestoredSet.h"
#include <map>

namespace nvmove {

/// A static, or a local of main; or a member of one.
struct StaticPlace {
  Id variable = None;
  std::vector<Id> path; ///< fields
  bool operator==(const StaticPlace &) const = default;
  auto operator<=>(const StaticPlace &) const = default;
};

/// What a rule has seen of a place.
enum class Evidence : uint8_t {
  // It comes back.
  GetsFileData,         ///< limit = atoi(line); in the load
  CountsLoaded,         ///< count++;
  PlacedByFile,         ///< known[day] = 1; where the file says which day
  ReadFromFile,         ///< fread(&settings, ..);
  SaysWhere,            ///< table[hash % size] = ..;
  SaysHowLarge,         ///< table = calloc(size, ..);
  ComputedFromRestored, ///< next = highest + 1;
  MovesOnInLoad,        ///< tail = (tail + 1) % 8;
  CountedByLoad,        ///< items = n;
  AssignedWhole,        ///< tmp.count++; world = tmp;
  SetByNothingElse,     ///< ready = 1; and the load does not run again
  SetByHelper,          ///< get_bool(text, &ready); likewise
  SetWithRoot,          ///< if (!ready) { table = calloc(..); ready = 1; }
  MovesOnInRoot,        ///< ring[head++ % 8], in a handler
  CountsStored,         ///< item->ticket = ++tickets, in a handler
  CountsTable,          ///< marked[count++] = find(id); `detail`: the table
  BesideTable,          ///< since[count] = now; `detail`: that table
  SetWithFlag,          ///< if (!ready) { n = 0; docs = ..; ready = 1; }
  ChangedWithState,     ///< rate = n; limit = m; in a handler: of one record
  AskedFor,             ///< --keep mode
  KeptWithAll,          ///< --keep-all
  // The value of the first start is kept.
  Seed, ///< seed = time(NULL); table[hash(key, seed) % size]
  // It does not come back, and need not: the next start makes it again.
  LeftAfresh, ///< --afresh mode
  MadeOnUse,  ///< if (!ready) { fill(table); ready = 1; }, in a handler, too
  // It does not come back, and that is reported.
  SplitsGuarded,  ///< if (!ready) { regcomp(..); n = 0; ready = 1; }; `detail`:
                  ///< what, and why
  HoldsOpenFile,  ///< log = open(name, ..); `detail`: "open"
  UsesOpenFile,   ///< the same, and handlers hand it to functions
  SetByLoad,      ///< level = 2; and elsewhere, too
  SetByLoadLater, ///< handlers run the function as well; `detail`: of a root
  SetByLoadAlone, ///< but at each start, or to what is not data
  SetToConstant,  ///< order = by_age; label = names[i];
  SetOnWay,       ///< by what nothing but the load runs
  IndexOfRoot,    ///< a root leads to table; table[n = pick()]
  StoredButReset, ///< item->ticket = ++tickets; .. tickets = 0;
  ChangedApart,   ///< ++added; insert(table, key); in a handler
  AnsweredLater,  ///< ++added; insert(key); .. printf("%d", added)
  SetByHandlers,  ///< mode = LOUD; in a handler that changes nothing else
};

enum class Verdict : uint8_t { Open, Restored, Kept, Remade, Reported };

struct Decision {
  Verdict verdict = Verdict::Open;
  /// What speaks for it: of what speaks alike, that which came first.
  Evidence by = {};
};
/// A descriptor means nothing in the next run, whatever counts or computes it.
/// A seed must not change. What else comes back need not be reported.
Decision decide(llvm::ArrayRef<Evidence> seen);

/// What a rule has seen, and where.
struct Observation {
  Evidence kind;
  Loc loc;
  Id function = None;
  std::string detail = {}; ///< as the kind says
};

class StaticEvidence {
public:
  explicit StaticEvidence(const Program &program) : p_(program) {}

  /// What comes back by what is decided so far, and what rules add by
  /// themselves.
  RestoredSet &restored() { return restored_; }
  const RestoredSet &restored() const { return restored_; }

  /// Whether it changes what is decided.
  bool note(const StaticPlace &place, Observation seen);
  /// The same, of a seed.
  void note(KeptScalar seed);

  Decision of(const StaticPlace &place) const;
  bool isRestored(const StaticPlace &place) const {
    return of(place).verdict == Verdict::Restored;
  }
  /// A rule has seen that the load sets it, and nothing that brings it back: it
  /// is reported unless a later one sees that.
  bool isLost(const StaticPlace &place) const;

  /// The user has said that each start makes these anew: nothing is reported
  /// of them. Whether there are any.
  bool leave(llvm::function_ref<bool(const std::string &path)> isMeant);

  /// Of what was decided so.
  void reportTo(FindingList &findings) const;

private:
  struct Entry {
    std::vector<Evidence> seen;    ///< each kind once
    std::vector<Finding> findings; ///< likewise, of what would be reported
  };
  Finding finding(const StaticPlace &place, const Observation &seen) const;

  const Program &p_;
  RestoredSet restored_;
  std::map<StaticPlace, Entry> entries_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_STATICEVIDENCE_H
