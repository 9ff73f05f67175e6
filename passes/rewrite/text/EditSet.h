//===- EditSet.h - Edits that nest, without conflict ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_EDITSET_H
#define NVMOVE_PASSES_REWRITE_TEXT_EDITSET_H

#include "passes/rewrite/text/Edit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nvmove {

/// Which of two edits around the same bytes is the outer one: the greater.
enum class Rank : uint8_t {
  Twin,
  Adoption,
  Allocation,
  Void,
  Load,
  Store,
  Keep,
  Guard,
  Section,
  Detach
};

/// Gathers what shall be done to the files. Equal requests count once: a macro
/// body is edited once, however often it is expanded.
class EditSet {
public:
  /// Puts `open` before and `close` after the bytes. True when this is new.
  bool wrap(Span span, std::string open, std::string close, Layer layer,
            Rank rank);
  /// Puts `text` in the place of the bytes.
  bool replace(Span span, std::string text, Layer layer);
  /// Puts `text` at `offset`; insertions at one place stay in order of `order`,
  /// then of the calls.
  void insert(Id file, uint32_t offset, std::string text, Layer layer,
              int order = 0);

  /// Takes out what shall be done to these files.
  EditSet take(llvm::function_ref<bool(Id file)> isOne);

  /// Files that have any edit so far, with the first layer that edits each.
  std::map<Id, Layer> editedFiles() const;

  /// The edits in order. Fails with [edit-overlap] if two edits cross:
  /// that is a defect in the facts or the rewriter.
  llvm::Expected<std::vector<Edit>>
  finish(const Facts &facts, const std::vector<std::string> &contents) const;

private:
  struct Wrap {
    Span span;
    std::string open, close;
    Layer layer;
    Rank rank;
    auto operator<=>(const Wrap &) const = default;
  };
  struct Replacement {
    Span span;
    std::string text;
    Layer layer;
    auto operator<=>(const Replacement &) const = default;
  };
  struct Insertion {
    Id file;
    uint32_t offset;
    int order;
    uint32_t sequence;
    std::string text;
    Layer layer;
  };
  std::set<Wrap> wraps;
  std::set<Replacement> replacements;
  std::vector<Insertion> insertions;

  llvm::Error checkNesting(const Facts &facts,
                           const std::vector<std::string> &contents) const;
};

/// "path:line:column" of a byte, for messages.
std::string placeOf(const Facts &facts,
                    const std::vector<std::string> &contents, Id file,
                    uint32_t offset);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_EDITSET_H
