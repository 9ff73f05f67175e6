//===- Analysis.h - What every rule works on -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule is a function that takes a view of the parts that its row in
// Findings.def names, those that it only reads const:
//
//   RULE(findTallies, scalars, READS(Types), WRITES(Scalars))
//
//   void nvmove::findTallies(View<const Types, Scalars> a) {
//     for (RestoredScalar &s : a.scalars)
//
// It cannot reach another part. A wider view becomes a smaller one by itself,
// so that functions and classes take what they need. A function that takes
// other parts than its row says is another one: it does not link.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H
#define NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/state/Context.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/LoadedState.h"
#include "passes/solve/state/StaticEvidence.h"
#include <memory>
#include <optional>

namespace nvmove {

class CriticalSections;
class PoolMembership;

/// What is known before the first rule runs, and where all of them report.
struct Given {
  const SolveContext &context;
  const PointsTo::Options &phase; ///< how the load was followed
  const std::vector<Id> &load;    ///< functions that load the saved state
  const std::vector<Id> &save;    ///< functions that save it
  const LoadedState &state;
  const IndicesAndSizes &measures;
  FindingList &findings;
  std::optional<ValueOrigins> &madeOrigins;

  /// Made when it is first asked for.
  ValueOrigins &origins() const {
    if (!madeOrigins)
      madeOrigins.emplace(context.program, context.allocators, context.flow);
    return *madeOrigins;
  }
};

/// One run of the points-to analysis, and what the rules make of it. The rules
/// get views of it.
struct Analysis {
  Analysis(const SolveContext &context, const PointsTo::Options &phase,
           const std::vector<Id> &save, const LoadedState &state,
           const IndicesAndSizes &measures, Solution &solution)
      : given{context, phase,    solution.load.functions, save,
              state,   measures, solution.findings,       origins},
        solution(solution), statics(context.program) {}
  Analysis(const Analysis &) = delete;

  std::optional<ValueOrigins> origins;
  const Given given;
  // The parts of Parts.def:
  Solution &solution;
  StaticEvidence statics;
  IdSet headsReported;
  std::shared_ptr<const PoolMembership> pool;
  std::shared_ptr<const CriticalSections> critical;
};

/// How a view shows a part: as a member of the name that Parts.def gives it.
template <class Part> struct PartAccess;

#define PART(Name, member, Type, place)                                        \
  struct Name {};                                                              \
  template <> struct PartAccess<Name> {                                        \
    explicit PartAccess(Analysis &a) : member(a.place) {}                      \
    Type &member;                                                              \
  };                                                                           \
  template <> struct PartAccess<const Name> {                                  \
    explicit PartAccess(Analysis &a) : member(a.place) {}                      \
    PartAccess(const PartAccess<Name> &written) : member(written.member) {}    \
    const Type &member;                                                        \
  };
#define LATER(Name, Earlier)                                                   \
  struct Name {};                                                              \
  template <> struct PartAccess<Name> : PartAccess<Earlier> {                  \
    explicit PartAccess(Analysis &a) : PartAccess<Earlier>(a) {}               \
  };                                                                           \
  template <> struct PartAccess<const Name> : PartAccess<const Earlier> {      \
    explicit PartAccess(Analysis &a) : PartAccess<const Earlier>(a) {}         \
    PartAccess(const PartAccess<Name> &written)                                \
        : PartAccess<const Earlier>(written) {}                                \
  };
#include "passes/solve/Parts.def"

/// Some parts of an analysis, `const Part` to be read and `Part` to be written
/// as well; and what was given. A handful of references: passed by value.
template <class... Parts>
class View : public Given, public PartAccess<Parts>... {
public:
  explicit View(Analysis &a) : Given(a.given), PartAccess<Parts>(a)... {}
  template <class... Wider>
    requires(std::is_convertible_v<const View<Wider...> &, PartAccess<Parts>> &&
             ...)
  View(const View<Wider...> &wider)
      : Given(wider), PartAccess<Parts>(wider)... {}
};

/// The view that a row of Findings.def declares: of void(Read, ..) and
/// void(Written, ..).
template <class Read, class Written> struct ViewOfRow;
template <class... Read, class... Written>
struct ViewOfRow<void(Read...), void(Written...)> {
  using Type = View<const Read..., Written...>;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H
