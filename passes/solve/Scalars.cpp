//===- Scalars.cpp - Static scalars that outlive the process --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/Values.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;

/// What numbers are computed from: variables, and fields of static records,
/// through pointers, too. No values are followed through other memory or
/// parameters, or through a library.
class NumberOrigins {
public:
  NumberOrigins(const Program &program, const PointsTo &pointsTo,
                const Values &values)
      : p_(program), f_(program.facts), pt_(pointsTo), values_(values) {}

  /// A variable, and a field's cell or None.
  using Place = std::pair<Id, Id>;

  void add(Id node, llvm::DenseSet<Place> &places) const {
    IdSet seen;
    for (std::vector<Id> work{node}; !work.empty();) {
      Id n = work.back();
      work.pop_back();
      if (n == None || !seen.insert(n).second || p_.isPointer(f_.nodes[n].type))
        continue;
      if (f_.nodes[n].kind == NodeKind::Global ||
          f_.nodes[n].kind == NodeKind::Local)
        places.insert({n, None});
      if (f_.nodes[n].kind == NodeKind::Global)
        continue;
      if (Id call = values_.call(n); call != None)
        if (Id callee = f_.calls[call].callee;
            callee != None && f_.functions[callee].hasBody)
          work.push_back(f_.functions[callee].result);
      for (Id i : values_.definitions(n))
        if (const Constraint &c = f_.constraints[i]; c.flow == Flow::Load)
          addRead(c.src, places);
        else
          work.push_back(c.src);
    }
  }

private:
  void addRead(Id address, llvm::DenseSet<Place> &places) const {
    Id d = p_.definition(address), cell = None;
    if (d != None && f_.constraints[d].flow == Flow::Member) {
      cell = f_.fields[f_.constraints[d].extra].cell;
      d = p_.definition(f_.constraints[d].src);
    }
    if (d != None && f_.constraints[d].flow == Flow::AddressOf) {
      places.insert({f_.constraints[d].src, cell});
      return;
    }
    for (Id l : pt_.pointsTo(address))
      if (const Object &o = pt_.objects()[pt_.locations()[l].object];
          o.kind == Object::Variable)
        places.insert({o.ref, pt_.locations()[l].field});
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const Values &values_;
};

/// What the load puts into static numbers, text and arrays of them.
class Restored {
public:
  Restored(const SolveContext &context, const LoadedState &state,
           Solution &solution)
      : c_(context), s_(state), f_(context.program.facts),
        pt_(context.pointsTo), out_(solution) {
    for (const StaticWrite &w : f_.staticWrites)
      if (const Node &n = f_.nodes[w.variable];
          w.function != None && pt_.reached().contains(w.function) &&
          w.isScalar && n.isDefined &&
          !c_.program.isPointer(c_.program.typeOf(w.variable, w.path)))
        (c_.program.kind(n.type) == TypeKind::Array ? elements_ : writes_)
            .push_back(&w);
  }

  std::vector<RestoredScalar> run() {
    byName();
    measures();
    throughPointers();
    filled();
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
      bool file =
          w->value != None &&
          (pt_.holdsFileBytes(pt_.pointsTo(w->value)) || isLookedUp(w->value));
      if (w->readModifyWrite || file)
        addWritten(w->variable, w->path, file, w->loc);
    }
  }

  const Values &values() {
    if (!values_)
      values_.emplace(f_);
    return *values_;
  }

  /// Where a value begins that is copied and cast, also from a local that has
  /// but one.
  Id origin(Id value) {
    for (unsigned steps = 0; steps < 16 && values().call(value) == None;
         ++steps) {
      llvm::ArrayRef<Id> from = values().definitions(value);
      if (from.size() != 1 || f_.nodes[value].kind == NodeKind::Global ||
          (f_.constraints[from[0]].flow != Flow::Copy &&
           f_.constraints[from[0]].flow != Flow::Cast))
        break;
      value = f_.constraints[from[0]].src;
    }
    return value;
  }

  /// mode = find(word): what a function of the program makes of data of the
  /// file that it is handed.
  bool isLookedUp(Id value) {
    Id call = values().call(origin(value));
    if (call == None)
      return false;
    const Call &c = f_.calls[call];
    return c.callee != None && f_.functions[c.callee].hasBody &&
           !llvm::is_contained(out_.load, c.callee) &&
           llvm::any_of(c.args, [&](Id a) { return a != None && isText(a); });
  }

  /// A number of the file, or the address of text from there.
  bool isText(Id node) const {
    const PointsTo::Set &set = pt_.pointsTo(node);
    if (pt_.holdsFileBytes(set))
      return true;
    if (c_.program.pointeeRecord(f_.nodes[node].type) != None)
      return false;
    for (Id l : set)
      if (pt_.isMemory(l) && pt_.holdsFileBytes(pt_.content(l)))
        return true;
    return false;
  }

  // table = calloc(n, ..); size = n; .. table[hash % size]: a number that the
  // load sets, from wherever, and that says how large what it made is, or where
  // in it things lie.
  void measures() {
    NumberOrigins origins(c_.program, pt_, values());
    llvm::DenseSet<NumberOrigins::Place> choosing;
    std::map<Id, llvm::DenseSet<NumberOrigins::Place>> sizes; // by function
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.constraintsOf(fn))
        if (s_.isIndexOfLoaded(f_.constraints[i]))
          origins.add(f_.constraints[i].extra, choosing);
    for (Id o = 0; o < pt_.objects().size(); ++o)
      if (pt_.objects()[o].kind == Object::Heap && s_.reachable(o)) {
        const Call &c =
            f_.calls[c_.allocators.sites()[pt_.objects()[o].ref].call];
        for (Id a : c.args)
          origins.add(a, sizes[c.function]);
      }
    for (const StaticWrite *w : writes_) {
      Id cell = w->path.empty() ? None : f_.fields[w->path.back()].cell;
      if (choosing.contains({w->variable, cell})) {
        add(w->variable, w->path, "says where in what is loaded things lie",
            w->loc);
      } else if (auto at = sizes.find(w->function); at != sizes.end()) {
        llvm::DenseSet<NumberOrigins::Place> values;
        origins.add(w->value, values);
        if (llvm::any_of(
                values, [&](auto place) { return at->second.contains(place); }))
          add(w->variable, w->path, "says how large what is loaded is", w->loc);
      }
    }
    // Through pointers: vector->capacity *= 2.
    auto store = [&](Id address, Loc loc, auto measures) {
      for (Id l : pt_.pointsTo(address))
        if (std::optional<std::vector<Id>> path = numberAt(l))
          measures(pt_.objects()[pt_.locations()[l].object].ref, *path,
                   pt_.locations()[l].field, loc);
    };
    for (auto &[fn, call] : pt_.reached()) {
      for (Id i : c_.program.storesOf(fn))
        if (const StoreSite &s = f_.stores[i]; s.address != None)
          store(
              s.address, s.loc,
              [&](Id variable, const std::vector<Id> &path, Id cell, Loc loc) {
                std::pair place{variable, cell};
                if (choosing.contains(place))
                  add(variable, path, "says where in what is loaded things lie",
                      loc);
                else if (llvm::any_of(sizes, [&](const auto &of) {
                           return of.second.contains(place);
                         }))
                  add(variable, path, "says how large what is loaded is", loc);
              });
      auto at = sizes.find(fn);
      if (at == sizes.end())
        continue;
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow != Flow::Store || c.dst == None)
          continue;
        llvm::DenseSet<NumberOrigins::Place> values;
        origins.add(c.src, values);
        if (llvm::any_of(
                values, [&](auto place) { return at->second.contains(place); }))
          store(c.dst, c.loc,
                [&](Id variable, const std::vector<Id> &path, Id, Loc loc) {
                  add(variable, path, "says how large what is loaded is", loc);
                });
      }
    }
  }

  /// Where in static memory the location is, if it is a number there with a
  /// name; else nothing.
  std::optional<std::vector<Id>> numberAt(Id l) const {
    const auto &at = pt_.locations()[l];
    const Object &o = pt_.objects()[at.object];
    if (!isGlobal(o) || f_.nodes[o.ref].isConst)
      return std::nullopt;
    std::vector<Id> path;
    if (at.field != None) {
      if (o.record == None ||
          c_.program.kind(f_.nodes[o.ref].type) == TypeKind::Array)
        return std::nullopt;
      path = wholeUnion(c_.program.memberPath(o.record, at.field));
    }
    Id type = c_.program.typeOf(o.ref, path);
    if (type == None || c_.program.isPointer(type) ||
        (path.empty() && c_.program.recordOf(type) != None))
      return std::nullopt;
    return path;
  }

  // Arrays, too: load(&settings).
  void throughPointers() {
    IdMap<Loc> counted;
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.storesOf(fn))
        if (const StoreSite &store = f_.stores[i];
            store.stored == Stored::Step && store.address != None)
          for (Id l : pt_.pointsTo(store.address))
            counted.try_emplace(l, store.loc);
    for (Id l = 0; l < pt_.locations().size(); ++l) {
      std::optional<std::vector<Id>> path = numberAt(l);
      if (!path)
        continue;
      bool file = !s_.writesTo(l).empty() && pt_.holdsFileBytes(pt_.content(l));
      auto step = counted.find(l);
      if (file || step != counted.end())
        addWritten(pt_.objects()[pt_.locations()[l].object].ref, *path, file,
                   file ? s_.proof(l).loc : step->second);
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
        filledFields(o.ref,
                     at.field == None
                         ? std::vector<Id>()
                         : c_.program.memberPath(o.record, at.field),
                     loc);
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

  bool isRestored(Id l) const {
    const auto &at = pt_.locations()[l];
    return llvm::any_of(found_, [&](const auto &entry) {
      const RestoredScalar &r = entry.second;
      Id cell = r.fields.empty() ? None : f_.fields[r.fields.back()].cell;
      return r.variable == Id(pt_.objects()[at.object].ref) && cell == at.field;
    });
  }

  /// head = take(): what is computed from them goes with them. False: no more.
  bool computed() {
    bool any = false;
    for (const StaticWrite *w : writes_)
      if (w->value != None &&
          llvm::any_of(pt_.staticValuesIn(pt_.pointsTo(w->value)),
                       [&](Id l) { return isRestored(l); }))
        any |= add(w->variable, w->path, "is computed from what is restored",
                   w->loc);
    return any;
  }

  // count = n; ready = 1: nothing but the load sets the flag, and that does not
  // run again. Elsewhere it may tell of something that is gone with the
  // process: the connection to the log is open.
  void flags() {
    using Number = std::pair<Id, std::vector<Id>>; // variable, path
    std::set<Number> elsewhere;                    // or not to a constant
    std::map<Number, unsigned> times;
    IdSet restoring(out_.load.begin(), out_.load.end());
    for (const StaticWrite &w : f_.staticWrites) {
      if (w.function == None)
        continue;
      if (w.value != None || !pt_.reached().contains(w.function))
        elsewhere.insert({w.variable, w.path});
      if (restores(w))
        restoring.insert(w.function);
    }
    for (const StaticWrite *w : writes_)
      ++times[{w->variable, w->path}];
    std::set<std::string> listed;
    for (const StaticWrite *w : writes_) {
      Number number{w->variable, w->path};
      std::string name = c_.program.nameOf(w->variable, w->path);
      bool alone = !elsewhere.count(number);
      if (found_.count(name))
        continue;
      // Not: loading = 1; ..; loading = 0;
      if (alone && times[number] == 1 && restoring.contains(w->function))
        add(w->variable, w->path, "is set by the load alone", w->loc);
      else if ((alone || isSetting(*w)) && listed.insert(name).second)
        tellSet(*w, name, alone);
    }
    // options[n] = 1: which one says the file.
    for (const StaticWrite *w : elements_)
      if (std::string name = c_.program.nameOf(w->variable, w->path);
          s_.seesFile(w->function) && !found_.count(name) &&
          listed.insert(name).second)
        tellSet(*w, name, false);
  }

  /// Which value it is may be said by the file: a constant where data of it is
  /// seen, or what a function is handed there: set_level(levels[i].number).
  bool isSetting(const StaticWrite &w) {
    if (w.value == None)
      return s_.seesFile(w.function);
    Id param = origin(w.value);
    if (!llvm::is_contained(f_.functions[w.function].params, param))
      return false;
    return llvm::any_of(c_.program.callersOf(w.function), [&](Id k) {
      Id caller = f_.calls[k].function;
      return caller != None && pt_.reached().contains(caller) &&
             (s_.seesFile(caller) ||
              llvm::any_of(f_.functions[caller].params,
                           [&](Id p) { return isText(p); }));
    });
  }

  void tellSet(const StaticWrite &w, const std::string &name, bool alone) {
    out_.notCovered.push_back(
        {"set-by-load", w.loc, w.function,
         name + " is set by the load" + (alone ? " alone, and" : ", but") +
             " not restored: where the program relies on it, name it with "
             "nvm_root()"});
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
  std::vector<const StaticWrite *> writes_;   ///< of numbers, by their names
  std::vector<const StaticWrite *> elements_; ///< of arrays of them
  std::optional<Values> values_;              ///< when they were asked for
  std::map<std::string, RestoredScalar> found_;
  std::set<std::string> counts_; ///< of these, what the load only counts
};

} // namespace

void nvmove::findScalars(const SolveContext &c, const LoadedState &s,
                         Solution &solution) {
  solution.scalars = Restored(c, s, solution).run();
}
