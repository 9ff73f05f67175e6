//===- Roots.cpp - From which static memory persistent objects hang -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/facts/StaticNames.h"
#include "passes/solve/FrameLocals.h"
#include "passes/solve/NamedMembers.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;

class RootFinder {
public:
  RootFinder(const SolveContext &c, const LoadedState &s, Solution &solution)
      : s_(s), p_(c.program), f_(c.program.facts), pt_(c.pointsTo),
        flow_(c.flow), unfilled_(c.unfilled), solution_(solution),
        members_(c.program, c.flow, c.pointsTo, /*numbers=*/false),
        frames_(c, s) {
    for (const Constraint &q : f_.constraints)
      if (q.flow == Flow::Index && q.src != None)
        noteIndexed(q.src);
    for (const PersistentType &t : solution.types)
      if (t.isCopy)
        copies_.insert(t.record);
  }

  void run() {
    findStatic();
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || s_.parentOf(o) != None ||
          pt_.objects()[o].kind != Object::Variable)
        continue;
      Id variable = pt_.objects()[o].ref;
      const Node &n = f_.nodes[variable];
      if (n.kind == NodeKind::Global && n.isConst)
        continue;
      std::vector<Id> locations = pt_.locationsOf(o);
      for (Id l : locations)
        slot(variable, l);
    }
    dropContainersOfRoots();
    dropEmptied();
    dropWalked();
    findConstants();
    keepFarFromRoots();
    tellLists();
    frames_.follow(solution_);
    findLibraryMemory();
    llvm::sort(solution_.roots,
               [](const Root &a, const Root &b) { return a.path < b.path; });
  }

private:
  bool isLocalVariable(Id node) const {
    return f_.nodes[node].kind == NodeKind::Local ||
           f_.nodes[node].kind == NodeKind::Return;
  }
  bool isLocal(Id object) const { return frames_.isLocal(object); }

  bool isCopy(Id object) const {
    Id record = pt_.objects()[object].record;
    return record != None && copies_.contains(record);
  }

  // What static memory leads to: a pointer of main's that points there too only
  // walks along it.
  void findStatic() {
    std::vector<Id> work;
    for (Id o = 0; o < pt_.objects().size(); ++o)
      if (pt_.objects()[o].kind == Object::Variable && s_.reachable(o) &&
          !isLocal(o))
        work.push_back(o);
    while (!work.empty()) {
      Id o = work.back();
      work.pop_back();
      for (Id l : pt_.locationsOf(o))
        for (Id target : s_.targets(l))
          if (!isLocal(target) && static_.insert(target).second)
            work.push_back(target);
    }
  }

  bool walksTo(Id variable, Id object) const {
    return isLocalVariable(variable) && static_.contains(object);
  }

  // p[i] where p was loaded from a field or variable: what hangs there is an
  // array.
  void noteIndexed(Id node) {
    for (unsigned depth = 0; depth < 4 && node != None; ++depth) {
      if (f_.nodes[node].kind == NodeKind::Global)
        indexedVariables_.insert(node);
      Id d = p_.definition(node);
      if (f_.nodes[node].kind != NodeKind::Temp || d == None)
        return;
      const Constraint &q = f_.constraints[d];
      if (q.flow == Flow::Load) {
        Id m = p_.definition(q.src);
        if (m != None && f_.constraints[m].flow == Flow::Member)
          indexedFields_.insert(f_.constraints[m].extra);
        return;
      }
      node = q.flow == Flow::Copy || q.flow == Flow::Cast ? q.src : None;
    }
  }

  std::string spell(Id variable, const std::vector<Id> &fields) const {
    std::string s = p_.nameOf(variable);
    if (f_.nodes[variable].kind == NodeKind::Return)
      s += "()";
    for (Id k : fields) {
      s += "." + f_.fields[k].name;
      if (p_.kind(f_.fields[k].type) == TypeKind::Array)
        s += "[]";
    }
    return s;
  }

  void slot(Id variable, Id l) {
    Id field = pt_.locations()[l].field;
    const Node &n = f_.nodes[variable];
    Id record = p_.recordOf(n.type);
    if (field == None || record == None || p_.kind(n.type) == TypeKind::Array)
      return slot(variable, {}, l);
    NamedMembers::Ways ways = members_.waysTo(record, field);
    size_t before = solution_.roots.size();
    for (const std::vector<Id> &path : ways.filled)
      slot(variable, path, l);
    if (solution_.roots.size() > before && solution_.roots.back().kept())
      tellNotFilled(
          solution_.roots.back().path, ways.others,
          [&](const auto &head) { return spell(variable, head); }, n.loc);
  }

  void tellNotFilled(
      const std::string &root, const NamedMembers::Paths &others,
      llvm::function_ref<std::string(const std::vector<Id> &)> spelled,
      Loc loc) {
    for (std::vector<Id> path : others) {
      path.pop_back();
      if (std::string head = spelled(path); told_.insert(head).second)
        solution_.notCovered.push_back(
            {"head-not-kept", loc, None, NamedMembers::tell(head, root)});
    }
  }

  void slot(Id variable, const std::vector<Id> &fields, Id l) {
    Id field = pt_.locations()[l].field;
    const Node &n = f_.nodes[variable];
    Id record = p_.recordOf(n.type);
    Id slotType = fields.empty() ? n.type : f_.fields[fields.back()].type;
    // An array of records is kept whole: its elements have no names.
    bool whole = p_.kind(n.type) == TypeKind::Array && record != None;
    std::string path =
        spell(variable, fields) +
        (whole && field != None ? "[]." + f_.fields[field].name : "");
    if (whole && s_.isNew(l)) {
      add(variable, {}, n.type, None, {}, path, l, None);
      return;
    }
    for (Id o : s_.targets(l)) {
      if ((field == None || !s_.isLoaded(o)) && walksTo(variable, o))
        continue;
      Object::Kind kind = pt_.objects()[o].kind;
      if (isChosen(variable, l, o)) {
        add(variable, fields, slotType, None, {}, path, l, o);
      } else if (pt_.isOfLibrary(o)) {
        bool isStatic = n.kind == NodeKind::Global;
        if (pt_.isContainer(o)
                ? (isStatic || pt_.isMadeByLibrary(o)) &&
                      s_.isLoadedValue(pt_.givenWith(pt_.objects()[o].record))
                : isStatic && !s_.writesTo(l).empty())
          ofLibrary(variable, fields, slotType, path, l, o);
      } else if (s_.writesTo(l).empty() &&
                 isStillEmpty(
                     fields.empty() ? variable : p_.slotOf(fields.back()), o)) {
        continue;
      } else if ((kind == Object::Heap || kind == Object::Preexisting) &&
                 (s_.isLoaded(o) || isCopy(o))) {
        add(variable, fields, slotType, None, {}, path, l, o);
      } else if (kind == Object::Preexisting &&
                 pt_.objects()[o].record != None) {
        bool indexed = fields.empty() ? indexedVariables_.contains(variable)
                                      : indexedFields_.contains(fields.back());
        through(variable, fields, slotType, path + (indexed ? "[]." : "->"), o);
      }
    }
  }

  /// What each start makes, and nothing is put into until the load has ended:
  /// db->waiting, in which the load looks for who waits. The look-up moves and
  /// counts there as it does in those that the load fills.
  bool isStillEmpty(Id slot, Id o) {
    return pt_.objects()[o].kind == Object::Preexisting &&
           llvm::none_of(pt_.locationsOf(o),
                         [&](Id l) {
                           return s_.isFlag(l) ||
                                  pt_.holdsFileBytes(pt_.content(l));
                         }) &&
           unfilled_.staysEmpty(slot,
                                [&](Id field) {
                                  return isOfStatics(flow_.inField(field),
                                                     /*functions=*/true);
                                }) &&
           !isFilledBehind(o);
  }

  /// By what leads to the load, when that has ended: list->head = load().
  bool isFilledBehind(Id o) {
    if (filledBehind_.empty()) {
      filledBehind_.insert(None);
      for (const Constraint &c : f_.constraints)
        if ((c.flow == Flow::Store || c.flow == Flow::CopyMemory) &&
            c.function != None && c.dst != None && pt_.isPassing(c.function))
          for (Id l : pt_.pointsTo(c.dst))
            if (pt_.isMemory(l))
              filledBehind_.insert(pt_.locations()[l].object);
    }
    std::vector<Id> work{o};
    for (IdSet seen{o}; !work.empty();) {
      Id at = work.back();
      work.pop_back();
      if (filledBehind_.contains(at))
        return true;
      for (Id l : pt_.locationsOf(at))
        for (Id t : s_.targets(l))
          if (pt_.objects()[t].kind == Object::Preexisting &&
              seen.insert(t).second)
            work.push_back(t);
    }
    return false;
  }

  /// here = &rooms[n]: which one is data of the file, where functions that see
  /// such data say so. The pointer finds the static again (Twins.cpp).
  bool isChosen(Id variable, Id l, Id o) {
    const Object &object = pt_.objects()[o];
    if (object.kind != Object::Variable || object.record == None ||
        f_.nodes[object.ref].kind != NodeKind::Global ||
        f_.nodes[variable].kind != NodeKind::Global)
      return false;
    return s_.writesTo(l).any([&](const LoadedState::Write &w) {
      if (!w.direct || w.value == None || !s_.seesFile(w.function))
        return false;
      for (Id t : pt_.pointsTo(w.value))
        if (pt_.isMemory(t) && pt_.locations()[t].object == o)
          return true;
      return false;
    });
  }

  void ofLibrary(Id variable, const std::vector<Id> &fields, Id slotType,
                 const std::string &path, Id l, Id o) {
    size_t before = solution_.roots.size();
    add(variable, fields, slotType, None, {}, path, l, o);
    if (solution_.roots.size() == before)
      return;
    solution_.roots.back().notKept = "memory of a library, " + nameOf(o);
    tellOfLibrary(path, o, f_.nodes[variable].loc, None);
  }

  std::string nameOf(Id o) const {
    Id record = pt_.objects()[o].record;
    return record == None ? "what it has read" : f_.records[record].spelling;
  }

  void tellOfLibrary(const std::string &path, Id o, Loc loc, Id function) {
    solution_.notCovered.push_back(
        {"library-memory", loc, function,
         path + " leads to memory of a library (" + nameOf(o) +
             "), which the pool cannot keep: make it when the program starts "
             "and fill it from what the pool keeps, or use a structure of the "
             "program"});
  }

  // Fields of persistent records that the load sets to such memory.
  void findLibraryMemory() {
    IdSet told;
    for (Id l = 0; l < pt_.locations().size(); ++l) {
      const auto &at = pt_.locations()[l];
      if (at.field == None || !s_.reachable(at.object) ||
          pt_.objects()[at.object].kind == Object::Variable ||
          pt_.isContainer(at.object) || s_.writesTo(l).empty())
        continue;
      for (Id o : s_.targets(l))
        if (pt_.isContainer(o) && told.insert(at.field).second) {
          const LoadedState::Write &w = s_.proof(l);
          const Field &field = f_.fields[at.field];
          tellOfLibrary(f_.records[field.record].name + "." + field.name, o,
                        w.loc, w.function);
        }
    }
  }

  // One hop through a record that the program makes at each start.
  void through(Id variable, const std::vector<Id> &fields, Id slotType,
               const std::string &prefix, Id o) {
    std::vector<Id> locations = pt_.locationsOf(o);
    inLists_[prefix] |= hangsFromLike(o);
    for (Id l : locations) {
      Id field = pt_.locations()[l].field;
      if (field == None)
        continue;
      for (Id q : s_.targets(l)) {
        Object::Kind kind = pt_.objects()[q].kind;
        if ((kind != Object::Heap && kind != Object::Preexisting) ||
            !s_.isLoaded(q) || (fields.empty() && walksTo(variable, q)) ||
            (s_.writesTo(l).empty() && isStillEmpty(p_.slotOf(field), q)))
          continue;
        Id record = pt_.objects()[o].record;
        NamedMembers::Ways ways = members_.waysTo(record, field);
        for (const std::vector<Id> &way : ways.filled)
          add(variable, fields, slotType, record, way,
              prefix + nameOfWay(f_, way), l, q);
        tellNotFilled(
            prefix + nameOfWay(f_, ways.filled.front()), ways.others,
            [&](const auto &head) { return prefix + nameOfWay(f_, head); },
            f_.nodes[variable].loc);
      }
    }
  }

  /// All that the program ever puts there are addresses of statics, say a table
  /// of what is saved: the next run puts its own there. Or of `functions`.
  bool isOfStatics(const FieldFlow::Set &held, bool functions = false) const {
    for (unsigned t : held)
      if (FieldFlow::Token::Kind kind = flow_.tokens()[t].kind;
          kind != FieldFlow::Token::Static &&
          !(functions && kind == FieldFlow::Token::Function))
        return false;
    return !held.empty();
  }

  bool leadsToStatics(Id variable, const std::vector<Id> &fields, Id at) const {
    Id field = pt_.locations()[at].field;
    return isOfStatics(flow_.inSlot(variable, fields)) ||
           (field != None && isOfStatics(flow_.inField(field)));
  }

  void add(Id variable, const std::vector<Id> &fields, Id slotType,
           Id container, const std::vector<Id> &inContainer,
           const std::string &path, Id at, Id target) {
    bool isStatic =
        target != None && pt_.objects()[target].kind == Object::Variable;
    if ((!isStatic && leadsToStatics(variable, fields, at)) ||
        !seen_.insert(path).second)
      return;
    Root r;
    r.path = path;
    r.variable = variable;
    r.fields = fields;
    r.slotType = slotType;
    r.container = container;
    if (container != None)
      r.containerFields = {inContainer};
    auto writes = [&](const LoadedState::Write &w, std::string what) {
      r.witness.function = w.function;
      r.witness.site = w.loc;
      r.witness.callPath = s_.callPathTo(w.function);
      r.witness.action = "writes " + what;
    };
    if (!s_.writesTo(at).empty()) {
      writes(s_.proof(at), path);
    } else if (Id inside = target == None ? None : filled(target);
               inside != None) {
      const Field &field = f_.fields[pt_.locations()[inside].field];
      writes(s_.proof(inside),
             f_.records[field.record].name + "." + field.name);
    } else if (target != None) {
      r.witness.site = f_.nodes[variable].loc;
      r.witness.action = "leads to " + pt_.describe(target);
    }
    r.witness.chain = {{path, target == None ? "" : pt_.describe(target),
                        r.witness.function, r.witness.site,
                        r.witness.function != None}};
    if (isLocalVariable(variable)) {
      // Of the one record that main made, by value.
      llvm::StringRef head(path);
      r.keepsValues =
          container != None &&
          head.consume_back(nameOfWay(f_, r.containerFields.front())) &&
          head.ends_with("->");
      if (!frames_.canKeep(variable) || (container != None && !r.keepsValues))
        listOnly(r);
    }
    solution_.roots.push_back(std::move(r));
  }

  void listOnly(Root &r) {
    const Node &n = f_.nodes[r.variable];
    const std::string &fn = f_.functions[n.function].name;
    std::string why;
    if (n.kind == NodeKind::Return) {
      r.notKept = "a result";
      why = "what " + fn +
            " gives back to its callers; name what keeps it to "
            "the pool with nvm_root()";
    } else if (pt_.isHandedOver(r.variable)) {
      r.notKept = "a parameter";
      why = "the parameter " + n.name + " of " + fn +
            (pt_.callersKeep() ? "" : ", which events call") +
            "; name what leads there to the pool with nvm_root()";
    } else {
      r.notKept = Root::InLocal;
      why = "a local variable; make it a static at file scope so that the pool "
            "can "
            "keep it";
    }
    solution_.notCovered.push_back(
        {"root-in-local", n.loc, n.function, r.path + " hangs from " + why});
  }

  // A member of the object that the load fills.
  Id filled(Id object) const {
    for (Id l : pt_.locationsOf(object))
      if (pt_.locations()[l].field != None && s_.isNew(l))
        return l;
    return None;
  }

  // Objects made at each start that loaded data point to: constants shared by
  // reference. Old data go on pointing to the old ones.
  void findConstants() {
    IdSet pointedTo, values;
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || !s_.isLoaded(o))
        continue;
      for (Id l : pt_.locationsOf(o))
        s_.writesTo(l).each([&](const LoadedState::Write &w) {
          if (w.value != None && values.insert(w.value).second)
            for (Id t : pt_.pointsTo(w.value))
              if (pt_.isMemory(t))
                pointedTo.insert(pt_.locations()[t].object);
        });
    }
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (pt_.objects()[o].kind != Object::Variable || s_.parentOf(o) != None ||
          !s_.reachable(o))
        continue;
      Id variable = pt_.objects()[o].ref;
      if (f_.nodes[variable].kind != NodeKind::Global ||
          !f_.nodes[variable].isDefined)
        continue;
      for (Id l : pt_.locationsOf(o))
        for (Id t : pt_.content(l)) {
          Id target = pt_.locations()[t].object;
          const Object &object = pt_.objects()[target];
          if (object.kind != Object::Preexisting || object.record == None ||
              pt_.isContainer(target) || s_.isLoaded(target) ||
              !pointedTo.contains(target))
            continue;
          Id field = pt_.locations()[l].field;
          Id record = p_.recordOf(f_.nodes[variable].type);
          std::vector<Id> fields;
          if (field != None && record != None)
            fields = p_.memberPath(record, field);
          size_t before = solution_.roots.size();
          add(variable, fields, None, None, {}, spell(variable, fields), l,
              target);
          if (solution_.roots.size() > before)
            solution_.roots.back().notKept =
                "made anew at each start, old data "
                "go on pointing to the old one";
        }
    }
  }

  // tab = new(); put(tab, ..): read again, tab may also be what it was before
  // the load. The load makes it, so all of it is kept; a slot is one root.
  void dropContainersOfRoots() {
    std::set<std::pair<Id, std::vector<Id>>> whole;
    for (const Root &r : solution_.roots)
      if (r.container == None && r.kept())
        whole.insert({r.variable, r.fields});
    llvm::erase_if(solution_.roots, [&](const Root &r) {
      return r.container != None && whole.count({r.variable, r.fields});
    });
  }

  /// A table that each start makes, and out of which the load only takes: it is
  /// met as one with those that the load fills.
  void dropEmptied() {
    Fillers fillers(p_, flow_, /*numbers=*/true);
    llvm::erase_if(solution_.roots, [&](const Root &r) {
      if (!r.kept() || !r.fields.empty() || !isOnlyEmptied(r.variable, fillers))
        return false;
      if (told_.insert(r.path).second)
        solution_.notCovered.push_back(
            {"head-not-kept", f_.nodes[r.variable].loc, None,
             r.path +
                 " is not kept: each start makes what it leads to, and the "
                 "load only takes elements out of that. If it puts some there "
                 "through another pointer, name it with nvm_root()"});
      return true;
    });
  }

  bool isOnlyEmptied(Id variable, Fillers &fillers) {
    const Node &n = f_.nodes[variable];
    Id l = pt_.find(variable, None);
    if (n.kind != NodeKind::Global || !p_.isPointer(n.type) ||
        p_.isAddressTaken(variable) || (l != None && !s_.writesTo(l).empty()) ||
        isHeldElsewhere(variable))
      return false;
    const IdSet users = namedBy(variable);
    bool isNamed =
        llvm::any_of(users, [&](Id fn) { return pt_.reached().contains(fn); });
    return isNamed && llvm::none_of(users, [&](Id fn) {
             return pt_.reached().contains(fn)
                        ? fillers.fillsBehind(fn, variable, /*set=*/false)
                        : pt_.isPassing(fn) &&
                              fillers.fillsBehind(fn, variable, /*set=*/true);
           });
  }

  /// A list in a static record that the load walks, and puts nothing into: what
  /// hangs there is met as one with what hangs in those that it fills through
  /// pointers, item->list->head->prev = item.
  void dropWalked() {
    Fillers fillers(p_, flow_, /*numbers=*/true);
    std::vector<std::string> walked;
    for (const Root &r : solution_.roots)
      if (isOnlyWalked(r, fillers))
        walked.push_back(r.path);
    llvm::erase_if(solution_.roots, [&](const Root &r) {
      if (!llvm::is_contained(walked, r.path))
        return false;
      if (told_.insert(r.path).second)
        solution_.notCovered.push_back(
            {"head-not-kept", f_.nodes[r.variable].loc, None,
             r.path + " is not kept: the load only looks at what each start "
                      "has put there. If objects of the load get there, name "
                      "it with nvm_root()"});
      return true;
    });
  }

  bool isOnlyWalked(const Root &r, Fillers &fillers) {
    const Node &n = f_.nodes[r.variable];
    if (!r.kept() || r.container != None || r.fields.empty() ||
        n.kind != NodeKind::Global || !n.isDefined ||
        p_.kind(n.type) != TypeKind::Record || !isFilledElsewhere(r) ||
        isAddressKept(r.variable))
      return false;
    return llvm::none_of(namedBy(r.variable), [&](Id fn) {
      return pt_.reached().contains(fn)
                 ? fillers.fillsBehind(fn, r.variable, /*set=*/false)
                 : pt_.isPassing(fn) && handsToLoad(fn, r);
    });
  }

  /// Or puts something there itself.
  bool handsToLoad(Id function, const Root &r) {
    Id variable = pt_.locations()[pt_.find(r.variable, r.fields.back())].object;
    if (isFilledBehind(variable))
      return true;
    auto leads = [&](Id a) {
      if (a != None)
        for (Id l : pt_.pointsTo(a))
          if (pt_.isMemory(l) && pt_.locations()[l].object == variable)
            return true;
      return false;
    };
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      return llvm::any_of(flow_.callees(k),
                          [&](Id callee) {
                            return pt_.isPassing(callee) ||
                                   llvm::is_contained(solution_.load, callee);
                          }) &&
             llvm::any_of(f_.calls[k].args, leads);
    });
  }

  /// The load does not set it, and what it puts into what hangs there hangs
  /// from roots that it sets, too.
  bool isFilledElsewhere(const Root &r) const {
    Id l = pt_.find(r.variable, r.fields.back());
    if (l == None || !s_.writesTo(l).empty())
      return false;
    IdSet others; // objects
    for (const Root &other : solution_.roots)
      if (other.kept() && other.container == None &&
          other.variable != r.variable)
        if (Id at = pt_.find(other.variable,
                             other.fields.empty() ? None : other.fields.back());
            at != None && !s_.writesTo(at).empty())
          for (Id o : s_.targets(at))
            others.insert(o);
    return llvm::all_of(s_.targets(l), [&](Id o) {
      return pt_.objects()[o].kind == Object::Preexisting &&
             (!s_.isLoaded(o) || others.contains(o));
    });
  }

  /// Anything but parameters holds the address of the variable, or one of a
  /// member of it is taken.
  bool isAddressKept(Id variable) const {
    for (const AddressUse &use : f_.addressUses)
      if (use.variable == variable &&
          (use.interior || use.inConstantInitialiser || use.function == None))
        return true;
    const auto &tokens = flow_.tokens();
    for (unsigned t = 0; t < tokens.size(); ++t)
      if (tokens[t].kind == FieldFlow::Token::Static &&
          tokens[t].ref == variable)
        for (Id cell = 0; cell < flow_.cells(); ++cell)
          if ((cell >= f_.nodes.size() ||
               f_.nodes[cell].kind == NodeKind::Global ||
               f_.nodes[cell].kind == NodeKind::Return) &&
              flow_.atNode(cell).test(t))
            return true;
    return false;
  }

  /// What it is set to, or its value, is stored elsewhere, too.
  bool isHeldElsewhere(Id variable) const {
    IdSet same;
    same.insert(variable);
    for (const StaticWrite &w : f_.staticWrites)
      if (w.variable == variable && w.path.empty() && w.value != None)
        same.insert(w.value);
    return llvm::any_of(f_.constraints, [&](const Constraint &c) {
      return c.src != None && same.contains(c.src) &&
             (c.flow == Flow::Store ||
              (c.dst != None && c.dst != variable &&
               f_.nodes[c.dst].kind == NodeKind::Global));
    });
  }

  IdSet namedBy(Id variable) const {
    IdSet result;
    for (const Constraint &c : f_.constraints)
      if (c.function != None && (c.src == variable || c.dst == variable))
        result.insert(c.function);
    for (const Call &c : f_.calls)
      if (c.function != None &&
          (c.target == variable || llvm::is_contained(c.args, variable)))
        result.insert(c.function);
    return result;
  }

  // Records that each start makes before the load, which restores what hangs
  // from them, behind more than one pointer.
  void keepFarFromRoots() {
    IdSet whole; // locations
    for (const Root &r : solution_.roots)
      if (r.kept() && r.container == None)
        whole.insert(
            pt_.find(r.variable, r.fields.empty() ? None : r.fields.back()));
    for (Id v = 0; v < pt_.objects().size(); ++v) {
      const Object &variable = pt_.objects()[v];
      if (variable.kind != Object::Variable || !s_.reachable(v) ||
          s_.parentOf(v) != None ||
          f_.nodes[variable.ref].kind != NodeKind::Global)
        continue;
      std::vector<Id> slots = pt_.locationsOf(v);
      for (Id slot : slots)
        for (Id o : s_.targets(slot))
          if (whole.contains(slot)
                  ? pt_.objects()[o].kind == Object::Preexisting
                  : isMadeAnew(o))
            for (Id member : pt_.locationsOf(o)) {
              IdSet seen;
              seen.insert(o);
              std::vector<Id> way{slot, member};
              keepFarAlong(way, seen, !whole.contains(slot));
            }
    }
  }

  /// By each start, before the load, which fills none of it.
  bool isMadeAnew(Id o) const {
    const Object &object = pt_.objects()[o];
    return object.kind == Object::Preexisting && object.record != None &&
           !pt_.isContainer(o) && !s_.isLoaded(o);
  }

  /// The way, of locations that hold pointers, leads on to what the load fills.
  void keepFarAlong(std::vector<Id> &way, IdSet &seen, bool addsRoot) {
    if (pt_.locations()[way.back()].field == None || way.size() > 5)
      return;
    std::vector<Id> targets;
    for (Id o : s_.targets(way.back()))
      targets.push_back(o);
    for (Id o : targets) {
      bool isFilled = pt_.objects()[o].kind == Object::Preexisting &&
                      !pt_.isContainer(o) && s_.isLoaded(o);
      if (isFilled && way.size() > 2)
        keepAlong(way, addsRoot);
      if (!isMadeAnew(o) || !seen.insert(o).second)
        continue;
      std::vector<Id> members = pt_.locationsOf(o);
      for (Id member : members) {
        way.push_back(member);
        keepFarAlong(way, seen, addsRoot);
        way.pop_back();
      }
    }
  }

  /// server->users->slots: where there is one of each, the outermost keeps its
  /// pointer, and what that leads to is persistent.
  void keepAlong(const std::vector<Id> &way, bool addsRoot) {
    for (Id l : way)
      if (!isOne(l) || (l != way.back() && isIndexed(l)))
        return;
    const Root *root = addsRoot ? rootAlong(way) : keptAt(way[0]);
    if (!root)
      return;
    for (size_t i = 2; i < way.size(); ++i) {
      PersistentType type;
      type.record = pt_.objects()[pt_.locations()[way[i]].object].record;
      type.witness = root->witness;
      if (llvm::none_of(solution_.types, [&](const PersistentType &t) {
            return t.record == type.record;
          }))
        solution_.types.push_back(std::move(type));
    }
  }

  const Root *keptAt(Id slot) const {
    for (const Root &r : solution_.roots)
      if (r.kept() && r.container == None &&
          pt_.find(r.variable, r.fields.empty() ? None : r.fields.back()) ==
              slot)
        return &r;
    return nullptr;
  }

  const Root *rootAlong(const std::vector<Id> &way) {
    Id variable = pt_.objects()[pt_.locations()[way[0]].object].ref;
    Id head = pt_.locations()[way[0]].field,
       record = p_.recordOf(f_.nodes[variable].type),
       member = pt_.locations()[way[1]].field;
    std::vector<Id> fields;
    if (head != None && record != None)
      fields = p_.memberPath(record, head);
    size_t before = solution_.roots.size();
    add(variable, fields, p_.typeOf(variable, fields),
        pt_.objects()[pt_.locations()[way[1]].object].record, {member},
        spell(variable, fields) + "->" + f_.fields[member].name, way[1],
        pt_.locations()[way[2]].object);
    return solution_.roots.size() == before ? nullptr : &solution_.roots.back();
  }

  /// The location's object is a variable, or one record, of which no list is
  /// seen.
  bool isOne(Id l) const {
    Id o = pt_.locations()[l].object;
    const Object &object = pt_.objects()[o];
    if (object.kind == Object::Variable) {
      Id type = f_.nodes[object.ref].type;
      return p_.element(type) == type;
    }
    if (object.record == None || pt_.locations()[l].field == None ||
        pt_.isContainer(o))
      return false;
    return !hangsFromLike(o);
  }

  bool hangsFromLike(Id object) const {
    for (Id l : pt_.locationsOf(object))
      for (Id target : s_.targets(l))
        if (pt_.objects()[target].record == pt_.objects()[object].record)
          return true;
    return false;
  }

  /// modules->data, where more modules hang from modules->next.
  void tellLists() {
    for (const Root &r : solution_.roots) {
      if (!r.kept() || r.container == None)
        continue;
      std::string field = nameOfWay(f_, r.containerFields.front());
      llvm::StringRef prefix(r.path);
      if (prefix.consume_back(field) && prefix.ends_with("->") &&
          inLists_[prefix.str()])
        solution_.notCovered.push_back(
            {"made-at-each-start", f_.nodes[r.variable].loc, None,
             r.path + " is kept of one " + f_.records[r.container].spelling +
                 ", and others hang from it, which each start makes anew: "
                 "what the load restores behind them is lost; keep the first "
                 "one itself with nvm_root(), and do not make them again when "
                 "the pool has them"});
    }
  }

  /// What hangs there is an array.
  bool isIndexed(Id l) const {
    const auto &at = pt_.locations()[l];
    return at.field == None
               ? indexedVariables_.contains(pt_.objects()[at.object].ref)
               : indexedFields_.contains(at.field);
  }

  const LoadedState &s_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const FieldFlow &flow_;
  const Unfilled &unfilled_;
  Solution &solution_;
  NamedMembers members_;
  FrameLocals frames_;
  IdSet copies_; ///< records: PersistentType::isCopy
  IdSet indexedFields_, indexedVariables_;
  IdSet static_;                        ///< objects
  IdSet filledBehind_;                  ///< objects, and None, once asked
  std::map<std::string, bool> inLists_; ///< containers, by the path to them
  std::set<std::string> seen_, told_;
};

} // namespace

void nvmove::findRoots(const SolveContext &context, const LoadedState &state,
                       Solution &solution) {
  RootFinder(context, state, solution).run();
}
