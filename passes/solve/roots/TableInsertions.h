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

namespace nvmove {

/// Where other code than the load puts what the load has made into a table, at
/// a place that it counts on: table[count++] = item. Of a helper that is handed
/// the record that both are in, the calls that hand it a static one.
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
    Id function = None;
    Loc loc;
    Id loop = None;
    Id call = None;         ///< of a helper that does it
    bool ofRecords = false; ///< table[count].item = value
    /// Other arrays that it fills at that place.
    std::vector<Place> beside = {};
  };

  /// By table.
  const std::map<Place, std::vector<Fill>> &all() const { return tables_; }
  /// Where a number, or a pointer, is read from, perhaps with a constant added.
  std::optional<Place> readFrom(Id value) const;
  /// Facts::staticWrites of a function.
  const std::vector<Id> &writesOf(Id function) const;

private:
  std::optional<Place> at(Id address) const;
  void see(const Constraint &c);
  const Constraint *indexAt(Id address, bool *isMember) const;
  std::optional<Place> arrayAt(const Constraint &index) const;
  void findBeside(Fill &fill) const;
  bool steps(Fill &fill) const;
  void follow(const Fill &fill, unsigned depth);
  std::optional<unsigned> parameter(const Place &place, Id function) const;
  bool handed(const Call &c, std::optional<unsigned> parameter,
              Place &place) const;
  bool isOfLoad(Id value) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const PersistentParts &parts_;
  std::map<Place, std::vector<Fill>> tables_;
  std::map<Id, std::vector<Id>> writes_; ///< by function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_TABLEINSERTIONS_H
