//===- FlagValues.h - Integers that say what has happened -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load does not do what a flag keeps back:
//
//   if (!screen_is_up) return;          the flag is set later
//   if (c->state == READY) report(c);     no object has come so far
//   if (!db->loading) append(log, ..);  it is set while the state is loaded
//   if (*on_error) run(on_error);       there is no text in it yet
//
// A flag is a static integer or a member of a record, or such an array of
// characters: its value is the first of them. Two rules:
//
//  - Values. What runs before the load has ended gives it only such and such
//    constants, in any object. All flags are taken to be as they start first,
//    and what they keep back not to run, until a function that does run sets
//    one. Of a text that it may write it, by its address (FlagStrings.cpp).
//  - Phases. Of a static integer, and of a member of a record of which there is
//    one object, it is known at each point whether it may be zero and whether
//    it may be anything else. What stands behind a test that never goes there
//    does not run.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_FLAGVALUES_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_FLAGVALUES_H

#include "passes/solve/flow/Allocators.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/phases/ProgramPhases.h"

namespace nvmove {

class FlagValues {
public:
  /// What runs before the load has ended, as far as it is known.
  struct Early {
    const IdSet &functions;
    const IdSet &late;      ///< calls in them that follow the load
    const IdSet &loading;   ///< those that the load may run
    const IdSet &byLibrary; ///< those that a library calls
    const IdSet &others;    ///< what else a library may call at any time
    /// Of functions that lead to the load: what stands behind there comes after
    /// it.
    const IdMap<Loc> &loadEnds;

    bool follows(Id function, Loc at) const {
      auto end = loadEnds.find(function);
      return end != loadEnds.end() && end->second.file == at.file &&
             end->second < at;
    }
  };

  FlagValues(const Program &program, const Allocators &allocators,
             const FieldFlow &flow, const EventLoop &loop,
             const ProgramPhases &phases);

  /// The call does not run before the load has ended.
  bool keepBack(Id call) const;
  /// Adds what they may be by then. True if that is more than before.
  bool addValues(const Early &early);
  /// True if more calls are kept back.
  bool findPhases(const Early &known, llvm::ArrayRef<Id> load);
  /// The call does not run in the load, though it may have run before: that is
  /// asked for when start-up has settled the flag.
  bool keepBackInLoad(Id call) const { return keptBackInLoad_.contains(call); }
  /// All places where the function writes the variable stand behind tests that
  /// do not go there before the load has ended, or in it.
  bool neverWrites(Id function, Id variable) const {
    return unwritten_.count({function, variable});
  }

private:
  enum State : uint8_t { Unreached = 0, Zero = 1, Set = 2, Either = 3 };
  // A flag is a slot of Program.
  Id flagOf(Id variable, Id field) const {
    return field == None ? variable : p_.slotOf(field);
  }
  bool isField(Id flag) const { return flag >= f_.nodes.size(); }
  Id recordOf(Id flag) const {
    return f_.fields[flag - f_.nodes.size()].record;
  }

  bool isKeptBack(Id call) const;
  bool isText(Id flag) const;
  void findTexts();
  bool addTexts(const Early &early);
  class TextWrites;
  void findCandidates();
  void findBytes();
  bool isSingle(Id record) const;
  unsigned objectsIn(Id type, Id record) const;
  unsigned objectsWithin(Id outer, Id record) const;
  bool isBehind(Id pointer, Id record) const;
  void forEachWrite(Id function, const Early &early,
                    llvm::function_ref<void(const FlowWrite &)> visit) const;

  /// What a flag may hold.
  struct DefinitionIndex {
    bool anything = false;
    bool combined = false; ///< of `bits`, besides the constants
    uint64_t bits = 0;     ///< no others are set
    llvm::SmallVector<uint64_t, 4> constants = {};
    bool add(const FlowWrite &w); ///< true if there are more now
    bool allow(const FlagTest &test) const;
  };

  // Phases.
  struct Phase {
    Phase(Id flag, bool followsTests, const Early &early, const IdSet &affected,
          const IdSet &testers)
        : flag(flag), followsTests(followsTests), early(early),
          affected(affected), testers(testers) {}
    Id flag;
    bool followsTests;
    const Early &early;
    const IdSet &affected; ///< functions that may write the flag, and callers
    const IdSet &testers;  ///< functions
    IdMap<State> entry, exit;
    IdMap<IdSet> callers;
    std::vector<Id> work;
    IdSet waiting; ///< those in `work`
    IdSet reached; ///< calls
    /// Of functions that were gone through block by block, whether each was
    /// reached.
    IdMap<std::vector<bool>> blocks;
  };
  void noteUnwritten(const Phase &phase);
  void enter(Phase &phase, Id function, State state) const;
  void follow(Phase &phase, Id function) const;
  State throughCall(Phase &phase, Id call, State state) const;
  State throughBlocks(Phase &phase, Id function, const Definition &d) const;
  void run(Phase &phase, llvm::ArrayRef<std::pair<Id, State>> entries) const;
  bool counts(const Phase &phase, Id call) const;
  void addHandedOver(std::vector<Id> &functions) const;
  void findSettled(Phase start, Phase all, Phase some,
                   std::vector<std::pair<Id, State>> entries,
                   std::vector<std::pair<Id, State>> mains,
                   llvm::ArrayRef<Id> load);

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const EventLoop &loop_;
  const ProgramPhases &phases_;
  IdMap<DefinitionIndex> values_; ///< by flag
  /// Where the address of a text is taken, or, address None, it is written.
  struct TextUse {
    Id function, address;
    Loc loc;
  };
  IdMap<std::vector<TextUse>> texts_; ///< by flag
  IdSet setAtStart_;     ///< flags of statics that start as other than 0
  IdSet overwritten_;    ///< records of which some object is written as bytes
  IdSet cleared_;        ///< or as zeros, by what does not know its type
  IdSet keptBack_;       ///< calls
  IdSet keptBackInLoad_; ///< calls
  std::set<std::pair<Id, Id>> unwritten_; ///< variables by function
  enum Answer : uint8_t { Unknown, No, Yes };
  mutable std::vector<Answer> answers_; ///< by call; none: not asked yet
  mutable IdMap<bool> single_;          ///< records
  mutable size_t work_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_FLAGVALUES_H
