//===- Statics.h - Roots, twins and kept scalars ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever has static storage is registered in the file that defines it, where
// its name and its type are visible, in one constructor function at the end.
// Statics.cpp collects the lines and writes them, StaticPlaces.cpp says where,
// StaticRoots.cpp what is written of roots and restored scalars,
// StaticTwins.cpp of what persistent objects point to, and of scalars that are
// kept for ever.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_ROOTS_STATICS_H
#define NVMOVE_PASSES_REWRITE_ROOTS_STATICS_H

#include "passes/rewrite/context/Context.h"
#include "passes/rewrite/layouts/BitFields.h"
#include <map>
#include <optional>
#include <set>

namespace nvmove {

/// Everything with static storage that the pool keeps or follows, registered
/// where it is defined.
class Statics {
public:
  explicit Statics(Context &context) : context(context), facts(context.facts) {}
  void run();

private:
  using Place = std::pair<Id, uint32_t>; ///< file and offset of a registration

  // Statics.cpp
  std::optional<Place> placeForLiterals();
  void addRootLine(Place place, const std::string &lvalue,
                   const std::string &kind);
  void addRootLineHere(Place place, const std::string &lvalue,
                       const std::string &kind);
  void addRootLineOf(Place place, const std::string &kind,
                     const std::string &rest);
  void addLine(Place place, const std::string &line, const std::string &known);
  void emit();
  void emitHere(Place place, const std::vector<std::string> &lines);

  // StaticPlaces.cpp
  /// `root`: in what findings about the text of one macro differ.
  std::optional<Place> placeFor(Id variable, llvm::StringRef what,
                                bool canBeInFunction,
                                llvm::StringRef root = "");
  std::optional<Place> placeOfOne(Id variable);
  bool isDeclaredExtern(Id file, llvm::StringRef name);
  std::optional<Place> placeOfUse(const Twin &twin);
  std::optional<uint32_t> placeInFunction(const Node &variable);
  uint32_t endOf(Id function, Loc loc) const;
  bool isBeforeStart(Place place, Id function) const;
  std::optional<std::string> nameHere(Place place, const std::string &lvalue);

  // StaticRoots.cpp
  void addRoot(const Root &root);
  std::string kindOf(const Root &root, const std::vector<Id> &fields,
                     Id type) const;
  void addEnding(Place place, const std::string &lvalue, Id type);
  struct Ending {
    llvm::StringRef macro;
    std::string path;
  };
  void endingIn(Id record, const std::string &path,
                std::vector<Ending> &found) const;
  void addRootLines(const Root &root, Place place,
                    const std::vector<std::string> &lvalues, Id type);
  void addMembers(const Root &root, Place place,
                  const std::vector<std::string> &records, Id type,
                  const std::vector<Id> &fields);
  void addContainer(const Root &root, Place place,
                    const std::vector<std::string> &slots, Id type);
  void refuseTooMany(const Node &variable, llvm::StringRef shown);
  std::vector<std::string> spellBehind(llvm::ArrayRef<Id> way, Id field) const;
  void addFields(const Root &root, Place place, Id type,
                 const std::string &lvalue);
  void addValues(const Root &root, Place place, const std::string &slot);
  void addArray(const Root &root, Place place, const std::string &slot);
  std::optional<BitRun> bitsOf(const Root &root, Id field, Id record);
  void addBits(const Root &root, Place place, const std::string &lvalue,
               Id field, Id record);
  std::optional<std::vector<std::string>>
  spell(Id variable, const std::vector<Id> &fields, Id &type);
  std::optional<std::vector<std::string>>
  members(const std::vector<std::string> &lvalues, Id type, Id id,
          const Node &variable);
  void addScalars();
  bool isRestored(Id variable, const std::vector<Id> &fields, Id type) const;

  // StaticTwins.cpp
  void addTwin(const Twin &twin);
  void addFollowedLocal(const Twin &twin);
  void addKept(const KeptScalar &kept);
  bool endsUnless(const Call &call) const;

  Context &context;
  const Facts &facts;
  std::map<Place, std::vector<std::string>> registrations;
  std::set<Place> shared; ///< where names are registered that others have, too
  std::map<Id, std::set<std::string>> tags; ///< taken in each file
  /// Words in declarations with extern, by file once it was asked for.
  std::map<Id, std::set<llvm::StringRef>> externs;
  /// Variables, and the paths of the numbers and text in them that are
  /// restored.
  std::map<Id, std::set<std::vector<Id>>> scalars;
  /// Variables that functions declare, by the place after the declaration.
  std::map<Place, Id> declared;
  std::map<std::string, Id> namesInPool; ///< of these
  bool isScalar = false;                 ///< what is being registered
};

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_ROOTS_STATICS_H
