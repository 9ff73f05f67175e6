//===- LookUps.cpp - Functions that choose a number by text ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/LookUps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace nvmove;

/// Of the C library: it gives back what text says, and nothing else changes.
static bool comparesText(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", true)
      .Cases("memcmp", "bcmp", "strlen", "strnlen", "strchr", "strrchr", true)
      .Cases("strstr", "strcasestr", "strpbrk", "strspn", "strcspn", true)
      .Cases("__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
             "tolower", "toupper", true)
      .Default(false);
}

bool LookUps::isText(Id node) const {
  const PointsTo::Set &set = pt_.pointsTo(node);
  if (pt_.holdsFileBytes(set))
    return true;
  if (p_.pointeeRecord(f_.nodes[node].type) != None)
    return false;
  for (Id l : set)
    if (pt_.isMemory(l) && pt_.holdsFileBytes(pt_.content(l)))
      return true;
  return false;
}

bool LookUps::compares(Id call) const {
  if (call == None)
    return false;
  const Call &c = f_.calls[call];
  return c.callee != None && !f_.functions[c.callee].hasBody &&
         comparesText(f_.functions[c.callee].name) &&
         llvm::any_of(c.args, [&](Id a) { return a != None && isText(a); });
}

bool LookUps::chooses(Id call) const {
  const Call &c = f_.calls[call];
  return c.callee != None && f_.functions[c.callee].hasBody &&
         pt_.reached().contains(c.callee) && givesConstants(call) &&
         seesText(c.callee);
}

bool LookUps::onlyChooses(Id call) const {
  const Id callee = f_.calls[call].callee;
  return chooses(call) && onlyLooks(callee);
}

/// Or what the call hands it: otherwise.
bool LookUps::givesConstants(Id call, unsigned depth) const {
  const Call &c = f_.calls[call];
  if (c.callee == None || depth > MostCalls)
    return false;
  bool any = false;
  for (const Definition *d : p_.definitionsOf(c.callee))
    for (const ReturnedValue &a : d->answers) {
      any = true;
      if (a.isConstant)
        continue;
      if (a.value == None)
        return false;
      if (llvm::any_of(d->answers, [&](const ReturnedValue &other) {
            return other.local == a.value;
          }))
        continue;
      const Id value = p_.origin(a.value);
      auto param = llvm::find(d->params, value);
      if (param != d->params.end()) {
        size_t k = param - d->params.begin();
        if (k < c.args.size() && c.args[k] == None &&
            values_.definitions(value).empty())
          continue;
        return false;
      }
      if (Id inner = values_.call(value);
          inner == None || !givesConstants(inner, depth + 1))
        return false;
    }
  return any;
}

bool LookUps::seesText(Id function, unsigned depth) const {
  if (s_.seesFile(function))
    return true;
  return llvm::any_of(p_.callsOf(function), [&](Id k) {
    const Call &c = f_.calls[k];
    return llvm::any_of(c.args, [&](Id a) { return a != None && isText(a); }) ||
           (c.callee != None && depth < MostCalls &&
            seesText(c.callee, depth + 1));
  });
}

bool LookUps::onlyLooks(Id function, unsigned depth) const {
  const Function &fn = f_.functions[function];
  if (!fn.hasBody)
    return comparesText(fn.name);
  if (depth > MostCalls || fn.hasInlineAsm || !p_.storesOf(function).empty())
    return false;
  for (const Definition *d : p_.definitionsOf(function))
    if (d->staticWrites.begin != d->staticWrites.end)
      return false;
  return llvm::all_of(p_.callsOf(function), [&](Id k) {
    Id callee = f_.calls[k].callee;
    return callee != None && onlyLooks(callee, depth + 1);
  });
}
