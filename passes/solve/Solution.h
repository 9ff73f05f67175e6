//===- Solution.h - What is persistent, and why -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of solve(): plain data that refers to the Facts it was made from
// by index. Reports and the rewriter read it; nothing else does.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SOLUTION_H
#define NVMOVE_PASSES_SOLVE_SOLUTION_H

#include "passes/solve/Finding.h"
#include "passes/solve/Observation.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace nvmove {

enum class Algorithm : uint8_t { PointsTo, Worklist };

struct SolveOptions {
  std::vector<std::string>
      load; ///< names of the functions that load the saved state
  /// What is not followed: functions, or single calls as "file.c:12".
  std::vector<std::string> stop;
  std::vector<std::string>
      section; ///< functions that the user wants failure-atomic
  /// Roots and restored scalars that each start makes afresh: paths, or what
  /// they begin with.
  std::vector<std::string> afresh;
  /// Statics, and members of them, that come back though the load does not set
  /// them.
  std::vector<std::string> keep;
  /// All that handlers change comes back, but what ends with the process.
  bool keepAll = false;
  /// Functions that save the state; they change nothing but
  /// Solution::serialization.
  std::vector<std::string> save;
  Algorithm algorithm = Algorithm::PointsTo;
  /// Edges of the points-to graph from which on a program is too
  /// large for that: the types are then those of the worklist, as
  /// FollowedLoad::algorithm says, and nothing else is known.
  uint64_t pointsToLimit = 10'000'000;
  /// The rewriter shall make what only loading and saving need optional.
  bool noSerialization = false;
  /// Patches of delays, for comparison: "pcm" or "stt-ram"; "": none.
  std::string emulate;
  /// Records shall get room for the copy of a word in their line; of these
  /// types alone, if any are named.
  bool lineLogs = false;
  std::vector<std::string> lineLogTypes;
  /// Sections may wait for the next output, where that is right.
  bool commitAtOutput = false;
  /// Threads take part in restart points, and locks make no sections.
  bool restartPoints = false;
  bool verify = false; ///< fills Solution::unannounced
  /// Rules that do not run, by the names of their rows (DeclaredRules). Each is
  /// reported: tests see in this way what a rule prevents.
  std::vector<std::string> withoutRules;
  /// Told what is being done, and how much of how much where that is known.
  std::function<void(const char *step, size_t done, size_t total)> progress;
  void showProgress(const char *step, size_t done = 0, size_t total = 0) const {
    if (progress)
      progress(step, done, total);
  }
  std::vector<ObservedRun> observed; ///< what runs have shown
  /// What the load says to people is followed, too (LoggingFunctions.h).
  bool followMessages = false;
  uint32_t maxCuts = 0; ///< how many times to solve again without one call
};

/// One step of the way from static memory to an object.
struct Hop {
  std::string slot;   ///< what holds the pointer: "server.db", "dict.ht", "[]"
  std::string target; ///< what it leads to: "struct dict, made before the load"
  Id function = None; ///< the function that stores the pointer, if one does
  Loc loc;            ///< where it does so; for static memory itself, where it
                      ///< is defined
  bool duringLoad = false; ///< the load stores it; else it existed before
};

/// Why a verdict holds: readable from top to bottom.
struct Witness {
  std::vector<Id> callPath; ///< calls from the load function down to `function`
  Id function = None;       ///< the function that allocates or writes
  Loc site;                 ///< where it does so
  std::string
      action; ///< "allocates struct dictEntry", "writes dictht.used", ..
  std::vector<Hop> chain; ///< from static memory to the object
};

struct PersistentType {
  Id record = None;
  Witness witness;
  bool carriesFileData =
      false; ///< ranking: a value read from the file is stored in it
  bool readOutsideLoad = false; ///< ranking: code other than load reads it
  /// In what the load fills without naming the type, so that it may fill any of
  /// the fields: a mapped file, or an array of numbers within another record.
  enum class Bytes : uint8_t { None, Mapped, Array } bytes = Bytes::None;
  /// Other code than the load keeps copies of what is read in such records.
  bool isCopy = false;
  /// Each start makes the one record of this type: not in the heap, what the
  /// load fills of it is kept by value (Root::keepsValues).
  bool byValue = false;
};

enum class FieldVerdict : uint8_t {
  Persistent,
  PointerToPersistent,
  PointerToStatic,
  PointerToCode,
  Transient,    ///< the load does not write it
  Recomputable, ///< a count of references or of members: can be counted again
};
struct FieldResult {
  Id field = None;
  FieldVerdict verdict;
  std::string evidence;
  std::vector<Id> targets; ///< records that the field leads to after the load
};

/// A path in static memory from which persistent objects hang.
struct Root {
  std::string path;       ///< "server.db[].dict"
  Id variable = None;     ///< Global node
  std::vector<Id> fields; ///< of the variable, up to the slot that is kept:
                          ///< server.db -> {db}
  Id slotType = None;     ///< type of that slot
  /// When the slot points to an array of records that mix persistent and
  /// volatile fields: the record and the ways to its persistent fields. The
  /// program makes the array itself at each start; only these fields come from
  /// the pool.
  Id container = None;
  std::vector<std::vector<Id>> containerFields;
  /// The path leads on to each element of what is there, slot[].x, and not to
  /// one record, slot->x. Of an array of records in static memory, which is
  /// kept as a whole, `element` is the member of each that the slot is.
  bool hasElements = false;
  Id element = None;
  /// The container is one record, anywhere in memory: its fields are kept by
  /// value. Otherwise it is a block of the heap, with one or more of them.
  bool keepsValues = false;
  /// Why it is listed only, and not kept: the program makes what hangs here
  /// anew at each start, and only old data keep pointing to the old objects
  /// (shared constants); a local variable; memory of a library.
  std::string notKept;
  static constexpr const char *InLocal = "a local variable";
  bool kept() const { return notKept.empty(); }
  /// It may also lead to what ends with the process: then a restart leaves what
  /// start-up has put there.
  bool mayEnd = false;
  /// Nothing that runs after the load writes it.
  bool isSettled = false;
  bool isTally = false; ///< of the scalar that it stands for
  Witness witness;
};

/// A scalar in static memory that load restores (a counter, a limit): kept with
/// the roots.
struct RestoredScalar {
  Id variable = None;
  std::vector<Id> fields;
  std::string path;
  std::string why;
  /// Only the program's allocator changes it, and it counts what ends with the
  /// process, too.
  bool isTally = false;
};

/// A static scalar, or an array of them, that decides where persistent data lie
/// (a hash seed): the value of the first start is kept for ever. What writes it
/// is followed by NVM_KEEP.
struct KeptScalar {
  Id variable = None;
  std::vector<Id> fields;
  std::string path;
  std::vector<Id> writes; ///< staticWrites
  std::vector<Id> fills;  ///< calls that are handed its address
  std::string why;
};

/// A static object that persistent fields or roots point to: reached through
/// nvm_twin(). Or a function (`variable` is its node): reached through
/// nvm_code().
struct Twin {
  Id variable = None;
  std::vector<Id> uses; ///< addressUses
  Id field = None;      ///< None: a root that is no field
  /// It is written at run time, or a static initialiser holds its address: it
  /// stays where it is, and pointers follow it into the next run.
  bool isFollowed = false;
  std::string why;
};

struct AllocationSite {
  Id call = None;
  Id record = None; ///< None: bytes
  std::string why;
  bool pointers = false; ///< no record: a table of pointers and nothing else
};
/// Values of which the type alone does not say whether they are addresses.
struct AddressFacts {
  std::set<Id>
      fromIntegers;         ///< fields: an integer may have been made a pointer
  std::set<Id> computed;    ///< fields: may be computed from an address
  std::set<Id> ofHeapAlone; ///< of these: never from that of a static
  /// Of these: from that of a static, by way of variables alone; from
  /// that of a local of main that pointers follow.
  std::set<Id> ofStatics, ofLocals;
  std::set<Id> variables; ///< Global nodes: either
  /// A record, and another one that stands, or may stand, in blocks of its
  /// type.
  std::set<std::pair<Id, Id>> sharing;
};
struct AnnouncedStore {
  Id store = None;
  std::string why;
  bool done = false; ///< a hook announces it already
  /// A function that computes the value and may commit: announced behind that.
  Id behind = None;
};
/// What is reported where that is not possible.
std::string acrossOutput(const Function &by);
/// A call of a library function that writes or allocates: replaced by its nvm_
/// form.
struct ReplacedCall {
  Id call = None;
  std::string replacement;
  std::string why;
};
/// A library function used as a value, e.g. listSetFreeMethod(l, free): the
/// name is replaced as in a call. In a static initialiser too: it stays a
/// constant.
struct ReplacedUse {
  Id use = None; ///< addressUses
  std::string replacement;
  std::string why;
};
/// A call whose buffer argument is announced in place: NVM_BUF(buf, size).
struct WrappedBuffer {
  Id call = None;
  uint32_t buffer = 0;
  uint32_t size = 0; ///< the argument that says it; None: sizeof *buffer,
                     ///< or as Call::scanned says
  /// Another macro, which needs no size: NVM_REST; nullptr.
  const char *macro = nullptr;
};

struct Section {
  enum class Kind : uint8_t {
    Dispatcher,
    Inner,
    User,
    Body,
    Callback,
    Lock,
  } kind;
  Id call = None;     ///< Dispatcher: the call to bracket
  Id function = None; ///< Inner, User: the function whose direct call sites are
                      ///< bracketed. Callback: the one that a library's main
                      ///< loop calls. Lock: the first that takes it
  Id loop = None;     ///< Body: the loop
  /// Inner, User: those calls. Body, Callback, Lock: those in it.
  std::vector<Id> calls;
  /// Lock: those that take it, release it, and wait with it.
  std::vector<Id> locks;
  /// Body: from the first to the last of its statements that are in it.
  /// Callback: from brace to brace. Invalid: the section is written already.
  Span body;
  /// It is that text; of the other kinds, statements with those calls.
  bool hasBody() const { return kind == Kind::Body || kind == Kind::Callback; }
  double share =
      0; ///< of the announced stores that are reached through it, 0..1
  std::string name;
};

/// A thread that takes part in restart points, with
/// SolveOptions::restartPoints.
struct ThreadPart {
  Id function = None;
  Span body; ///< from brace to brace; invalid: it takes part already
  /// Loops of which each turn begins with a restart point, and calls that wait
  /// at one; of all that the thread runs.
  std::vector<Id> turns, waits;
};

/// The call that loads the state at start-up.
struct LoadGuard {
  Id call = None; ///< the call to guard
  bool wholeStatement =
      false; ///< result unused: if (!nvm_restore()) call; else NVM_LOAD(call)
  /// The statement puts the result into a record all of which comes back: it is
  /// skipped as if it were the call alone.
  bool isAssigned = false;
  /// What a restart takes for the result, as C, if in the first run it was
  /// `nothing`, or, where that is empty, whatever it was then. Empty: what it
  /// was in the first run.
  std::string answer, nothing;
  /// nvm_restore() decides already, on each way from main, whether the load is
  /// called.
  bool isGuarded = false;
  /// The main loop may come here, too, to load what it is asked to: the guard
  /// asks whether this is the start-up.
  bool onRequest = false;
  /// Its result is used in a loop that loads and does nothing else: the loop is
  /// guarded as a whole. Calls in it get the addresses of these to write there.
  Id loop = None;
  std::vector<Id> writtenInLoop;
  /// Why the call must not be guarded as it stands; empty: it may be.
  std::string refused;
  Id main = None;   ///< function main of that program
  bool last = true; ///< of the guards in its function: nvm_ready() follows only
                    ///< this one, and comes before ..
  std::vector<Span> loops; ///< .. what behind it leads to the main loops
  /// In main, behind the call by which it comes to this one: the last call that
  /// leads to another. Behind that the start-up section ends at the latest.
  Id leadsOn = None;
  Id inMain = None;              ///< that call, or the guarded one ..
  std::vector<Span> loopsInMain; ///< .. and what behind it leads to the loops
  /// Above: the call that leads to this one, some ways through which come to
  /// the main loops without it. Behind it the start-up section ends, too, and
  /// before what leads to the loops.
  Id endsBehind = None;
  std::vector<Span> loopsBehind;
  /// Where the program makes state if it does not come to the load; no file: it
  /// makes none by calls in other arms of its ifs.
  Loc otherwise;
};

/// From this statement on the program ends, and frees persistent objects:
/// nvm_detach() comes before it, or before the loop.
struct Detach {
  StatementSpan statement;
  Loc loc;
  Id function = None;
  Id loop = None; ///< the outermost one around it
  /// In main, before its loops: if a return follows in the same block.
  bool ifReturns = false;
};

/// A record that may become larger, as far as the facts tell, or why not.
struct LineLog {
  Id record = None;
  bool asked = false;  ///< by name
  std::string refused; ///< empty: it may
  /// Calls that make its blocks, and of each the arguments whose product is
  /// the size.
  std::vector<Id> sites;
  std::vector<std::vector<uint32_t>> factors;
  /// Parameters of the program's own allocators that such arguments get to,
  /// and that no constraint changes.
  std::vector<Id> sizes;
  /// Calls of memcpy() and the like, whose arguments may say sizeof, too.
  std::vector<Id> others;
};

/// A function that the load phase gets to.
struct ReachedFunction {
  Id function = None;
  Id call = None; ///< the last of a short way there; None: a load function
};

/// The verdicts that vanish when one call is not followed.
struct Cut {
  Id call = None;
  std::vector<Id> records;
  std::vector<std::string> roots; ///< paths of roots that vanish too
  bool losesFileData = false;     ///< one of them holds values from the file
};

/// A function that only loading or saving needs: with the state in a pool, the
/// program reaches it for import and export alone.
struct SerializationFunction {
  Id function = None;
  bool forLoad = false, forSave = false;
  bool entry = false; ///< named by the user; live code may call it
};

struct SolveStatistics {
  uint32_t functionsReached = 0, objects = 0, iterations = 0;
  double seconds = 0;
};

/// How the load was followed.
struct FollowedLoad {
  Algorithm algorithm = Algorithm::PointsTo;
  std::vector<Id> functions;
  std::vector<ReachedFunction> reached; ///< by function
  /// Nothing hangs from static memory or main: what the load is handed, and
  /// hands back, is taken to last.
  bool callersKeep = false;
  SolveStatistics statistics;
};

/// Which records are persistent, and what their fields hold.
struct PersistentRecords {
  std::vector<PersistentType> types; ///< ranked
  std::vector<FieldResult> fields;
};

/// What comes back of static memory.
struct RestoredMemory {
  std::vector<Root> roots;
  std::vector<RestoredScalar> scalars;
  std::vector<KeptScalar> kept;
  std::vector<std::string> unknownAfresh; ///< options that name none of these
  std::vector<std::string> unknownKeep;   ///< or no static that is written
};

/// What persistent memory holds besides plain data.
struct PoolContents {
  std::vector<Twin> twins;
  bool holdsLiterals = false; ///< a persistent field or root, addresses of them
  AddressFacts addresses;
  /// Of persistent types: they may hold addresses that end with the process.
  std::vector<Id> volatileFields;
  std::vector<Id> descriptors;              ///< likewise, of open files
  std::vector<LineLog> lineLogs;            ///< with SolveOptions::lineLogs
  std::vector<std::string> unknownLineLogs; ///< names of no persistent type
};

/// Which allocations, stores and calls belong to the pool.
struct PoolSites {
  std::vector<AllocationSite> allocations;
  /// Those that stay where they are. No reason: the record is not persistent.
  std::vector<AllocationSite> otherAllocations;
  std::vector<AnnouncedStore> stores; ///< with those that are announced
  std::vector<ReplacedCall> replaced;
  std::vector<ReplacedUse> replacedUses;
  std::vector<WrappedBuffer> wrapped;
  /// Library calls that make blocks, of which the pool gets a copy.
  std::vector<Id> adopted;
};

/// What is committed together, and when.
struct CommitPlan {
  std::vector<Section> sections;
  std::vector<ThreadPart> threads;
  /// Members that the program locks with; where there are threads.
  std::set<Id> lockFields;
  /// What sections print to stdout can be held back until they end.
  bool holdsOutput = false;
  /// With SolveOptions::commitAtOutput: the commits of sections may wait.
  bool commitsAtOutput = false;
  /// Calls that wait for other threads, during which sections are left.
  std::vector<Id> pausedCalls;
  /// Calls of setjmp() outside sections that jumps from within lead to.
  std::vector<Id> jumpTargets;
};

/// What is edited around the load, and where the program ends.
struct StartupPlan {
  std::vector<LoadGuard> guards;
  std::vector<Detach> detaches;
};

/// Calls that verdicts hang on.
struct CutResult {
  std::vector<Cut> list; ///< best first
  /// Calls left out one at a time, and those that were too many to try.
  uint32_t tried = 0, notTried = 0;
  /// Of these the first that are worth trying: the call, and how many types at
  /// most hang on it.
  std::vector<std::pair<Id, uint32_t>> toTry;
};

/// What only loading and saving need.
struct SerializationResult {
  std::vector<SerializationFunction> functions; ///< by place
  bool isOptional = false; ///< SolveOptions::noSerialization
};

struct Solution {
  FollowedLoad load;
  PersistentRecords records;
  RestoredMemory restored;
  PoolContents contents;
  PoolSites sites;
  CommitPlan commits;
  StartupPlan startup;
  CutResult cuts;
  SerializationResult serialization;
  ObservedVerdicts observed;
  FindingList findings;
  /// With SolveOptions::verify: where persistent memory may be written
  /// unannounced. By place.
  std::vector<Finding> unannounced;
};

/// The calls in a line, given as "file.c:12"; the end of a path is enough.
std::vector<Id> callsAt(const Facts &facts, const std::string &place);

/// Finds what is persistent. Fails with a message that names near misses when
/// a load function is unknown.
llvm::Expected<Solution> solve(const Facts &facts, const SolveOptions &options);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SOLUTION_H
