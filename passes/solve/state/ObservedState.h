//===- ObservedState.h - What of the load's state was seen -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   runs: file:line, file:line, .. ─► calls of the facts ─► objects
//                                                            │
//   LoadedState(context, observed): the same state, without what no run showed
//
// A type that is persistent by that state, too, was seen.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_OBSERVEDSTATE_H
#define NVMOVE_PASSES_SOLVE_STATE_OBSERVEDSTATE_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Context.h"
#include <optional>

namespace nvmove {

class ObservedState {
public:
  explicit ObservedState(const SolveContext &context);

  /// Some block of the object was there when the load had ended. Of what is no
  /// block of the load nothing is known: true.
  bool isSeen(Id object) const;
  /// The load wrote there: of static memory, changed its value.
  bool isWritten(Id location) const;
  /// Of static memory: its value changed when the load had ended, or it leads
  /// to what that left: count = load();
  bool isChanged(Id location) const;
  /// The function began in the load, or leads to it. True of no function.
  bool hasRun(Id function) const {
    return function == None || ran_.contains(function);
  }
  /// What is there led to such an object, as far as that is known.
  bool leadsTo(Id location, Id object) const;

  /// A site of the runs and the allocation that it is, or None: in files that
  /// were not analysed, or by a library.
  struct Match {
    const ObservedSite *site;
    Id call;
    Loc place; ///< without a call: the innermost call in a file of the program
  };
  const std::vector<Match> &matches() const { return matches_; }
  /// Something was seen at the end of the path: it led to what the load made or
  /// filled, or the load changed it, or what leads to the load did so later.
  /// None of a variable that is no static.
  std::optional<bool> isSeen(Id variable, const std::vector<Id> &path) const;
  /// Which fields were written, of blocks of one record or an array of them.
  const std::map<Id, ObservedVerdicts::FieldUse> &fields() const {
    return fields_;
  }

private:
  Match match(const ObservedSite &site) const;
  Id fileOf(const std::string &path) const;
  Id siteAt(const ObservedCall &call, llvm::StringRef inner, bool ofLoad) const;
  void addStatics();
  void addFunctions();
  bool isAmong(const IdSet &records, Id object) const;
  enum class Words : uint8_t { Written, Leads, Fills, Changed };
  bool holds(Id location, Words which) const;
  const std::set<uint64_t> &words(const ObservedStatic &s, Words which) const;
  void mark(Id record, uint64_t begin, const ObservedSite &site,
            std::map<Id, ObservedVerdicts::FieldUse> &uses) const;

  std::map<Id, ObservedVerdicts::FieldUse> findFields(bool exact) const;

  const SolveContext &c_;
  const Facts &f_;
  const PointsTo &pt_;
  std::vector<Match> matches_;
  std::map<Id, ObservedVerdicts::FieldUse> fields_, maybe_;
  std::set<std::pair<Id, uint32_t>> linesOfCalls_; ///< where one begins
  IdSet ran_;                                      ///< functions
  IdSet storedLater_;      ///< statics, by what leads to the load
  IdSet loadCalls_;        ///< of objects of the load
  IdSet seenCalls_;        ///< of these, some block stayed
  IdSet filled_, leading_; ///< records
  mutable std::map<std::string, Id> files_;
  std::map<std::string, ObservedStatic> statics_; ///< of all runs, by name
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_OBSERVEDSTATE_H
