//===- VerifyReport.cpp - verify.txt, verify.json, verify.sarif -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/JsonParts.h"
#include "tool/report/SarifParts.h"
#include "tool/verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace nvmove {

namespace {

/// Of a kind that is never empty in a program with headers, a few are enough.
constexpr size_t placesShown = 10;

size_t libraryStores(const Report &report) {
  return report.solution.sites.wrapped.size() +
         count_if(report.solution.sites.replaced, [](const ReplacedCall &r) {
           return layerOf(r.replacement) == Layer::Stores;
         });
}

/// Lines that an editor jumps to, as those of a compiler.
class VerifyTextEmitter : public Emitter {
public:
  StringRef fileName() const override { return "verify.txt"; }

  void emit(const Report &report, raw_ostream &os) const override {
    Names names(report);
    std::vector<VerifyFinding> found = findings(report);
    for (const VerifyFinding &f : found) {
      os << names.place(f.loc) << ": error: ";
      if (StringRef what = f.field.empty() ? f.type : f.field; !what.empty())
        os << what << ": ";
      os << f.why;
      if (!f.function.empty())
        os << " (in " << f.function << ')';
      os << " [" << f.id << "]\n";
    }
    std::vector<ShownFinding> unseen = notLookedAt(report);
    std::map<StringRef, size_t> seen;
    for (const ShownFinding &u : unseen)
      if (++seen[u.kind().id] <= placesShown) {
        os << u.path << ':';
        if (u.line)
          os << u.line << ':' << u.column << ':';
        os << " note: " << u.what << " [" << u.kind().id << "]\n";
      }
    for (const auto &[id, n] : seen)
      if (n > placesShown)
        os << "... " << n - placesShown << " more " << id
           << " in verify.json (--out DIR)\n";
    os << "nvmove: " << counted(report.input.analysed.size(), "files") << ", "
       << counted(report.solution.records.types.size(), "persistent types")
       << "; " << counted(report.solution.sites.stores.size(), "stores")
       << " and " << counted(libraryStores(report), "library calls")
       << " may write the heap; ";
    size_t byHand = accepted(report).size();
    if (found.empty())
      os << (byHand ? "all others are announced" : "all are announced");
    else
      os << formatv("{0} {1} not as {2} should be", found.size(),
                    found.size() == 1 ? "place is" : "places are",
                    found.size() == 1 ? "it" : "they");
    if (byHand)
      os << formatv("; {0} {1} accepted by a comment", byHand,
                    byHand == 1 ? "place is" : "places are");
    os << '\n';
  }
};

/// The members are described in docs/verify.md and
/// tool/verify/verify.schema.json.
class VerifyJson : JsonParts {
public:
  using JsonParts::JsonParts;

  Object write() {
    std::vector<VerifyFinding> found = findings(report);
    return Object{
        {"schemaVersion", 1},
        {"tool", Object{{"name", "nvmove"}, {"version", NVMOVE_VERSION}}},
        {"options", Object{{"load", strings(report.options.load)},
                           {"stop", strings(report.options.stop)},
                           {"section", strings(report.options.section)}}},
        {"root", report.root},
        {"files",
         list(report.input.analysed, [&](auto &f) { return names.path(f); })},
        {"persistentTypes",
         list(solution.records.types,
              [&](auto &t) { return names.record(t.record); })},
        {"stores", int64_t(solution.sites.stores.size())},
        {"libraryCalls", int64_t(libraryStores(report))},
        {"announced", found.empty()},
        {"findings", list(found, [&](auto &f) { return describe(f); })},
        {"accepted",
         list(accepted(report), [&](auto &f) { return describe(f); })},
        {"notLookedAt", list(notLookedAt(report), [](const ShownFinding &u) {
           return Object{{"id", u.kind().id},
                         {"file", u.path},
                         {"line", int64_t(u.line)},
                         {"what", u.what}};
         })}};
  }

private:
  Object describe(const VerifyFinding &f) {
    return Object{{"id", f.id},
                  {"location", location(f.loc)},
                  {"type", nameOrNull(f.type)},
                  {"field", nameOrNull(f.field)},
                  {"function", nameOrNull(f.function)},
                  {"why", f.why}};
  }
};

class VerifyJsonEmitter : public Emitter {
public:
  StringRef fileName() const override { return "verify.json"; }
  void emit(const Report &report, raw_ostream &os) const override {
    os << formatv("{0:2}\n", json::Value(VerifyJson(report).write()));
  }
};

class VerifySarif : SarifParts {
public:
  using SarifParts::SarifParts;

  void write() {
    begin();
    std::map<std::string, unsigned> seen;
    for (const VerifyFinding &f : findings(report)) {
      std::string key = f.id + " " + names.file(f.loc.file) + " " + f.function +
                        " " + f.field + " " + f.why;
      key += " " + utostr(++seen[key]);
      const FindingKind &kind = **find_if(
          findingKinds(), [&](const FindingKind *k) { return k->id == f.id; });
      add(f.id, kind.title, kind.advice, "error",
          (f.field.empty() ? "" : f.field + ": ") + f.why,
          f.loc.file == None ? Value(nullptr) : Value(place(f.loc)),
          std::move(key));
    }
    for (const ShownFinding &u : notLookedAt(report)) {
      std::string key = u.kind().id.str() + " " + u.path + " " + u.what;
      key += " " + utostr(++seen[key]);
      add(u.kind().id, u.kind().title, u.kind().advice, "note", u.what,
          Value(place(u.path, u.line, u.column)), std::move(key));
    }
    end();
  }
};

class VerifySarifEmitter : public Emitter {
public:
  StringRef fileName() const override { return "verify.sarif"; }
  void emit(const Report &report, raw_ostream &os) const override {
    VerifySarif(report, os).write();
  }
};

} // namespace

std::vector<std::unique_ptr<Emitter>> verifyEmitters() {
  std::vector<std::unique_ptr<Emitter>> result;
  result.push_back(std::make_unique<VerifyTextEmitter>());
  result.push_back(std::make_unique<VerifyJsonEmitter>());
  result.push_back(std::make_unique<VerifySarifEmitter>());
  return result;
}

} // namespace nvmove
