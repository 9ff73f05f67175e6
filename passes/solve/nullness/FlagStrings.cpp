//===- FlagStrings.cpp - Texts that are empty until they are filled -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text is written through its address: strcpy(on_error, line). So it is empty
// as long as what runs only reads where that address goes, and keeps it
// nowhere.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/FlagValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// Whether one text may be written before the load has ended.
class FlagValues::TextWrites {
public:
  TextWrites(const FlagValues &flags, const Early &early)
      : flags_(flags), p_(flags.p_), f_(flags.f_), early_(early) {}

  bool isIn(const TextUse &use) {
    if (use.function != None && !early_.functions.contains(use.function) &&
        !early_.others.contains(use.function))
      return false;
    return use.address == None ? !early_.follows(use.function, use.loc)
                               : isThrough(use.function, use.address);
  }

private:
  /// A pointer into the text, in this function.
  bool isThrough(Id function, Id pointer) {
    if (pointer == None || !seen_.insert(pointer).second)
      return false;
    const Node &n = f_.nodes[pointer];
    bool isFollowed = n.kind == NodeKind::Temp || (n.kind == NodeKind::Local &&
                                                   !p_.isAddressTaken(pointer));
    if (!isFollowed || function == None || f_.functions[function].hasInlineAsm)
      return true;
    auto constraint = [&](Id i) { return isBy(f_.constraints[i], pointer); };
    auto store = [&](Id i) {
      const StoreSite &s = f_.stores[i];
      return s.address == pointer && !early_.follows(function, s.loc);
    };
    return llvm::any_of(p_.constraintsOf(function), constraint) ||
           llvm::any_of(p_.storesOf(function), store) ||
           llvm::any_of(p_.callsOf(function),
                        [&](Id k) { return isByCall(k, pointer); });
  }

  bool isBy(const Constraint &c, Id pointer) {
    bool writes = c.flow == Flow::Store || c.flow == Flow::CopyMemory;
    if (c.dst == pointer && writes && !early_.follows(c.function, c.loc))
      return true;
    if (c.src != pointer)
      return false;
    switch (c.flow) {
    case Flow::Load:
    case Flow::CopyMemory:
      return false;
    case Flow::Store: // kept
    case Flow::AddressOf:
      return !early_.follows(c.function, c.loc);
    case Flow::Copy:
      return !(f_.nodes[c.dst].kind == NodeKind::Global &&
               early_.follows(c.function, c.loc)) &&
             isThrough(c.function, c.dst);
    case Flow::Arith: // p - text is no address
      return !p_.isPointer(f_.nodes[pointer].type) &&
             isThrough(c.function, c.dst);
    case Flow::Cast:
    case Flow::Index:
    case Flow::Member:
      return isThrough(c.function, c.dst);
    }
    return true;
  }

  bool isByCall(Id call, Id pointer) {
    const Call &c = f_.calls[call];
    if (!llvm::is_contained(c.args, pointer) && c.target != pointer)
      return false;
    if (early_.late.contains(call) || flags_.keepBack(call))
      return false;
    const auto &callees = flags_.flow_.callees(call);
    if (callees.empty() || c.target == pointer)
      return true;
    for (size_t i = 0; i < c.args.size(); ++i)
      if (c.args[i] == pointer && llvm::any_of(callees, [&](Id callee) {
            const Function &fn = f_.functions[callee];
            if (!fn.hasBody)
              return isByLibrary(c, callee, i);
            return i >= fn.params.size() || isThrough(callee, fn.params[i]);
          }))
        return true;
    return false;
  }

  bool isByLibrary(const Call &c, Id callee, size_t argument) {
    if (c.callee == None || p_.isOwnWithoutBody(callee) ||
        (!c.argIsReadOnly[argument] && !p_.clears(c)))
      return true;
    // char *strchr(const char *text, int c)
    return c.result != None && p_.isPointer(f_.nodes[c.result].type) &&
           !p_.makesBlock(c) && isThrough(c.function, c.result);
  }

  const FlagValues &flags_;
  const Program &p_;
  const Facts &f_;
  const Early &early_;
  IdSet seen_; ///< pointers
};

bool FlagValues::isText(Id flag) const {
  Id type = isField(flag) ? f_.fields[flag - f_.nodes.size()].type
                          : f_.nodes[flag].type;
  return type != None && p_.kind(type) == TypeKind::Array;
}

void FlagValues::findTexts() {
  for (const auto &[flag, values] : values_)
    if (isText(flag))
      texts_[flag];
  if (texts_.empty())
    return;
  auto use = [&](Id flag, TextUse use) {
    if (auto at = texts_.find(flag); at != texts_.end())
      at->second.push_back(use);
  };
  for (const Constraint &c : f_.constraints)
    if (c.flow == Flow::AddressOf)
      use(c.src, {c.function, c.dst, c.loc});
    else if (c.flow == Flow::Member)
      use(p_.slotOf(c.extra), {c.function, c.dst, c.loc});
  for (const StaticWrite &w : f_.staticWrites)
    if (!w.isZero || w.readModifyWrite)
      use(w.path.empty() ? w.variable : p_.slotOf(w.path.back()),
          {w.function, None, w.loc});
}

/// True if more of them may be filled.
bool FlagValues::addTexts(const Early &early) {
  bool any = false;
  for (const auto &[flag, uses] : texts_) {
    DefinitionIndex &values = values_.find(flag)->second;
    if (values.anything)
      continue;
    TextWrites writes(*this, early);
    if (llvm::any_of(uses, [&](const TextUse &u) { return writes.isIn(u); }))
      any |= values.add({None, None, FlowWrite::Anything});
  }
  return any;
}
