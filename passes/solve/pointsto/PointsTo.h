//===- PointsTo.h - Where pointers lead while the state is loaded ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inclusion-based, field-sensitive points-to analysis of the load phase only:
// it starts at the load functions, takes calls on the fly and meets the state
// that existed before as lazily made objects. Small functions, those of
// containers say, are told apart by the calls that lead to them
// (CallContexts.cpp).
//
// A location is a field of an object, or the object as a whole (memory without
// a record type). Arrays collapse; a record embedded in an object shares the
// object, its fields are told apart by their own ids.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H

#include "passes/facts/IdSet.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace nvmove {

class PointsTo : private SetFlow {
public:
  using Set = SetPool::Set;

  struct Object {
    enum Kind : uint8_t {
      Variable,    ///< ref: Global, Local or Literal node
      Heap,        ///< ref: index into Allocators::sites()
      Preexisting, ///< existed before the load; ref: origin (see originName)
      Function,    ///< ref: function
      FileBytes,   ///< not memory: the mark of a value that came from outside
      StaticValue, ///< not memory: the mark of the value of a static scalar;
                   ///< ref: location
      Elsewhere, ///< not memory: the mark of a pointer that may lead to what is
                 ///< not followed
    } kind;
    uint64_t ref = None;
    Id record = None; ///< Variable, Preexisting: its record type; None: bytes
                      ///< or unknown
    Id type = None; ///< Preexisting without a record: the type of its elements
    bool any = false; ///< Preexisting behind void* or char*: takes the type it
                      ///< is used as
    Id instance = None; ///< Heap: made by this instance of a function
  };
  struct Location {
    Id object = None;
    Id field = None; ///< Field::cell, or None for the whole
  };

  struct Options {
    std::vector<Id> load; ///< functions
    IdSet cut;            ///< functions that are not entered
    IdSet cutCalls;       ///< calls that are not followed
    IdSet speakers;       ///< functions that tell people (LoggingFunctions.h)
    IdSet onTheWay;       ///< between main and load: flow counts, writes do not
    IdSet onRequest;      ///< the same, but what their locals hold goes
    /// What any load function is handed, and hands back, lasts.
    bool callersKeep = false;
    bool tellCallsApart = true;    ///< of small functions
    uint64_t limit = ~uint64_t(0); ///< edges between nodes
  };

  PointsTo(const Program &program, const Allocators &allocators,
           const FieldFlow &flow, const PreLoadNullness &unfilled,
           Options options);
  /// False when there were more edges than the limit allows: nothing is known.
  bool run();

  const std::vector<Object> &objects() const { return objects_; }
  const std::vector<Location> &locations() const { return locations_; }
  const std::vector<Id> &locationsOf(Id object) const {
    return byObject_[object];
  }
  /// Of a node of the text: in all instances of its function.
  const Set &pointsTo(Id node) const {
    auto all = inAllInstances_.find(node);
    return all == inAllInstances_.end() ? setOf(node) : pool_[all->second];
  }
  const Set &content(Id location) const { return setOf(contents_[location]); }
  /// Load-phase functions and the call that first reached each (None for the
  /// start).
  const std::map<Id, Id> &reached() const { return reached_; }
  /// On the way from main, or from a handler, to the load, and not called by
  /// it: what flows there is followed.
  bool isPassing(Id function) const {
    return leadsToLoad(function) && !reached_.contains(function);
  }
  /// Calls that were followed, and where each leads: (call, function).
  const std::vector<std::pair<Id, Id>> &followed() const { return followed_; }
  /// Functions that a library may call during the load, but that carry out
  /// requests of any kind: not followed.
  const IdMap<Id> &requestCallbacks() const { return requestCallbacks_; }
  /// What stands where these are not null is not done by the load: StaticWrite,
  /// StoreSite.
  bool neverDone(llvm::ArrayRef<Id> nonNull, Id function) const;
  bool neverDone(const StaticWrite &w) const {
    return neverDone(w.nonNull, w.function) ||
           (w.path.empty() && unfilled_.neverWrites(w.function, w.variable));
  }
  /// Calls that nothing can lead to before the load has ended.
  std::vector<Id> neverRun() const;
  /// Functions that tell people what they are handed, each with the first of
  /// the calls that are not followed for it.
  std::vector<std::pair<Id, Id>> notSaid() const;
  /// Call and function; a pointer may call several.
  const std::vector<std::pair<Id, Id>> &libraryCallsReached() const {
    return libraryCalls_;
  }
  /// Memory that an input function filled with bytes from outside: location,
  /// call.
  const std::vector<std::pair<Id, Id>> &fills() const { return fills_; }
  bool isMemory(Id location) const {
    Object::Kind k = objects_[locations_[location].object].kind;
    return !isMark(k) && k != Object::Function;
  }
  bool holdsFileBytes(const Set &set) const { return set.test(fileBytes_); }
  /// Arrays that are cast to records: variable and record, and the functions
  /// in which they are.
  using ArrayCasts = std::map<std::pair<Id, Id>, std::vector<Id>>;
  const ArrayCasts &castArrays() const { return arrayCasts_; }
  /// Records that may lie in an object.
  llvm::SmallVector<Id, 4> recordsOf(Id object) const;
  /// Bytes from before the load are also an object for each record that they
  /// are used as; none for other objects.
  std::vector<Id> usedAs(Id object) const;
  /// Memory of a library, which gives back what it was given.
  bool isContainer(Id object) const {
    const Object &o = objects_[object];
    return o.kind == Object::Preexisting && o.record != None &&
           unfilled_.isContainer(o.record);
  }
  /// Made by a library: a container, a reader of files, what that has read, or
  /// a record that only a library knows.
  bool isOfLibrary(Id object) const {
    const Object &o = objects_[object];
    return isContainer(object) || isRead(object) ||
           (o.kind == Object::Preexisting && o.record != None &&
            (unfilled_.isReader(o.record) || opaque_.contains(o.record)));
  }
  /// What a library has read for the program.
  bool isRead(Id object) const {
    const Object &o = objects_[object];
    return o.kind == Object::Preexisting &&
           (o.ref == ReadOrigin || o.ref == deeper(ReadOrigin) ||
            o.ref == MadeOrigin || o.ref == deeper(MadeOrigin));
  }
  /// A library makes it during the load.
  bool isMadeByLibrary(Id object) const {
    const Object &o = objects_[object];
    return isContainer(object) && o.ref == handleOrigin(o.record);
  }
  /// What a library was given together with such a record, before the load or
  /// by it.
  const Set &givenWith(Id container) const {
    auto bag = bags_.find(container);
    return bag == bags_.end() ? pool_[Ref::Empty] : setOf(bag->second);
  }
  /// "dict, made before the load", "dictEntry, allocated at dict.c:364".
  std::string describe(Id object) const;
  /// A parameter through which a load function that nothing on the way from
  /// main calls is handed memory that lasts: load(server), by a handler. With
  /// Options::callersKeep, of any load function, and its result.
  bool isHandedOver(Id node) const { return handedOver_.contains(node); }
  bool callersKeep() const { return options_.callersKeep; }
  /// The location of a variable, or of a field in it, or None if the load never
  /// met it.
  Id find(Id variable, Id field) const;
  /// The same of any object; `cell`: None for all of it.
  Id locationIn(Id object, Id cell) const;
  unsigned iterations() const { return iterations_; }
  /// Calls `see` with the addresses of each copy of memory: where it goes, what
  /// is copied, and the record that is named for it or None.
  void eachCopy(
      llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
      const;
  /// The static scalars whose value is among `set`: locations.
  std::vector<Id> staticValuesIn(const Set &set) const;

private:
  static bool isMark(Object::Kind k) {
    return k == Object::FileBytes || k == Object::StaticValue ||
           k == Object::Elsewhere;
  }
  struct Target {
    Id object;
    Id part; ///< the record in it, None: all of it
  };
  struct Copying {
    Id dst, src, record;
    Id marks = None; ///< of the bytes that are copied
    std::map<Id, Id> hubs;
    std::vector<Target> targets;
    bool fromElsewhere = false, isRepeated = false;
    bool toInside = false; ///< memcpy(n + 1, e, size)
  };
  enum class Use : uint8_t {
    Load,
    Store,
    Member,
    CopyTo,
    CopyFrom,
    Target,
    Fill,
    Scatter,
    Convert,
    Spoil,
    Await,
    Beside
  };
  struct Watch {
    Use use;
    Id other;
    Id extra;
  };

  // Origins name what existed before the load by where it was first met: a
  // field (one object for all holders of that field) or a variable, and how
  // many pointers deep.
  static constexpr uint64_t fieldOrigin(Id field) {
    return uint64_t(1) << 60 | field;
  }
  static constexpr uint64_t nodeOrigin(Id node) {
    return uint64_t(2) << 60 | node;
  }
  static constexpr uint64_t handleOrigin(Id handle) {
    return uint64_t(3) << 60 | handle;
  }
  /// What a library has read, and records that it makes of that; tables of
  /// both.
  static constexpr uint64_t ReadOrigin = uint64_t(4) << 60,
                            MadeOrigin = uint64_t(5) << 60;
  static constexpr uint64_t deeper(uint64_t origin) {
    return origin + (uint64_t(1) << 40);
  }
  static constexpr bool tooDeep(uint64_t origin) {
    return (origin >> 40 & 0xff) > 3;
  }

  /// What one call, or a chain of calls, runs of a function: a copy of its
  /// nodes and calls.
  struct Instance {
    Id function = None;
    Id parent = None; ///< the instance that the call stands in, None: the text
    Id first = None;  ///< its nodes, in the order of the text
    unsigned depth = 0;
  };
  bool hasInstances(Id function);
  Id instanceFor(Id call, Id callee);
  void enterInstance(Id instance);
  Id inInstance(Id instance, Id node) const;
  Id copyOfCall(Id call, Id instance);
  void eachNode(const Instance &instance,
                llvm::function_ref<void(Id text, Id copy)> visit) const;
  void joinInstances();
  /// The node of the text that it is, or is a copy of; None for other nodes.
  Id textOf(Id node) const {
    const size_t nodes = p_.facts.nodes.size();
    return node < nodes                    ? node
           : node - nodes < copies_.size() ? copies_[node - nodes]
                                           : None;
  }
  const Node &nodeAt(Id node) const { return p_.facts.nodes[textOf(node)]; }
  bool isCopy(Id call) const { return call >= p_.facts.calls.size(); }
  Id callInText(Id call) const {
    return isCopy(call) ? calls_[call - p_.facts.calls.size()].text : call;
  }
  /// With the nodes of its instance; what asks other analyses asks with
  /// textOfCall().
  const Call &callAt(Id call) const {
    return isCopy(call) ? calls_[call - p_.facts.calls.size()].call
                        : p_.facts.calls[call];
  }
  const Call &textOfCall(Id call) const {
    return p_.facts.calls[callInText(call)];
  }
  Id instanceOf(Id call) const {
    return isCopy(call) ? calls_[call - p_.facts.calls.size()].instance : None;
  }

  Id newNode(Id filter);
  Id object(Object o);
  Id location(Id object, Id field);
  Id preexisting(uint64_t origin, Id pointee); ///< whole location
  Id preexistingRecord(uint64_t origin, Id record);
  void materialise(Id location);
  void materialiseContent(Id location, uint64_t origin, Id type);
  void findTails();
  bool isTail(Id slot) const;
  void materialiseTail(Id slot);
  void materialiseSelfLink(Id slot);
  llvm::SmallVector<Id, 4> handedFor(Id value) const;
  bool isSame(Id a, Id b) const;
  void reach(Id function, Id call);
  void enter(Id function, Id call);
  void addConstraint(const Constraint &c);
  void addCall(Id call);
  void bind(Id call, Id callee);
  Id blockOf(const Allocators::Site &site, Id instance);
  void makeInside(Id wrapper, Id block);
  void bindLibrary(Id call, Id callee);
  void startThread(const Call &c, const ThreadStart &thread, Id fn);
  void scatter(Id l, Id call);
  void throughHandle(Id call, Id handle);
  Id bagOf(Id handle);
  void readThrough(Id call);
  void numbersBehind(Id pointer, Id result);
  bool isConverted(Id call, Id callee, size_t argument) const;
  void convert(Id call, Id callee);
  void fillConverted(Id call, Id callee);
  bool isBuffer(Id argument) const;
  void readInto(Id node, Id type);
  void makeInto(Id node, Id type);
  void fillReader(Id location);
  void fillContainer(Id location);
  bool leadsToLoad(Id function) const {
    return options_.onTheWay.contains(function) ||
           options_.onRequest.contains(function);
  }
  bool isLoading(Id function) const { ///< or on the way there
    return leadsToLoad(function) || llvm::is_contained(options_.load, function);
  }
  bool awaits(Id call);
  bool isSaid(Id call);
  bool awaitsKey(Id call, Id function);
  void isOwner(Id param, Id argument, bool isNull);
  bool awaitsList(Id call);
  bool isEmptyList(Id node, Id head, Id call);
  Id linkTested(const Call &test, Id &head);
  bool awaitOnce(Id node, Id call);
  bool findLostCallees();
  bool isInNoReturn(const Call &call) const {
    return call.function != None && p_.isNoReturn(call.function);
  }
  void startAt(Id load);
  bool mayLast(Id pointer) const;
  void maybeElsewhere(Id node);
  void behindElsewhere(const Watch &w);
  void copyElsewhere(Id copying);
  void isValue(Id param, std::optional<uint64_t> value);
  void parametersFrom(Id callee, const Call *call, Id instance = None);
  void spoil(Id location);
  void watch(Id node, Watch w);
  void apply(const Watch &w, Ref what);
  void apply(const Watch &w, Id location);
  Id hubOf(Use use, Ref what);
  Ref membersOf(Ref what, Id field);
  std::optional<Id> member(Id location, Id field);
  void joinCopy(Id copying, Id location, bool isSource);
  void copyCell(Id copying, Id location, bool isSource);
  bool joinHub(Id copying, Id key, Id location, bool isSource);
  llvm::SmallVector<Id, 16> scalarCells(Id record) const;
  Id recordAt(const Location &at) const;
  void fillFrom(Id call, Id location);
  Id addressOf(Id variable, Id record);
  bool isFunctionPointer(Id node) const;
  Id newMarks();
  Id marksOf(Id node, bool behind = false);
  void copy(Id dst, Id src, Id record);
  void spoilCopied(const Target &target);
  Id partOf(Id copying, Id object) const;
  void unpack(Id copying, const Location &at);
  bool isIn(Id part, Id cell) const;
  bool moves(Id copying, Id cell);
  bool isRepeated(const Watch &w, std::map<std::tuple<Id, Id, Id>, Id> &first);
  bool copiesOntoItself(const Constraint &c) const;
  void edge(Id from, Id to);
  void add(Id node, Id location) { add(node, pool_.of(location)); }
  void add(Id node, SetPool::Ref what);
  /// What of `what` a pointer to `record` may point to; a location may be
  /// replaced by another that stands for it.
  SetPool::Ref admitted(Id record, SetPool::Ref what);
  Id admit(Id record, Id location);
  bool isRoom(Id field, Id record) const;
  bool isSpacious(Id object) const;
  bool isLaidOver(Id object, Id record) const;
  void lay(Id object, Id record);
  bool findTenants();
  bool pointsInside(Id pointer) const;
  void copyTo(Id copying, const Target &target, Id cell);
  void findOnceDefined();
  void findOpaque();
  void findArrayCasts();
  bool alike(Id a, Id b) const {
    return filter_[a] == filter_[b] && plainNumber_[a] == plainNumber_[b];
  }
  void unify(Id into, Id from);
  void mergeWatches(Id into, Id from);
  void unifyWatchers();
  void become(Id dst, Id src);
  bool isKnown(const Constraint &c);
  using SetFlow::find;
  bool objectAdmits(Id object, Id record) const;
  bool isText(const Call &call, unsigned depth = 4) const;
  bool admitsCell(Id object, Id field) const; ///< None: the whole
  bool fits(Id object, Id field) const;
  void findHiddenPointers();
  void findDistances();
  void setPlainNumbers();
  void prepare(Id node); ///< a global that is read: what it held before
  bool isScalarField(Id field) const;

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const PreLoadNullness &unfilled_;
  Options options_;
  std::vector<Object> objects_;
  std::vector<Location> locations_;
  std::vector<Id> contents_;
  std::vector<bool> materialised_;
  std::vector<std::vector<Id>> byObject_;
  using CopyWatch = std::pair<Id, bool>; ///< copying, from there
  std::vector<llvm::SmallVector<CopyWatch, 1>> copyWatch_; ///< object
  std::map<std::tuple<int, uint64_t, Id, Id>, Id> objectIds_;
  llvm::DenseMap<std::pair<Id, Id>, Id> locationIds_;
  std::vector<llvm::SmallVector<Watch, 1>> watches_;
  std::vector<Id> filter_;
  IdSet strict_;                  ///< what a filter refuses is not there at all
  std::vector<bool> plainNumber_; ///< node -> holds an integer that is never
                                  ///< made a pointer again
  /// Numbers that say how far two members of a record lie apart, and which.
  IdMap<std::pair<Id, Id>> distances_;
  IdSet hiddenIn_; ///< cells and nodes of integers that are cast to pointers
  /// Nodes that hold what their only definition gives them. Those of the same
  /// definition are one node: value numbering (Hardekopf and Lin, SAS 2007),
  /// as the functions are reached.
  std::vector<bool> definedOnce_;
  /// Flow, source, field and type -> the node that holds what they give.
  std::map<std::tuple<Flow, Id, Id, Id>, Id> known_;
  /// What flows is the same for many nodes, so what happens to it is done once:
  /// a node for what lies behind a set, or is stored there; fields of a set.
  llvm::DenseMap<Ref, Id> loads_, stores_;
  llvm::DenseMap<std::pair<Ref, Id>, Ref> members_;
  std::vector<std::pair<Id, Id>> fresh_; ///< edges that nothing has passed yet
  std::vector<Id> crowded_;              ///< nodes that have taken over watches
  IdMap<Id> stored_; ///< address -> hub of what is stored there
  std::vector<Copying> copyings_;
  std::map<std::pair<Id, bool>, Id> marksOf_; ///< node, or behind it -> node
  std::map<Id, std::vector<Id>> overlays_;    ///< by record
  Set marks_; ///< locations that are no memory: they pass every filter
  struct Filter {
    Set admitted, refused;
    IdMap<Id> replaced;
  };
  std::map<Id, Filter> filters_; ///< by record
  /// The records of other types that lie in an object, in an array of it or
  /// behind its own record.
  std::map<Id, llvm::SmallVector<Id, 2>> tenants_;
  Set spacious_; ///< locations: whole blocks that have room for such records
  /// A field of what lies behind a pointer, a variable, or a field in one.
  struct Tail {
    Id variable = None, field = None;
    bool operator==(const Tail &) const = default;
  };
  /// Program::slotOf -> the variable that the slot lies in, None behind a
  /// pointer, and what it is made to lead to.
  using Tails = llvm::SmallVector<std::pair<Id, Tail>, 1>;
  IdMap<Tails> tails_;
  IdSet selfLinks_; ///< cells in which the address of their own object is put
  const Tails *tailsIn(Id slot) const;
  IdSet converted_;           ///< calls
  IdSet mapped_;              ///< blocks: files
  mutable IdMap<bool> texts_; ///< by call that makes a block: a string
  IdSet opaque_;              ///< records that no file defines
  /// Variables that are arrays of numbers or bytes, and records that they are
  /// cast to by name.
  ArrayCasts arrayCasts_;
  IdSet handedOver_;           ///< parameters and results
  IdMap<Id> requestCallbacks_; ///< function -> library call
  std::map<Id, Id> bags_;      ///< handle -> node of what the library was given
  std::map<Id, Id> reached_;
  IdSet entered_; ///< functions that are followed as the text has them
  std::vector<std::pair<Id, Id>> followed_;
  std::vector<Id> functionsToDo_;
  std::vector<Instance> instances_;
  std::vector<Id> instancesToDo_, copies_; ///< node behind the text's -> there
  struct CallCopy {
    Call call;
    Id text, instance;
  };
  size_t copiedNodes_ = 0;     ///< of instances
  IdMap<size_t> copied_;       ///< of those of a function
  std::deque<CallCopy> calls_; ///< numbered behind those of the text
  IdMap<bool> hasInstances_;   ///< by function
  IdMap<Ref> inAllInstances_;  ///< by node of the text
  std::vector<std::pair<Id, Id>> libraryCalls_;
  IdSet waiting_; ///< calls that are not made so far
  llvm::DenseSet<std::pair<Id, Id>> awaited_; ///< by call, nodes
  llvm::DenseSet<std::pair<Id, Id>> bound_;
  llvm::DenseSet<std::pair<Id, Id>> madeInside_; ///< wrapper, location
  std::vector<llvm::SmallVector<Id, 1>>
      sharing_; ///< cell -> fields of the union that share it
  IdSet ownSite_;
  std::vector<std::pair<Id, Id>>
      fills_;              ///< location filled raw from outside, by call
  Id firstReading_ = None; ///< call of a library that reads for the program
  Id fileBytes_ = None, elsewhere_ = None; ///< locations
  Id mistyped_ = None; ///< location: elsewhere, for what has another type
  std::vector<bool> spoiled_; ///< object -> a library may have put pointers in
  IdSet made_;                ///< calls
  IdSet said_;                ///< calls of the text
  std::vector<Id> throughPointer_; ///< of these, in the order of being made
  /// What a parameter that calls depend on has been called with.
  struct Values {
    std::set<uint64_t> constants;
    bool any = false;
    llvm::SmallVector<Id, 2> passedTo; ///< parameters
    llvm::SmallVector<Id, 4> calls;    ///< that may depend on it
    /// Callbacks that it chooses among: call and function, not called so far.
    std::vector<std::pair<Id, Id>> callbacks;
  };
  std::map<Id, Values> values_; ///< grows while one of them is in use
  unsigned iterations_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H
