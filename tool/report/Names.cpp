//===- Names.cpp - Facts in words -----------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Names.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace nvmove {

std::string Names::path(StringRef canonical) const {
  return relativePath(canonical, root);
}

std::string Names::file(Id id) const {
  return id == None ? "" : path(facts.files[id].path);
}

std::string Names::place(const Loc &loc) const {
  if (loc.file == None)
    return "";
  return file(loc.file) + ":" + utostr(loc.line) + ":" + utostr(loc.column);
}

bool Names::isProgramType(Id id) const {
  const Record &r = facts.records[id];
  return r.complete && !r.name.empty() && r.loc.file != None &&
         facts.files[r.loc.file].editable;
}

size_t Names::programTypes() const {
  size_t count = 0;
  for (Id id = 0; id < facts.records.size(); ++id)
    count += isProgramType(id);
  return count;
}

std::string Names::record(Id id) const {
  return id == None ? "" : facts.records[id].name;
}

std::string Names::field(Id id) const {
  if (id == None)
    return "";
  const Field &f = facts.fields[id];
  return record(f.record) + "." + f.name;
}

std::string Names::function(Id id) const {
  return id == None ? "" : facts.functions[id].name;
}

std::string Names::variable(Id node) const {
  return node == None ? "" : facts.nodes[node].name;
}

std::string Names::callee(const Call &call) const {
  return call.callee == None ? "a function pointer" : function(call.callee);
}

std::string Names::type(Id id) const {
  if (id == None)
    return "";
  const Type &t = facts.types[id];
  switch (t.kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Byte:
    return "char";
  case TypeKind::Integer:
    return "integer of " + utostr(t.size_bytes) + " bytes";
  case TypeKind::Floating:
    return "floating point of " + utostr(t.size_bytes) + " bytes";
  case TypeKind::Pointer:
    return "pointer to " + type(t.inner);
  case TypeKind::Array:
    return "array of " + type(t.inner);
  case TypeKind::Record:
    return facts.records[t.inner].spelling;
  case TypeKind::Function:
    return "function";
  }
  llvm_unreachable("unknown type kind");
}

std::string Names::why(const Witness &witness) const {
  std::string result = witness.action;
  if (witness.function != None) {
    if (!result.empty())
      result += " in ";
    result += function(witness.function);
  }
  // The ends of a long way say most.
  constexpr size_t head = 3, tail = 2;
  StringRef separator = "; ";
  for (size_t i = 0; i < witness.chain.size(); ++i) {
    size_t left = witness.chain.size() - i;
    if (i == head && left > tail + 1) {
      result += " -> ...";
      i += left - tail;
    }
    result += separator.str() + witness.chain[i].slot;
    separator = " -> ";
  }
  return result;
}

std::string Names::stop(const Loc &loc) const {
  StringRef path = facts.files[loc.file].path;
  std::string shown = file(loc.file);
  // The end of a path is enough, and "../x.c" is not one.
  if (StringRef(shown).starts_with("../"))
    shown = sys::path::filename(path).str();
  return shown + ":" + utostr(loc.line);
}

std::string nounFor(size_t n, StringRef plural) {
  std::string words = plural.str();
  for (size_t i = 0; n == 1 && i < words.size(); ++i)
    if (words[i] == 's' && i && words[i - 1] != ' ' &&
        (i + 1 == words.size() || !isAlpha(words[i + 1]))) {
      words.erase(i, 1);
      break;
    }
  return words;
}

static std::string seen(const Solution &solution, bool isSeen) {
  return isSeen ? "seen"
                : "never seen in " + counted(solution.observed.runs, "runs");
}

static std::string seen(const Solution &solution,
                        const std::map<std::string, bool> &verdicts,
                        const std::string &path) {
  auto at = verdicts.find(path);
  return at == verdicts.end() ? "" : seen(solution, at->second);
}

std::string seenType(const Solution &solution, Id record) {
  return solution.observed.runs
             ? seen(solution, solution.observed.records.count(record))
             : "";
}

std::string seenRoot(const Solution &solution, const std::string &path) {
  return seen(solution, solution.observed.roots, path);
}

std::string seenScalar(const Solution &solution, const std::string &path) {
  return seen(solution, solution.observed.scalars, path);
}

std::string counted(size_t n, StringRef plural) {
  return utostr(n) + " " + nounFor(n, plural);
}

StringRef name(FieldVerdict verdict) {
  switch (verdict) {
  case FieldVerdict::Persistent:
    return "persistent";
  case FieldVerdict::PointerToPersistent:
    return "pointer-to-persistent";
  case FieldVerdict::PointerToStatic:
    return "pointer-to-static";
  case FieldVerdict::PointerToCode:
    return "pointer-to-code";
  case FieldVerdict::Transient:
    return "transient";
  case FieldVerdict::Recomputable:
    return "recomputable";
  }
  llvm_unreachable("unknown verdict");
}

StringRef basis(FieldVerdict verdict) {
  return verdict == FieldVerdict::Transient ||
                 verdict == FieldVerdict::Recomputable
             ? "advice"
             : "proof";
}

StringRef name(Section::Kind kind) {
  switch (kind) {
  case Section::Kind::Dispatcher:
    return "dispatcher";
  case Section::Kind::Inner:
    return "inner";
  case Section::Kind::User:
    return "user";
  case Section::Kind::Body:
    return "body";
  case Section::Kind::Callback:
    return "callback";
  case Section::Kind::Lock:
    return "lock";
  }
  llvm_unreachable("unknown section kind");
}

StringRef name(Algorithm algorithm) {
  return algorithm == Algorithm::PointsTo ? "points-to" : "worklist";
}

StringRef name(StoreForm form) {
  switch (form) {
  case StoreForm::Lvalue:
    return "lvalue";
  case StoreForm::BitField:
    return "bit-field";
  case StoreForm::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown store form");
}

} // namespace nvmove
