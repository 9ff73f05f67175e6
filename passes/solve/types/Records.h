//===- Records.h - Records that nothing allocates by themselves -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_TYPES_RECORDS_H
#define NVMOVE_PASSES_SOLVE_TYPES_RECORDS_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

/// The same types without their proofs.
IdSet persistentRecords(const SolveContext &context, const LoadedState &state);
/// A record that no allocation of its own and no store makes persistent.
struct RecordInBytes {
  Id record = None;
  Id object = None; ///< where it lies
  Id function = None;
  Loc site;
  std::string action;
  bool carriesFileData = false;
  unsigned strain = 0; ///< how hard that is to believe (WitnessChains.cpp)
  PersistentType::Bytes bytes = PersistentType::Bytes::None;
  bool isCopy = false;
};
void findRecordsInBytes(const SolveContext &context, const LoadedState &state,
                        llvm::function_ref<void(RecordInBytes)> add);
/// The same, where the load knows nothing of the record: the program's other
/// code says what lies there, or a table where members are.
void findRecordsByUse(const SolveContext &context, const LoadedState &state,
                      llvm::function_ref<void(RecordInBytes)> add);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_TYPES_RECORDS_H
