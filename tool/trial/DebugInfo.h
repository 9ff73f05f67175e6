//===- DebugInfo.h - Statics and their types --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_DEBUGINFO_H
#define NVMOVE_TOOL_TRIAL_DEBUGINFO_H

#include "tool/trial/CType.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <map>
#include <memory>

namespace nvmove {

/// The program's statics as its debug information (DWARF 2 to 5) describes
/// them. The runtime's own units are left out.
class DebugInfo {
public:
  /// `object` has to outlive this.
  explicit DebugInfo(const llvm::object::ObjectFile &object);
  ~DebugInfo();

  /// By file, line and name; none if there is no debug information.
  const std::vector<StaticVariable> &statics() const { return found; }
  /// Those that are not looked at, each with the reason.
  const std::vector<std::string> &skipped() const { return reasons; }

private:
  void findRecords(llvm::DWARFDie unit);
  void findStatics(llvm::DWARFDie die, const std::string &function);
  void addStatic(llvm::DWARFDie die, const std::string &function);
  const CType *typeOf(llvm::DWARFDie die); ///< the DW_AT_type of `die`
  const CType *make(llvm::DWARFDie die);
  const CType *makeArray(llvm::DWARFDie die);
  void fillRecord(llvm::DWARFDie die, CType &type);

  std::unique_ptr<llvm::DWARFContext> context;
  std::map<uint64_t, std::unique_ptr<CType>> types; ///< by offset of the entry
  std::vector<std::unique_ptr<CType>> innerArrays;
  /// Records that other units only declare.
  std::map<std::pair<unsigned, std::string>, llvm::DWARFDie> complete;
  std::map<uint64_t, bool> seen; ///< by address
  std::vector<StaticVariable> found;
  std::vector<std::string> reasons;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_DEBUGINFO_H
