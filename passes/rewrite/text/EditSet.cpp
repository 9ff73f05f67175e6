//===- EditSet.cpp - Edits that nest, without conflict --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/EditSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace nvmove {

bool EditSet::wrap(Span span, std::string open, std::string close, Layer layer,
                   Rank rank) {
  return wraps.insert({span, std::move(open), std::move(close), layer, rank})
      .second;
}

bool EditSet::replace(Span span, std::string text, Layer layer) {
  return replacements.insert({span, std::move(text), layer}).second;
}

void EditSet::insert(Id file, uint32_t offset, std::string text, Layer layer,
                     int order) {
  insertions.push_back({file, offset, order, uint32_t(insertions.size()),
                        std::move(text), layer});
}

EditSet EditSet::take(function_ref<bool(Id file)> isOne) {
  EditSet result;
  erase_if(wraps, [&](const Wrap &w) {
    return isOne(w.span.file) && result.wraps.insert(w).second;
  });
  erase_if(replacements, [&](const Replacement &r) {
    return isOne(r.span.file) && result.replacements.insert(r).second;
  });
  erase_if(insertions, [&](const Insertion &i) {
    if (!isOne(i.file))
      return false;
    result.insertions.push_back(i);
    return true;
  });
  return result;
}

std::map<Id, Layer> EditSet::editedFiles() const {
  std::map<Id, Layer> result;
  auto note = [&](Id file, Layer layer) {
    auto [it, isNew] = result.try_emplace(file, layer);
    it->second = std::min(it->second, layer);
  };
  for (const Wrap &w : wraps)
    note(w.span.file, w.layer);
  for (const Replacement &r : replacements)
    note(r.span.file, r.layer);
  for (const Insertion &i : insertions)
    note(i.file, i.layer);
  return result;
}

std::string placeOf(const Facts &facts,
                    const std::vector<std::string> &contents, Id file,
                    uint32_t offset) {
  StringRef before = StringRef(contents[file]).take_front(offset);
  size_t column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  return facts.files[file].path + ":" + std::to_string(before.count('\n') + 1) +
         ":" + std::to_string(column);
}

Error EditSet::checkNesting(const Facts &facts,
                            const std::vector<std::string> &contents) const {
  struct Piece {
    Span span;
    bool leaf; // its bytes are replaced: nothing may be put inside
    Rank rank;
  };
  auto clash = [](const Piece &outer, const Piece &inner) {
    bool sameWrap =
        !inner.leaf && outer.span == inner.span && outer.rank == inner.rank;
    return outer.leaf || sameWrap || inner.span.end > outer.span.end;
  };
  std::vector<Piece> pieces;
  for (const Wrap &w : wraps)
    pieces.push_back({w.span, false, w.rank});
  for (const Replacement &r : replacements)
    pieces.push_back({r.span, true, Rank::Store});
  // Outer before inner; of equal ones the wrap before the replacement.
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
    return std::tuple(a.span.file, a.span.begin, ~a.span.end, a.leaf, b.rank) <
           std::tuple(b.span.file, b.span.begin, ~b.span.end, b.leaf, a.rank);
  });
  std::vector<Piece> around;
  for (const Piece &piece : pieces) {
    while (!around.empty() && (around.back().span.file != piece.span.file ||
                               around.back().span.end <= piece.span.begin))
      around.pop_back();
    if (!around.empty() && clash(around.back(), piece))
      return createStringError(
          "%s: two edits overlap here [edit-overlap]",
          placeOf(facts, contents, piece.span.file, piece.span.begin).c_str());
    around.push_back(piece);
  }
  for (const Insertion &i : insertions)
    for (const Replacement &r : replacements)
      if (i.file == r.span.file && i.offset > r.span.begin &&
          i.offset < r.span.end)
        return createStringError(
            "%s: two edits overlap here [edit-overlap]",
            placeOf(facts, contents, i.file, i.offset).c_str());
  return Error::success();
}

Expected<std::vector<Edit>>
EditSet::finish(const Facts &facts,
                const std::vector<std::string> &contents) const {
  if (Error error = checkNesting(facts, contents))
    return error;
  // At one offset: what ends here, inner first; what is only inserted here;
  // what begins here, outer first; last the replaced bytes themselves.
  enum Group { Closing, Inserted, Opening, Replaced };
  struct Keyed {
    std::tuple<Id, uint32_t, Group, int64_t, int64_t> key;
    Edit edit;
  };
  std::vector<Keyed> all;
  auto add = [&](Id file, uint32_t offset, Group group, int64_t first,
                 int64_t second, Edit edit) {
    all.push_back({{file, offset, group, first, second}, std::move(edit)});
  };
  for (const Wrap &w : wraps) {
    int64_t size_bytes = w.span.end - w.span.begin, rank = int64_t(w.rank);
    add(w.span.file, w.span.begin, Opening, -size_bytes, -rank,
        {w.span.file, w.span.begin, 0, w.open, w.layer, 0});
    add(w.span.file, w.span.end, Closing, size_bytes, rank,
        {w.span.file, w.span.end, 0, w.close, w.layer, 0});
  }
  for (const Replacement &r : replacements)
    add(r.span.file, r.span.begin, Replaced, 0, 0,
        {r.span.file, r.span.begin, r.span.end - r.span.begin, r.text, r.layer,
         0});
  for (const Insertion &i : insertions)
    add(i.file, i.offset, Inserted, i.order, i.sequence,
        {i.file, i.offset, 0, i.text, i.layer, 0});
  std::sort(all.begin(), all.end(),
            [](const Keyed &a, const Keyed &b) { return a.key < b.key; });

  std::vector<Edit> edits;
  for (Keyed &keyed : all) {
    bool samePlace = !edits.empty() && edits.back().file == keyed.edit.file &&
                     edits.back().offset == keyed.edit.offset;
    keyed.edit.order = samePlace ? edits.back().order + 1 : 0;
    if (!keyed.edit.text.empty() || keyed.edit.removed)
      edits.push_back(std::move(keyed.edit));
  }
  return edits;
}

} // namespace nvmove
