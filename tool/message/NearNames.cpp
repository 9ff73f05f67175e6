//===- NearNames.cpp - Did you mean ---------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/NearNames.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace nvmove {

/// A name at most this many changes away is worth suggesting.
static constexpr unsigned nearDistance = 3;
static constexpr size_t nearNamesShown = 3;

std::string didYouMean(StringRef wanted, ArrayRef<std::string> names) {
  std::vector<std::pair<unsigned, std::string>> near;
  for (StringRef name : names) {
    unsigned distance =
        name.edit_distance_insensitive(wanted, true, nearDistance);
    // A part of a name, or a name with something around it, is near too.
    if (wanted.size() > 3 && name.contains_insensitive(wanted))
      distance = std::min(distance, nearDistance);
    // A short name is a few changes away from everything.
    if (distance <= nearDistance &&
        distance <= std::max<size_t>(2, wanted.size() / 3))
      near.push_back({distance, name.str()});
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > nearNamesShown)
    near.resize(nearNamesShown);
  if (near.empty())
    return "";
  std::string result = "; did you mean ";
  for (size_t i = 0; i < near.size(); ++i)
    result += (i ? ", " : "") + near[i].second;
  return result + "?";
}

} // namespace nvmove
