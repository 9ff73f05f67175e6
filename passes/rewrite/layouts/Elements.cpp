//===- Elements.cpp - Blocks that hold several records --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/Elements.h"
#include "passes/solve/contents/PointerLayout.h"
#include "passes/solve/program/Library.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(PointerToVolatile)

using namespace llvm;

namespace nvmove {

namespace {

/// Behind the bracket that `open` is; the end where it is not closed.
size_t behindBracket(ArrayRef<Token> all, size_t open) {
  int depth = 0;
  for (size_t i = open; i < all.size(); ++i) {
    depth += all[i].is("(") || all[i].is("[");
    depth -= all[i].is(")") || all[i].is("]");
    if (depth == 0)
      return i + 1;
  }
  return all.size();
}

/// Behind the operand of the sizeof that stands at `at`: (struct item), *p,
/// *p->items[0].
size_t behindOperand(ArrayRef<Token> all, size_t at) {
  ++at;
  while (at < all.size() && (all[at].is("*") || all[at].is("&")))
    ++at;
  if (at < all.size())
    at = all[at].is("(") ? behindBracket(all, at) : at + 1;
  while (at < all.size())
    if (all[at].is("["))
      at = behindBracket(all, at);
    else if (all[at].is(".") || all[at].is("->"))
      at += 2;
    else
      break;
  return std::min(at, all.size());
}

bool isSizeof(const Token &token) { return token.is("sizeof"); }

bool holdsVolatile(const Context &context, Id record, unsigned depth = 0) {
  const Facts &facts = context.facts;
  return any_of(facts.records[record].fields, [&](Id field) {
    const Type &type = facts.types[elementOf(facts, facts.fields[field].type)];
    return is_contained(context.solution.contents.volatileFields, field) ||
           is_contained(context.solution.contents.descriptors, field) ||
           (type.kind == TypeKind::Record && depth < 16 &&
            holdsVolatile(context, type.inner, depth + 1));
  });
}

bool isInteger(const Facts &facts, Id node) {
  return node != None && facts.nodes[node].type != None &&
         facts.types[facts.nodes[node].type].kind == TypeKind::Integer;
}

/// By the arguments beside the size: a number of them?
Room besideSize(const Context &context, const Call &call, size_t size,
                Room result) {
  const Facts &facts = context.facts;
  bool counts =
      call.callee != None && countsElements(facts.functions[call.callee].name);
  for (size_t k = 0; k < call.args.size(); ++k) {
    if (k == size)
      continue;
    const std::optional<uint64_t> constant = call.constantAt(k);
    if (constant && (!counts || *constant == 1))
      continue; // __LINE__
    if (constant || isInteger(facts, call.args[k]))
      result = !counts                ? Room::Unknown
               : result == Room::More ? Room::More
                                      : Room::Several;
  }
  return result;
}

Room roomOf(const Context &context, const Call &call) {
  for (size_t k = 0; k < call.argSpans.size(); ++k) {
    StringRef text = context.text(call.argSpans[k]);
    if (any_of(tokens(text), isSizeof))
      return besideSize(context, call, k, roomIn(text));
  }
  // No size is spelled: new_item(), or get(n).
  return any_of(call.args, [&](Id a) { return isInteger(context.facts, a); })
             ? Room::Unknown
             : Room::One;
}

} // namespace

Room roomIn(StringRef size) {
  std::vector<Token> owner = tokens(size);
  ArrayRef<Token> all = owner;
  while (all.size() > 2 && all[0].is("(") &&
         behindBracket(all, 0) == all.size())
    all = all.drop_front().drop_back();
  bool isCast = all.size() > 3 && all[0].is("(") && all[1].isIdentifier() &&
                all[2].is(")");
  if (isCast) // (size_t)n * sizeof(T)
    all = all.drop_front(3);
  unsigned sizes = 0;
  bool others = false;
  for (size_t i = 0; i < all.size();) {
    const Token &token = all[i];
    if (isSizeof(token)) {
      ++sizes;
      i = behindOperand(all, i);
      continue;
    }
    if (token.is("(") || token.is("["))
      i = behindBracket(all, i);
    else
      ++i;
    if (token.kind != Token::Kind::Punctuator || token.is("("))
      others = true;
    else if (!token.is("*") && !token.is("[") && !token.is(".") &&
             !token.is("->"))
      return token.is("+") ? Room::More : Room::Unknown;
  }
  if (sizes != 1)
    return Room::Unknown;
  return others ? Room::Several : Room::One;
}

bool fillsBlocks(Context &context, Id record) {
  if (!holdsVolatile(context, record))
    return false;
  const Call *several = nullptr, *unknown = nullptr;
  bool more = false;
  for (const AllocationSite &site : context.solution.sites.allocations) {
    const Call &call = context.facts.calls[site.call];
    if (site.record != record)
      continue;
    Room room = roomOf(context, call);
    if (room == Room::Several)
      several = &call;
    else if (room == Room::Unknown)
      unknown = &call;
    more |= room == Room::More;
  }
  if (several && !more && !unknown)
    return true;
  if (const Call *at = several ? several : unknown)
    context.refuse(FindingId::PointerToVolatile, at->loc, at->function,
                   "a block allocated here may hold several " +
                       context.facts.records[record].spelling +
                       (more ? ", and blocks allocated elsewhere contain other "
                               "bytes after the first"
                             : ", which is not certain") +
                       ": in such a block, a restart resets what ends with the "
                       "process (to null or -1) only in the first record",
                   "clear it in the others after nvm_restore()");
  return false;
}

} // namespace nvmove
