//===- Scalars.cpp - Static scalars that outlive the process --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/AtStart.h"
#include "passes/solve/KeptStatics.h"
#include "passes/solve/LookUps.h"
#include "passes/solve/Measures.h"
#include "passes/solve/NamedMembers.h"
#include "passes/solve/StaticsInLists.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;
using Place = NumberOrigins::Place;
using Places = NumberOrigins::Places;

/// What the load puts into static numbers, text and arrays of them.
class Restored {
public:
  Restored(const SolveContext &context, const LoadedState &state,
           const Measures &measures, Solution &solution)
      : c_(context), s_(state), f_(context.program.facts),
        pt_(context.pointsTo), out_(solution), values_(measures.values()),
        origins_(measures.origins()), measures_(measures),
        lookUps_(context, state, values_),
        members_(context.program, context.flow, context.pointsTo,
                 /*numbers=*/true),
        later_(context.loop.reachableFrom(context.loop.handlerCalls)) {
    for (const StaticWrite &w : f_.staticWrites)
      if (const Node &n = f_.nodes[w.variable];
          w.function != None && pt_.reached().contains(w.function) &&
          w.isScalar && n.isDefined && !pt_.neverDone(w.nonNull, w.function) &&
          !c_.program.isPointer(c_.program.typeOf(w.variable, w.path)))
        (c_.program.kind(n.type) == TypeKind::Array && !w.path.empty()
             ? inArrays_
             : writes_)
            .push_back(&w);
  }

  std::vector<RestoredScalar> run() {
    byName();
    fromFile();
    inLists();
    measures();
    counted();
    filled();
    steps();
    localCounts();
    while (computed())
      ;
    flags();
    std::vector<RestoredScalar> result;
    for (auto &[path, scalar] : found_)
      result.push_back(std::move(scalar));
    return result;
  }

private:
  /// False when it is known already.
  bool add(Id variable, const std::vector<Id> &path, llvm::StringRef why,
           Loc loc) {
    std::string name = c_.program.nameOf(variable, path);
    if (descriptors_.count(name))
      return false;
    restored_.insert(
        {variable, path.empty() ? None : f_.fields[path.back()].cell});
    return found_
        .try_emplace(name, RestoredScalar{variable, path, name,
                                          (why + " at ").str() +
                                              c_.program.describe(loc)})
        .second;
  }

  void addWritten(Id variable, const std::vector<Id> &path, bool fromFile,
                  Loc loc) {
    if (fromFile)
      add(variable, path, "gets a value from the file", loc);
    else if (add(variable, path, "counts what is loaded", loc))
      counts_.insert(c_.program.nameOf(variable, path));
  }

  bool isGlobal(const Object &o) const {
    return o.kind == Object::Variable &&
           f_.nodes[o.ref].kind == NodeKind::Global &&
           f_.nodes[o.ref].isDefined;
  }

  void byName() {
    for (const StaticWrite *w : writes_) {
      bool file = w->value == None
                      ? isJudged(w->judged)
                      : pt_.holdsFileBytes(pt_.pointsTo(w->value)) ||
                            isLookedUp(w->value);
      if (file && isDescriptor(*w)) {
        descriptors_.insert(c_.program.nameOf(w->variable, w->path));
        continue;
      }
      if (w->readModifyWrite || file)
        addWritten(w->variable, w->path, file, w->loc);
    }
  }

  /// device = open(name, ..), of a name in the file.
  bool isDescriptor(const StaticWrite &w) {
    Id call = w.value == None ? None : values_.call(origin(w.value));
    Id callee = call == None ? None : f_.calls[call].callee;
    if (callee == None || !givesDescriptor(f_.functions[callee].name))
      return false;
    out_.notCovered.push_back(
        {"holds-descriptor", w.loc, w.function,
         c_.program.nameOf(w.variable, w.path) +
             " is set by the load to a descriptor of an open file, from " +
             f_.functions[callee].name +
             "(): it is not restored; open it behind nvm_restore()"});
    return true;
  }

  /// on = atoi(text) > 0, on = !strcmp(text, "yes"): it says what the file
  /// does.
  bool isJudged(const std::vector<Id> &nodes) {
    return llvm::any_of(nodes, [&](Id n) {
      return (!c_.program.isPointer(f_.nodes[n].type) &&
              pt_.holdsFileBytes(pt_.pointsTo(n))) ||
             isLookedUp(n) || lookUps_.compares(values_.call(origin(n)));
    });
  }

  Place placeOf(const StaticWrite &w) const {
    return {w.variable, w.path.empty() ? None : f_.fields[w.path.back()].cell};
  }

  /// Where a value begins that is copied and cast, also from a local that has
  /// but one.
  Id origin(Id value) {
    for (unsigned steps = 0; steps < 16 && values_.call(value) == None;
         ++steps) {
      llvm::ArrayRef<Id> from = values_.definitions(value);
      if (from.size() != 1 || f_.nodes[value].kind == NodeKind::Global ||
          (f_.constraints[from[0]].flow != Flow::Copy &&
           f_.constraints[from[0]].flow != Flow::Cast))
        break;
      value = f_.constraints[from[0]].src;
    }
    return value;
  }

  /// mode = find(word): what a function of the program makes of data of the
  /// file that it is handed, or chooses by what it finds.
  bool isLookedUp(Id value) {
    Id call = values_.call(origin(value));
    if (call == None)
      return false;
    const Call &c = f_.calls[call];
    return c.callee != None && f_.functions[c.callee].hasBody &&
           !llvm::is_contained(out_.load, c.callee) &&
           (llvm::any_of(
                c.args,
                [&](Id a) { return a != None && lookUps_.isText(a); }) ||
            lookUps_.onlyChooses(call));
  }

  // table = calloc(n, ..); size = n; .. table[hash % size]: a number that the
  // load sets, from wherever, and that says how large what it made is, or where
  // in it things lie.
  void measures() {
    for (const StaticWrite *w : writes_) {
      llvm::StringRef why = measures_.of(w->value, w->function);
      if (measures_.choose(placeOf(*w)))
        why = Measures::Where;
      if (!why.empty())
        add(w->variable, w->path, why, w->loc);
    }
    // Through pointers: vector->capacity *= 2.
    for (auto &[fn, call] : pt_.reached()) {
      IdSet addresses;
      for (Id i : c_.program.storesOf(fn)) {
        const StoreSite &s = f_.stores[i];
        addresses.insert(s.address);
        eachNumberWritten(s, [&](Id l, const std::vector<Id> &path) {
          Place place = placeAt(l);
          if (measures_.choose(place))
            add(place.first, path, Measures::Where, s.loc);
          else if (measures_.areSizes(place))
            add(place.first, path, Measures::HowLarge, s.loc);
        });
      }
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow == Flow::CopyMemory)
          copied(c);
        if (c.flow != Flow::Store || !addresses.contains(c.dst))
          continue;
        std::optional<llvm::StringRef> why;
        eachNumberBehind(c.dst, [&](Id l, const std::vector<Id> &path) {
          stored_.insert(l);
          if (!why)
            why = measures_.of(c.src, fn);
          if (!why->empty())
            add(placeAt(l).first, path, *why, c.loc);
        });
      }
    }
  }

  // *table = larger: the numbers in a record that is copied as one.
  void copied(const Constraint &c) {
    Id record = c.extra == None ? None : c_.program.recordOf(c.extra);
    if (record == None || c.dst == None)
      return;
    for (Id to : pt_.pointsTo(c.dst)) {
      if (!pt_.isMemory(to) ||
          !isGlobal(pt_.objects()[pt_.locations()[to].object]))
        continue;
      for (Id l : pt_.locationsOf(pt_.locations()[to].object)) {
        Id field = pt_.locations()[l].field;
        if (field == None ||
            !c_.program.contains(record, f_.fields[field].record))
          continue;
        for (const std::vector<Id> &path : numbersAt(l)) {
          if (!s_.writesTo(l).empty())
            stored_.insert(l);
          if (Place place = placeAt(l); measures_.choose(place))
            add(place.first, path, Measures::Where, c.loc);
          else if (measures_.areSizes(place))
            add(place.first, path, Measures::HowLarge, c.loc);
        }
      }
    }
  }

  /// The static numbers that a pointer leads to, by location and path.
  void
  eachNumberBehind(Id address,
                   llvm::function_ref<void(Id, const std::vector<Id> &)> see) {
    if (address == None)
      return;
    for (Id l : pt_.pointsTo(address))
      for (const std::vector<Id> &path : numbersAt(l))
        see(l, path);
  }

  void
  eachNumberWritten(const StoreSite &store,
                    llvm::function_ref<void(Id, const std::vector<Id> &)> see) {
    std::optional<bool> never;
    eachNumberBehind(store.address, [&](Id l, const std::vector<Id> &path) {
      if (!never)
        never = pt_.neverDone(store.nonNull, store.function);
      if (!*never)
        see(l, path);
    });
  }

  Place placeAt(Id l) const {
    const auto &at = pt_.locations()[l];
    return {pt_.objects()[at.object].ref, at.field};
  }

  /// Where in static memory the location is, if it is a number there with a
  /// name; several where the variable has members of one type.
  NamedMembers::Paths numbersAt(Id l) {
    const auto &at = pt_.locations()[l];
    const Object &o = pt_.objects()[at.object];
    if (!isGlobal(o) || f_.nodes[o.ref].isConst)
      return {};
    NamedMembers::Paths paths{{}};
    if (at.field != None) {
      if (o.record == None ||
          c_.program.kind(f_.nodes[o.ref].type) == TypeKind::Array)
        return {};
      paths = members_.waysTo(o.record, at.field).filled;
      for (std::vector<Id> &path : paths)
        path = wholeUnion(path);
    }
    llvm::erase_if(paths, [&](const std::vector<Id> &path) {
      Id type = c_.program.typeOf(o.ref, path);
      return type == None || c_.program.isPointer(type) ||
             (path.empty() && c_.program.recordOf(type) != None);
    });
    return paths;
  }

  // Arrays, too: load(&settings).
  void fromFile() {
    for (Id l = 0; l < pt_.locations().size(); ++l)
      if (!s_.writesTo(l).empty() && pt_.holdsFileBytes(pt_.content(l)))
        for (const std::vector<Id> &path : numbersAt(l))
          addWritten(placeAt(l).first, path, true, s_.proof(l).loc);
  }

  /// find(name)->value = n; also where that is a static.
  void inLists() {
    forEachStaticInList(
        c_, s_, out_, [&](Id variable, const std::vector<Id> &path, Id l) {
          if (c_.program.kind(f_.nodes[variable].type) == TypeKind::Array)
            return;
          std::vector<Id> whole = wholeUnion(path);
          Id type = c_.program.typeOf(variable, whole);
          if (pt_.holdsFileBytes(pt_.content(l)) && type != None &&
              !c_.program.isPointer(type) && c_.program.recordOf(type) == None)
            addWritten(variable, whole, true, s_.proof(l).loc);
        });
  }

  void counted() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.storesOf(fn)) {
        const StoreSite &store = f_.stores[i];
        bool judged = !store.judged.empty() && isJudged(store.judged);
        if (judged || store.readModifyWrite)
          eachNumberWritten(store, [&](Id l, const std::vector<Id> &path) {
            addWritten(placeAt(l).first, path, judged, store.loc);
          });
      }
  }

  void filled() {
    for (auto [l, call] : pt_.fills()) {
      const auto at = pt_.locations()[l];
      const Object &o = pt_.objects()[at.object];
      if (!isGlobal(o))
        continue;
      Loc loc = f_.calls[call].loc;
      if (o.record == None && at.field == None)
        add(o.ref, {}, "read from the file", loc);
      else if (c_.program.kind(f_.nodes[o.ref].type) == TypeKind::Record &&
               s_.readOutsideLoad(o.record))
        for (const std::vector<Id> &path :
             at.field == None ? NamedMembers::Paths{{}}
                              : members_.waysTo(o.record, at.field).filled)
          filledFields(o.ref, path, loc);
    }
  }

  /// fread(&player, sizeof player, 1, file): all its numbers and text.
  void filledFields(Id variable, const std::vector<Id> &path, Loc loc) {
    if (!path.empty() && found_.count(c_.program.nameOf(variable, path)))
      return; // an array of records, as a whole
    Id type = c_.program.typeOf(variable, path),
       record = c_.program.recordOf(type);
    bool isUnion = record != None && f_.records[record].isUnion;
    if (record != None && !isUnion) {
      for (Id k : f_.records[record].fields) {
        std::vector<Id> inner = path;
        inner.push_back(k);
        filledFields(variable, inner, loc);
      }
    } else if (!path.empty() && !c_.program.isPointer(type)) {
      add(variable, wholeUnion(path), "read from the file", loc);
    }
  }

  /// Of a union all members go together. One without a name goes by its
  /// largest, if possible one with a name.
  std::vector<Id> wholeUnion(std::vector<Id> path) const {
    while (path.size() > 1 && f_.records[f_.fields[path.back()].record].isUnion)
      path.pop_back();
    for (Id last = path.back(); f_.fields[last].name.empty();) {
      Id record = c_.program.recordOf(f_.fields[last].type);
      if (record == None || !f_.records[record].isUnion ||
          f_.records[record].fields.empty())
        break;
      last = *llvm::max_element(f_.records[record].fields, [&](Id a, Id b) {
        return std::pair(f_.types[f_.fields[a].type].size_bytes,
                         !f_.fields[a].name.empty()) <
               std::pair(f_.types[f_.fields[b].type].size_bytes,
                         !f_.fields[b].name.empty());
      });
      path.push_back(last);
    }
    return path;
  }

  /// head = take(), *link = take(): what is computed from them goes with them.
  /// False: no more.
  bool computed() {
    bool any = false;
    auto isComputed = [&](const PointsTo::Set &set) {
      return llvm::any_of(pt_.staticValuesIn(set),
                          [&](Id l) { return restored_.contains(placeAt(l)); });
    };
    for (const StaticWrite *w : writes_)
      if (w->value != None && isComputed(pt_.pointsTo(w->value)))
        any |= add(w->variable, w->path, FromRestored, w->loc);
    for (Id l : stored_)
      if (isComputed(pt_.content(l)))
        for (const std::vector<Id> &path : numbersAt(l))
          any |= add(placeAt(l).first, path, FromRestored, s_.proof(l).loc);
    return any;
  }

  static constexpr const char *FromRestored =
      "is computed from what is restored";

  // count = n; ready = 1: nothing but the load sets the flag, and that does not
  // run again. Elsewhere it may tell of something that is gone with the
  // process: the connection to the log is open. What start-up runs, too, sets
  // it at each start.
  void flags() {
    using Number = std::pair<Id, std::vector<Id>>; // variable, path
    std::set<Number> elsewhere;                    // or not to a constant
    std::set<Number> byLoad;                       // not at each start
    std::map<Number, unsigned> times;
    IdSet restoring(out_.load.begin(), out_.load.end());
    IdMap<const StaticWrite *> making; // functions that make a root
    KeptStatics roots(out_);
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && pt_.reached().contains(w.function) &&
          roots.holds(w) && isMadeAnew(w))
        making.try_emplace(w.function, &w);
    const AtStart atStart(c_, out_.load);
    for (const StaticWrite &w : f_.staticWrites) {
      if (w.function == None)
        continue;
      if (!pt_.reached().contains(w.function) || !isChosen(w))
        elsewhere.insert({w.variable, w.path});
      else if (!atStart.always.contains(w.function))
        byLoad.insert({w.variable, w.path});
      if (restores(w))
        restoring.insert(w.function);
    }
    for (const StaticWrite *w : writes_)
      ++times[{w->variable, w->path}];
    std::set<std::string> listed;
    for (const StaticWrite *w : writes_) {
      Number number{w->variable, w->path};
      std::string name = c_.program.nameOf(w->variable, w->path);
      bool alone = !elsewhere.count(number) && byLoad.count(number);
      if (found_.count(name))
        continue;
      // Not: loading = 1; ..; loading = 0;
      bool told = isSetting(*w) || (alone && !isElement(*w));
      // level_exists[n] = 1: which one is data.
      alone &= isElement(*w) || !atStart.all.contains(w->function);
      const StaticWrite *made = making.lookup(w->function);
      if (told && alone && times[number] == 1 &&
          restoring.contains(w->function))
        add(w->variable, w->path, "is set by the load alone", w->loc);
      else if (made && w->value == None && !w->isZero && !isElement(*w) &&
               !atStart.all.contains(w->function) &&
               makesOnly(w->function, roots))
        add(w->variable, w->path, "is set where a root is made", w->loc);
      else if (told && listed.insert(name).second)
        tellSet(*w, name, alone && !isElement(*w), made);
    }
    for (const StaticWrite *w : inArrays_)
      if (std::string name = c_.program.nameOf(w->variable, w->path);
          isSetting(*w) && !found_.count(name) && !roots.holds(*w) &&
          listed.insert(name).second)
        tellSet(*w, name, false);
  }

  // tail = (tail + 1) % size; or by way of a local, if nothing else goes there:
  // else that is only put aside.
  void steps() {
    std::map<std::string, bool> fromItself;
    auto nameOf = [&](const StaticWrite *w) {
      return c_.program.nameOf(w->variable, w->path);
    };
    for (const StaticWrite *w : writes_)
      fromItself.try_emplace(nameOf(w), true).first->second &=
          origins_.isFrom(w->value, placeOf(*w));
    for (const StaticWrite *w : writes_)
      if ((fromItself[nameOf(w)] ||
           origins_.isComputedFrom(w->value, placeOf(*w))) &&
          add(w->variable, w->path, "moves on with what is loaded", w->loc))
        counts_.insert(nameOf(w));
  }

  // items = n, by what nothing but the load runs: it is not set again.
  void localCounts() {
    IdSet later = c_.loop.reachableFrom(c_.loop.handlerCalls);
    for (const StaticWrite *w : writes_)
      if (w->value != None && isChosen(*w) && s_.seesFile(w->function) &&
          !later.contains(w->function))
        add(w->variable, w->path, "is what the load has counted", w->loc);
  }

  /// Functions of a library may write it, too.
  bool isElement(const StaticWrite &w) const {
    return c_.program.kind(f_.nodes[w.variable].type) == TypeKind::Array;
  }

  /// A constant, or what a local has counted: the way that the load took says
  /// which.
  bool isChosen(const StaticWrite &w) const {
    return w.value == None || origins_.isCounted(w.value);
  }

  /// Which value it is may be said by the file: a constant where data of it is
  /// seen, or what a function is handed there: set_level(levels[i].number).
  bool isSetting(const StaticWrite &w) {
    // options[n] = what: which one says the file.
    if (isChosen(w) || isElement(w))
      return s_.seesFile(w.function);
    Id param = origin(w.value);
    if (Id call = values_.call(param); call != None)
      return !llvm::is_contained(out_.load, f_.calls[call].callee) &&
             lookUps_.chooses(call);
    if (!llvm::is_contained(f_.functions[w.function].params, param))
      return false;
    return llvm::any_of(c_.program.callersOf(w.function), [&](Id k) {
      Id caller = f_.calls[k].function;
      return caller != None && pt_.reached().contains(caller) &&
             (s_.seesFile(caller) ||
              llvm::any_of(f_.functions[caller].params,
                           [&](Id p) { return lookUps_.isText(p); }));
    });
  }

  /// `made`: a root that the same function makes, or nullptr.
  void tellSet(const StaticWrite &w, const std::string &name, bool alone,
               const StaticWrite *made = nullptr) {
    bool runsLater = later_.contains(w.function) &&
                     !llvm::is_contained(out_.load, w.function);
    std::string text = name + " is set by the load" +
                       (!alone      ? ", but"
                        : runsLater ? ", and"
                                    : " alone, and") +
                       " not restored: ";
    if (made && runsLater)
      text += "where that runs again, it may make " +
              c_.program.nameOf(made->variable, made->path) +
              " anew and lose what came back; ";
    out_.notCovered.push_back(
        {"set-by-load", w.loc, w.function,
         text + "where the program relies on it, name it with nvm_root()"});
  }

  /// table = calloc(..); not: item = malloc(..); item->next = list; list =
  /// item;
  bool isMadeAnew(const StaticWrite &w) {
    Id call = w.value == None ? None : values_.call(origin(w.value));
    if (call == None || !c_.allocators.allocates(f_.calls[call]))
      return false;
    return llvm::none_of(c_.program.constraintsOf(w.function), [&](Id i) {
      const Constraint &c = f_.constraints[i];
      return c.flow == Flow::Store && c.src != None && isOfPlace(c.src, w);
    });
  }

  /// The value is what the static held before.
  bool isOfPlace(Id value, const StaticWrite &w) {
    value = origin(value);
    if (w.path.empty())
      return value == w.variable;
    Id d = c_.program.definition(value);
    if (d == None || f_.constraints[d].flow != Flow::Load)
      return false;
    d = c_.program.definition(f_.constraints[d].src);
    return d != None && f_.constraints[d].flow == Flow::Member &&
           f_.constraints[d].extra == w.path.back();
  }

  // if (ready) return; table = calloc(..); ready = 1: the next run has the
  // table, so it needs the flag. Not where something is made besides that ends
  // with the process.
  bool makesOnly(Id function, const KeptStatics &roots, unsigned depth = 0) {
    if (depth > 3 || f_.functions[function].hasInlineAsm)
      return false;
    for (const Definition *d : c_.program.definitionsOf(function))
      for (Id i = d->staticWrites.begin; i < d->staticWrites.end; ++i) {
        const StaticWrite &w = f_.staticWrites[i];
        bool isFlag = w.isScalar && w.value == None && !w.readModifyWrite;
        if (!isFlag && !roots.holds(w) &&
            !found_.count(c_.program.nameOf(w.variable, w.path)))
          return false;
      }
    return llvm::all_of(c_.program.callsOf(function), [&](Id k) {
      const Call &call = f_.calls[k];
      if (c_.allocators.allocates(call) || c_.program.isDeadEnd(k))
        return true;
      if (call.callee == None)
        return false;
      const Function &callee = f_.functions[call.callee];
      return callee.hasBody
                 ? makesOnly(call.callee, roots, depth + 1)
                 : c_.program.isNoReturn(call.callee) ||
                       callee.name == "memset" || callee.name == "memcpy";
    });
  }

  /// It writes what is restored, and does not only count.
  bool restores(const StaticWrite &w) const {
    std::string name = c_.program.nameOf(w.variable, w.path);
    return found_.count(name) && !counts_.count(name);
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  Solution &out_;
  const Values &values_;
  const NumberOrigins &origins_;
  const Measures &measures_;
  const LookUps lookUps_;
  NamedMembers members_;
  const IdSet later_;                         ///< functions that handlers run
  std::vector<const StaticWrite *> writes_;   ///< of numbers and arrays of them
  std::vector<const StaticWrite *> inArrays_; ///< of records
  std::set<Id> stored_; ///< numbers written through pointers: locations
  Places restored_;
  std::map<std::string, RestoredScalar> found_;
  std::set<std::string> descriptors_;
  std::set<std::string> counts_; ///< of these, what the load only counts
};

} // namespace

void nvmove::findScalars(const SolveContext &c, const LoadedState &s,
                         const Measures &measures, Solution &solution) {
  solution.scalars = Restored(c, s, measures, solution).run();
}
