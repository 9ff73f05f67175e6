//===- TableInsertions.h - Where tables get loaded objects -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_TABLEINSERTIONS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_TABLEINSERTIONS_H

#include "passes/solve/state/LoadedState.h"
#include "passes/solve/state/PersistentParts.h"
#include <map>
#include <optional>
#include <set>

namespace nvmove {

/// Where other code than the load puts what the load has made into a table, at
/// a place that it counts on: table[count++] = item. Of a helper that is handed
/// the record that both are in, the calls that hand it a static one, or a local
/// of main.
class TableInsertions {
public:
  TableInsertions(const SolveContext &context, const PersistentParts &parts);

  /// A variable, or a member of one or of what it points to.
  struct Place {
    Id variable = None;
    bool isBehind = false;
    std::vector<Id> path;
    auto operator<=>(const Place &) const = default;
  };
  struct Fill {
    Place table, count;
    Id value = None;
    /// Where it is done for that table, or the call of a helper that does it;
    /// not a call that leads on to the main loop.
    Id function = None;
    Loc loc;
    Id loop = None;
    Id call = None;
    Id holder = None;       ///< the function that names the places
    bool ofRecords = false; ///< table[count].item = value
    /// Other arrays that it fills at that place.
    std::vector<Place> beside = {};
  };

  /// By table.
  const std::map<Place, std::vector<Fill>> &all() const { return tables_; }
  /// Where a number, or a pointer, is read from, perhaps with a constant added.
  std::optional<Place> readFrom(Id value) const;
  /// To statics, and to locals that are records or arrays, in a function.
  llvm::ArrayRef<const StaticWrite *> writesOf(Id function) const;

private:
  std::optional<Place> at(Id address) const;
  void see(const Constraint &c);
  const Constraint *indexAt(Id address, bool *isMember) const;
  std::optional<Place> arrayAt(const Constraint &index) const;
  void findBeside(Fill &fill) const;
  bool steps(Fill &fill) const;
  void follow(const Fill &fill);
  bool lasts(const Place &place) const;
  std::optional<unsigned> parameter(const Place &place, Id function) const;
  bool handed(const Call &c, std::optional<unsigned> parameter,
              Place &place) const;
  bool isPersistent(Id value) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const PersistentParts &parts_;
  std::map<Place, std::vector<Fill>> tables_;
  std::map<Id, std::vector<const StaticWrite *>> writes_; ///< by function
  /// Calls, the tables that they hand over, and where these are filled.
  std::set<std::tuple<Id, Place, Loc>> seen_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_TABLEINSERTIONS_H
