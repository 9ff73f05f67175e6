//===- StartupRefusals.cpp - Start-up that does not accept itself ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/StartupRefusals.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

bool StartupRefusals::isKept(Id value) const {
  if (f_.nodes[value].kind == NodeKind::Global) // written once, perhaps
    return kept_.holds(value, {});
  const AccessPath path(p_, value, AccessPath::Loads);
  return path.base != None && f_.nodes[path.base].kind == NodeKind::Global &&
         kept_.holds(path.base, path.members());
}

bool StartupRefusals::looksInto(const Call &call) const {
  if (llvm::any_of(call.args, [&](Id a) { return a != None && isKept(a); }))
    return true;
  return call.callee != None &&
         llvm::any_of(p_.constraintsOf(call.callee), [&](Id i) {
           return f_.constraints[i].src != None &&
                  isKept(f_.constraints[i].src);
         });
}

Id StartupRefusals::lookupBehind(Id pointer) const {
  auto lookup = [&](Id value) {
    const Id call = value == None ? None : c_.values.call(p_.origin(value));
    return call != None && f_.calls[call].callee != None &&
                   f_.functions[f_.calls[call].callee].hasBody &&
                   looksInto(f_.calls[call])
               ? call
               : None;
  };
  if (Id call = lookup(pointer); call != None)
    return call;
  for (Id i : c_.values.definitions(pointer))
    if (Id call = lookup(f_.constraints[i].src); call != None)
      return call;
  return None;
}

/// In if (found) fatal(); at the level of the lookup: what is behind that does
/// not know of it.
bool StartupRefusals::isDecisive(Id pointer, Id finds, Id ends) const {
  const Call &lookup = f_.calls[finds], &end = f_.calls[ends];
  if (lookup.function != end.function ||
      end.arms.size() != lookup.arms.size() + 1)
    return false;
  std::vector<uint32_t> otherwise = end.arms; // fatal() does not return
  otherwise.back() ^= 1;
  return llvm::any_of(p_.callsOf(end.function), [&](Id i) {
    const Call &c = f_.calls[i];
    return (c.arms == lookup.arms || c.arms == otherwise) &&
           c_.phases.order().mayPrecede(finds, i) && end.loc < c.loc &&
           !llvm::is_contained(c.nonNull, pointer);
  });
}

std::optional<StartupRefusals::Refusal>
StartupRefusals::in(llvm::ArrayRef<Id> functions) const {
  for (Id function : functions)
    for (Id i : p_.callsOf(function)) {
      const Call &end = f_.calls[i];
      if (end.callee == None || !p_.isNoReturn(end.callee))
        continue;
      for (Id pointer : end.nonNull)
        if (Id call = lookupBehind(pointer);
            call != None && isDecisive(pointer, call, i))
          return Refusal{call, i};
    }
  return std::nullopt;
}
