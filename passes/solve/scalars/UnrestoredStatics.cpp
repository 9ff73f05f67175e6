//===- UnrestoredStatics.cpp - What the load sets and nothing restores ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void load(const char *name) { strcpy(path, name); order = by_age; .. }
//
// A later run skips the load and all that nothing else runs, so what that sets
// is as it was when the program began: zero, or null. Constants are for
// Scalars.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/program/Library.h"
#include "passes/solve/scalars/LinkedStatics.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

REPORTS(MadeAtEachStart)

using namespace nvmove;

namespace {

using UnrestoredStaticsParts = View<const MarkedTypes, JudgedStatics>;

class UnrestoredStatics {
public:
  explicit UnrestoredStatics(const UnrestoredStaticsParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), pt_(c_.pointsTo),
        s_(a.state), values_(a.context.values), kept_(a.statics.restored()),
        statics_(a.statics) {}

  void run() {
    std::set<std::pair<Id, Loc>> byName;
    for (const StaticWrite &w : f_.staticWrites)
      byName.insert({w.function, w.loc});
    for (Id l = 0; l < pt_.locations().size(); ++l) {
      const auto &at = pt_.locations()[l];
      const PointsTo::Object &o = pt_.objects()[at.object];
      if (o.kind == PointsTo::Object::Variable &&
          (at.field == None ? o.record == None : o.record != None))
        s_.writesTo(l).each([&](const LoadedState::Write &w) {
          if (!w.direct || !byName.count({w.function, w.loc}))
            copied(o.ref, at.field, w);
        });
    }
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && w.value != None && !pt_.neverDone(w) &&
          !reportDescriptor(w) && w.isScalar)
        c_.phases.handled.contains(w.function)
            ? reportChosen(w)
            : report(w.variable, w.path, w.function, w.loc);
    reportInLists();
  }

private:
  // index = open(name, ..), log = fopen(..): a later start does not open it,
  // and handlers use it.
  bool reportDescriptor(const StaticWrite &w) {
    const Node &n = f_.nodes[w.variable];
    Id from = n.kind == NodeKind::Global && n.isDefined &&
                      pt_.reached().contains(w.function) && !kept_.holds(w)
                  ? opener(w)
                  : None;
    if (from == None || !isUsedLater(w.variable))
      return false;
    statics_.note({w.variable, w.path}, {Evidence::UsesOpenFile, w.loc,
                                         w.function, f_.functions[from].name});
    return true;
  }

  /// The function of a library whose result the value may be, also by functions
  /// of the program; None. Not one that is called where the static says that
  /// the file is closed.
  class Opener : public BackwardSlice {
  public:
    Opener(const UnrestoredStatics &of, const StaticWrite &w)
        : BackwardSlice(of.p_, of.values_, {.flows = Copies, .results = true}),
          handled_(of.c_.phases.handled), variable_(w.variable) {}
    Id found = None;

  private:
    Step value(Id n) override {
      return f_.nodes[n].kind == NodeKind::Global ? Skip : Follow;
    }
    Step call(Id call) override {
      const Id callee = f_.calls[call].callee;
      if (callee == None)
        return Skip;
      auto isOfVariable = [&](const auto &test) {
        return test.variable == variable_;
      };
      const bool isOnUse = handled_.contains(f_.calls[call].function);
      if (llvm::any_of(f_.calls[call].flags, isOfVariable) ||
          (isOnUse && llvm::any_of(f_.calls[call].statics, isOfVariable)))
        return Stop;
      if (f_.functions[callee].hasBody || !opens(f_.functions[callee].name))
        return Follow;
      found = callee;
      return Stop;
    }

    static bool opens(llvm::StringRef name) {
      return hasTrait(name, LibraryFunction::GivesDescriptor) ||
             hasTrait(name, LibraryFunction::OpensStream);
    }

    const IdSet &handled_; ///< functions
    const Id variable_;
  };
  Id opener(const StaticWrite &w) const {
    Opener search(*this, w);
    search.run(w.value);
    return search.found;
  }

  bool isUsedLater(Id variable) const {
    return llvm::any_of(c_.phases.handled, [&](Id fn) {
      return llvm::any_of(p_.callsOf(fn), [&](Id i) {
        return llvm::any_of(f_.calls[i].args, [&](Id a) {
          return a != None && reads(a, variable);
        });
      });
    });
  }

  /// By its name.
  bool reads(Id value, Id variable) const {
    for (unsigned steps = 0; steps < 8 && value != variable; ++steps) {
      llvm::ArrayRef<Id> from = values_.definitions(value);
      if (from.size() != 1)
        return false;
      value = f_.constraints[from[0]].src;
    }
    return value == variable;
  }

  // label = names[i]; order = by_age: which one says the file, or a command.
  void reportChosen(const StaticWrite &w) {
    const Node &n = f_.nodes[w.variable];
    if (n.kind != NodeKind::Global || !n.isDefined || n.isConst ||
        !p_.isPointer(p_.typeOf(w.variable, w.path)) ||
        !pt_.reached().contains(w.function) || !s_.seesFile(w.function) ||
        !leadsToConstants(pt_.pointsTo(w.value)) || kept_.holds(w) ||
        statics_.isLost({w.variable, {}}))
      return;
    statics_.note({w.variable, w.path},
                  {Evidence::SetToConstant, w.loc, w.function});
  }

  /// To functions, literals and constants, and to nothing else.
  bool leadsToConstants(const PointsTo::Set &set) const {
    for (Id l : set) {
      const PointsTo::Object &o = pt_.objects()[pt_.locations()[l].object];
      if (o.kind == PointsTo::Object::Function)
        continue;
      if (o.kind != PointsTo::Object::Variable ||
          (f_.nodes[o.ref].kind != NodeKind::Literal &&
           !f_.nodes[o.ref].isConst))
        return false;
    }
    return !set.empty();
  }

  /// What cannot come back of static records that a root leads to.
  void reportInLists() {
    IdSet reported; // records
    forEachStaticInList(
        a_, [&](Id variable, const std::vector<Id> &path, Id l) {
          Id record = p_.recordOf(f_.nodes[variable].type);
          if (kept_.holds(variable, path) || !reported.insert(record).second)
            return;
          const LoadedState::Write &w = s_.proof(l);
          a_.findings.report(
              {FindingId::MadeAtEachStart, w.loc, w.function,
               "what is set here may be in a static " +
                   f_.records[record].spelling + ", which a root points to: " +
                   p_.nameOf(variable, path) + " is not restored",
               "name it with nvm_root()"});
        });
  }

  /// A record of which nothing comes back is reported as a whole.
  void copied(Id variable, Id field, const LoadedState::Write &w) {
    std::vector<Id> path;
    if (field != None && p_.recordOf(f_.fields[field].type) != None)
      return; // its fields are reported
    if (field != None && kept_.holdsPartOf(variable))
      path = p_.memberPath(p_.recordOf(f_.nodes[variable].type), field);
    report(variable, path, w.function, w.loc);
  }

  void report(Id variable, const std::vector<Id> &path, Id function, Loc loc) {
    const Node &n = f_.nodes[variable];
    // What is in a function is for that function, which does not run.
    if (n.kind != NodeKind::Global || !n.isDefined || n.isConst ||
        n.isFunctionScope || function == None ||
        !pt_.reached().contains(function) ||
        c_.phases.handled.contains(function) || kept_.holds(variable, path) ||
        statics_.isLost({variable, {}}))
      return;
    statics_.note({variable, path}, {Evidence::SetOnWay, loc, function});
  }

  UnrestoredStaticsParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const DefinitionIndex &values_;
  const RestoredSet &kept_;
  StaticEvidence &statics_;
};

} // namespace

namespace nvmove {

void reportUnrestoredStatics(UnrestoredStaticsParts a) {
  UnrestoredStatics(a).run();
}

} // namespace nvmove
