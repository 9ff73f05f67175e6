//===- Context.h - What the parts of the rewriter share ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_CONTEXT_CONTEXT_H
#define NVMOVE_PASSES_REWRITE_CONTEXT_CONTEXT_H

#include "passes/facts/Accesses.h"
#include "passes/facts/StaticNames.h"
#include "passes/rewrite/text/CText.h"
#include "passes/rewrite/text/Directives.h"
#include "passes/rewrite/text/EditSet.h"
#include "passes/rewrite/text/Includes.h"
#include "passes/solve/Solution.h"
#include <optional>

namespace nvmove {

struct Context {
  Context(const Facts &facts, const Solution &solution,
          const std::vector<std::string> &contents);

  const Facts &facts;
  const Solution &solution;
  const std::vector<std::string> &contents;
  const Includes includes;
  const StaticNames names;

  EditSet edits;
  FindingList findings;
  std::map<std::string, uint32_t> counts;
  bool keepsRoots = false, keepsScalars = false; ///< some are registered
  /// Types by name that the text of a file mentions, and the first layer that
  /// does.
  std::map<Id, std::map<std::string, Layer>> typesOfFile;
  /// What asked whether text of a system header's macro may be edited.
  struct SystemUse {
    Span span;
    Loc loc;
    Id function = None;
  };
  std::vector<SystemUse> systemUses;
  std::set<Id> lineLogs;                    ///< records that get one
  std::map<Id, std::string> withoutLineLog; ///< why not, of those asked for

  llvm::StringRef text(Span span) const;
  llvm::StringRef content(Id file) const { return contents[file]; }
  /// The same without the parts of an #if that were never compiled, as blanks
  /// (asCompiled()): whose braces match.
  llvm::StringRef compiled(Id file) const;
  /// The #if of its content.
  const Regions &regions(Id file) const;
  Lines lines(Id file) const { return Lines(contents[file]); }
  uint32_t offsetOf(Loc loc) const;
  Loc locOf(Id file, uint32_t offset) const;
  /// Where `file` has `code` outside of comments and literals: the edit is
  /// made. None: nowhere.
  std::optional<uint32_t> find(Id file, llvm::StringRef code) const;
  bool holds(Id file, llvm::StringRef code) const {
    return find(file, code).has_value();
  }
  bool anyHolds(llvm::StringRef code) const;

  /// The identifier of a record in NVM_TYPE: its name, made unique
  /// among the program's persistent types. "bytes" for None.
  const std::string &typeName(Id record) const;
  /// Notes that `file` mentions the type.
  void needType(Id file, const std::string &name, Layer layer);

  /// The definition of `record` is visible at the end of `file`.
  bool seesRecord(Id file, Id record) const;
  /// `record` can be spelled at file scope.
  bool isSpellable(Id record) const;
  /// The ways to reach `field` from an object of type `record`, through
  /// anonymous and embedded members: "f", "inner.f", one for each element of an
  /// embedded array: "t[0].f", "t[1].f". Empty if there is none, or too many.
  std::vector<std::string> spellField(Id record, Id field) const;
  /// The members that hold all bytes of `field` and have a name: of a union,
  /// any field of which represents all, and of an anonymous record those
  /// inside.
  std::vector<Id> namedFields(Id field) const;
  /// `lvalues` with [0], [1], .. for as long as `type` is an array; `type`
  /// becomes the element's. Empty when that makes too many.
  std::vector<std::string> elements(std::vector<std::string> lvalues,
                                    Id &type) const;
  /// More lines than this, one for each element, no one would read.
  static constexpr uint64_t MaximumElements = 256;

  /// Where the program declares things before it does anything, as C89 wants
  /// it: a declaration follows in the block, so what is put there must be one.
  bool isBeforeDeclaration(Id file, uint32_t offset) const;
  /// The same, where statements come before: it must not be one.
  bool isBehindStatement(Id file, uint32_t offset) const;

  /// Of the program, by name; true: one of this name has no parameters.
  const std::map<std::string, bool> &macros() const;
  /// A macro of the program in it opens a brace that it does not close, or the
  /// other way round.
  bool hidesBraces(Span span) const;
  /// `code`, which is on lines of its own and spells names as they are
  /// declared, with macros of these names put aside.
  std::string withoutMacros(const std::string &code) const;

  void refuse(FindingRef id, Loc loc, Id function, const llvm::Twine &what,
              std::string advice = "",
              std::optional<Severity> severity = std::nullopt,
              std::string subject = "");
  /// The bytes may be edited; else refuses with [uneditable-site], naming what
  /// would have been done.
  bool isEditable(Span span, Loc loc, Id function, llvm::StringRef what);
  /// Also refuses when `span` cannot be the argument of a macro.
  bool isMacroArgument(Span span, Loc loc, Id function, llvm::StringRef what);

private:
  std::map<Id, std::string> typeNames;
  /// Where the tokens of a file begin, of those that were asked about.
  mutable std::map<Id, std::vector<uint32_t>> tokensOfFile;
  mutable std::map<Id, std::string> compiledOfFile;
  mutable std::map<Id, Regions> regionsOfFile;
  mutable std::optional<std::map<std::string, bool>> macroNames;
  mutable std::optional<std::set<std::string>> bracedMacros;
  /// Of the block around `offset`; none where its file mixes code and
  /// declarations.
  const Definition::Head *headAround(Id file, uint32_t offset) const;
  std::set<Id> mixing; ///< files that do
  void nameTypes();
};

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_CONTEXT_CONTEXT_H
