//===- StaticReferents.cpp - Statics that persistent fields point to ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

REPORTS(CodePointer, PointerToLiteral, PointerToStatic, StateInStatic)

using namespace nvmove;

namespace {

using StaticReferentsParts = View<const Types, const FoundRoots, const Scalars,
                                  const Pool, Twins, HoldsLiterals>;

using Object = PointsTo::Object;
using Token = FieldFlow::Token;

constexpr char thisBuild[] =
    ": it is valid in the next run of this build, but another build is refused";

bool pointsToCode(const Facts &f, Id type) {
  while (f.types[type].kind == TypeKind::Array)
    type = f.types[type].inner;
  return f.types[type].kind == TypeKind::Pointer &&
         f.types[f.types[type].inner].kind == TypeKind::Function;
}

class StaticReferentFinder {
public:
  StaticReferentFinder(const SolveContext &c, const LoadedState &s,
                       const PoolMembership &heap, ValueOrigins &origins,
                       const StaticReferentsParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), s_(s), heap_(heap),
        origins_(origins), out_(found), persistent_(c.program, found.types) {}

  void run() {
    for (Id o = 0; o < c_.pointsTo.objects().size(); ++o)
      if (s_.reachable(o) && c_.pointsTo.objects()[o].kind != Object::Variable)
        for (Id l : c_.pointsTo.locationsOf(o))
          findLoaded(l);
    for (Id record : persistent_.records())
      if (!f_.records[record].isUnion)
        for (Id field : f_.records[record].fields)
          findInField(field, {field, nameOf(field), true});
    for (const Root &root : out_.roots)
      if (root.kept())
        findInRoot(root);
    findBehindPointers();
    // A union of many uses, dictEntry.v, may hold whatever any of them does:
    // what is only found there is followed where the member says what it is.
    for (bool typed : {true, false})
      for (Id record : persistent_.records())
        for (Id field : f_.records[record].fields)
          if (f_.records[record].isUnion && isTyped(field) == typed)
            findInField(field, {field, nameOf(field), true, !typed});
    findWritten();
    for (auto &[variable, from] : statics_)
      addStatic(variable, from);
    for (auto &[function, from] : functions_)
      add(f_.functions[function].node, from, false);
    findCutFromStatic();
  }

private:
  /// A persistent field, or a root, that may hold the address.
  struct From {
    Id field = None;
    std::string name;
    bool byFlow = false;     ///< not seen to be put there by the load
    bool isAnything = false; ///< by flow, and a void * or text in a union
  };

  bool isTyped(Id field) const {
    Id type = f_.fields[field].type;
    return pointsToCode(f_, type) || p_.pointeeRecord(type) != None;
  }

  std::string nameOf(Id field) const { return persistent_.nameOf(field); }

  // What the load puts into persistent objects.
  void findLoaded(Id l) {
    Id field = c_.pointsTo.locations()[l].field;
    if (field == None || !persistent_.contains(f_.fields[field].record))
      return;
    s_.writesTo(l).each([&](const LoadedState::Write &w) {
      if (w.value == None || !seen_.insert({field, &w}).second)
        return;
      for (Id t : c_.pointsTo.pointsTo(w.value))
        hold(c_.pointsTo.objects()[c_.pointsTo.locations()[t].object], field,
             w);
    });
  }

  void hold(const Object &target, Id field, const LoadedState::Write &w) {
    From from{field, nameOf(field)};
    if (target.kind == Object::Function && isNamed(target.ref))
      functions_.try_emplace(target.ref, from);
    else if (target.kind == Object::Function)
      out_.findings.report(
          {FindingId::CodePointer, w.loc, w.function,
           from.name + " holds the address of function " +
               f_.functions[target.ref].name +
               ", which is in a library and has another address in every run"});
    else if (target.kind == Object::Variable &&
             f_.nodes[target.ref].kind == NodeKind::Literal)
      addLiteral(target.ref, from, w.loc, w.function);
    else if (target.kind == Object::Variable &&
             f_.nodes[target.ref].kind == NodeKind::Global)
      statics_.try_emplace(target.ref, from);
  }

  /// The program's own, or one of a library that a file of the program takes
  /// the address of: there its name is known. Not where that name is replaced
  /// by one of the runtime.
  bool isNamed(Id function) const {
    const Function &fn = f_.functions[function];
    if (fn.hasBody)
      return true;
    const LibraryFunction *l = libraryFunction(fn.name);
    return !(l && l->form) && !isRuntimeCall(fn.name) &&
           llvm::any_of(f_.addressUses, [&](const AddressUse &use) {
             return p_.functionOf(use.variable) == function &&
                    (use.inHook ||
                     (use.span.valid() && f_.files[use.span.file].editable));
           });
  }

  // Code outside the load may put others there.
  void findInField(Id field, const From &from) {
    Id type = f_.fields[field].type;
    bool code = pointsToCode(f_, type);
    Id pointee = p_.pointeeRecord(type);
    for (unsigned token : c_.flow.inField(field)) {
      const Token &k = c_.flow.tokens()[token];
      if (k.kind == Token::Function && code && isNamed(k.ref))
        functions_.try_emplace(k.ref, from);
      else if (k.kind == Token::Static && pointee != None &&
               p_.recordOf(f_.nodes[k.ref].type) == pointee)
        statics_.try_emplace(k.ref, from);
    }
    findOrigins(origins_.ofField(field), type, from);
    if (!code && pointee == None && p_.isPointer(p_.element(type)))
      for (Id fn : origins_.codeIn(field)) // void *, cast when it is called
        if (isNamed(fn))
          functions_.try_emplace(fn, from);
  }

  void findInRoot(const Root &root) {
    std::vector<Id> fields = root.fields;
    if (root.container != None) {
      fields.clear();
      for (const std::vector<Id> &way : root.containerFields)
        fields.push_back(way.back());
    }
    if (fields.empty())
      findOrigins(origins_.ofVariable(root.variable),
                  f_.nodes[root.variable].type, {None, root.path, true});
    for (Id field : fields)
      findOrigins(origins_.ofMember(field), f_.fields[field].type,
                  {field, root.path, true});
    findInWhole(root);
  }

  /// An array of records comes back with all that its initialiser put there.
  void findInWhole(const Root &root) {
    Id record = p_.recordOf(root.slotType);
    if (root.container != None || record == None)
      return;
    std::string whole =
        p_.nameOf(root.variable, root.fields) +
        (p_.element(root.slotType) == root.slotType ? "" : "[]");
    for (Id part : p_.nested(record))
      for (Id field : f_.records[part].fields) {
        std::string name = whole;
        for (Id k : p_.memberPath(record, field))
          if (!f_.fields[k].name.empty())
            name += "." + f_.fields[k].name;
        findInField(field, {field, name, true});
        findOrigins(origins_.ofMember(field), f_.fields[field].type,
                    {field, name, true});
      }
  }

  // *free_slot = &removed, in a block that is a bare table of pointers, or in a
  // root: no field says what it is.
  void findBehindPointers() {
    IdSet roots, seen;
    for (const Root &root : out_.roots)
      if (root.kept())
        roots.insert(root.variable);
    auto isInRoot = [&](Id address) {
      for (unsigned token : c_.flow.atNode(address))
        if (const Token &k = c_.flow.tokens()[token];
            k.kind == Token::Static && roots.contains(k.ref))
          return true;
      return false;
    };
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && c.src != None && c.dst != None &&
          p_.isPointer(f_.nodes[c.src].type) && !c_.flow.isVariable(c.dst) &&
          c_.flow.isRaw(c_.flow.cellBehind(c.dst, c.src)) &&
          (heap_.holds(c.dst) || isInRoot(c.dst)) && seen.insert(c.src).second)
        findOrigins(origins_.ofVariable(c.src), f_.nodes[c.src].type,
                    {None, "a table of pointers", true});
  }

  void findOrigins(llvm::ArrayRef<ValueOrigins::Origin> origins, Id type,
                   const From &from) {
    if (!p_.isPointer(p_.element(type)) || pointsToCode(f_, type))
      return;
    Id pointee = p_.pointeeRecord(type);
    for (const ValueOrigins::Origin &o : origins) {
      if (o.variable == None)
        continue;
      Id own = p_.recordOf(f_.nodes[o.variable].type);
      bool isLiteral = f_.nodes[o.variable].kind == NodeKind::Literal;
      if (pointee != None &&
          (own == None ? isLiteral : !p_.compatible(own, pointee)))
        continue;
      if (isLiteral)
        addLiteral(o.variable, from, o.loc, o.function);
      else
        statics_.try_emplace(o.variable, from);
    }
  }

  void addLiteral(Id literal, const From &from, Loc loc, Id function) {
    // Members of a union hold the same.
    Id cell = from.field == None ? None : f_.fields[from.field].cell;
    if (!literals_.insert({cell, cell == None ? from.name : ""}).second)
      return;
    out_.holdsLiterals = true;
    const std::string &label = f_.nodes[literal].name;
    out_.findings.report(Finding{
        FindingId::PointerToLiteral, loc, function,
        from.name + " may hold the address of " +
            (label.empty() ? "a string literal" : "label " + label) + thisBuild,
        label.empty() ? ""
                      : "nothing, if each build gets a new pool; "
                        "else keep a number instead"}
                             .about(from.name));
  }

  // By its name, or through a pointer: the head of a list that links go round
  // to.
  void findWritten() {
    for (const StaticWrite &w : f_.staticWrites)
      written_.insert(w.variable);
    for (const StoreSite &store : f_.stores)
      if (store.address != None)
        for (unsigned token : c_.flow.atNode(store.address)) {
          const Token &k = c_.flow.tokens()[token];
          if (k.kind == Token::Static)
            written_.insert(k.ref);
        }
  }

  void addStatic(Id variable, const From &from) {
    const Node &n = f_.nodes[variable];
    std::string why, advice;
    bool byLinker = !n.isDefined && isMadeByLinker(n.name);
    if (byLinker) {
      why = std::string(", which the linker makes") + thisBuild;
      advice = "nothing, if each build gets a new pool; else keep an index "
               "instead";
    } else if (!n.isDefined)
      why = ", which is not defined here";
    else if (n.isThreadLocal)
      why = ", which is thread-local";
    else if (n.isFunctionScope)
      why = std::string(", a static inside a function") + thisBuild;
    else if (from.isAnything)
      why = ", depending on the member of the union in use: the pointer is not "
            "followed, and is dead if the address differs, as in each run of a "
            "position-independent program";
    else
      return add(variable, from,
                 (written_.contains(variable) && !n.isConst) ||
                     (from.byFlow && p_.recordOf(n.type) == None));
    if (!byLinker && !n.isFunctionScope && from.isAnything)
      advice = "nothing, if no persistent object holds it; else give the union "
               "a member of its type";
    // What is not defined here may be in the program all the same.
    out_.holdsLiterals |=
        !n.isThreadLocal && (!n.isDefined || n.isFunctionScope);
    out_.findings.report(Finding{FindingId::PointerToStatic, n.loc, None,
                                 from.name + " may point to " + n.name + why,
                                 std::move(advice)}
                             .about(n.name)
                             .as(byLinker ? Severity::Note : Severity::Check));
  }

  void add(Id variable, const From &from, bool isFollowed) {
    Twin t{variable, {}, from.field, isFollowed, from.name + " points to it"};
    bool isFunction = f_.nodes[variable].kind == NodeKind::Function;
    for (Id u = 0; u < f_.addressUses.size(); ++u) {
      const AddressUse &use = f_.addressUses[u];
      if (isFunction ? p_.functionOf(use.variable) == p_.functionOf(variable)
                     : use.variable == variable) {
        t.uses.push_back(u);
        t.isFollowed |= use.inConstantInitialiser && !use.inHook;
      }
    }
    out_.twins.push_back(std::move(t));
  }

  // char arena[..]: pointers into it would lead to what the next start has
  // there, unless that is kept, too.
  void findCutFromStatic() {
    const PointsTo &pt = c_.pointsTo;
    IdSet pointedTo, whole;
    for (Id l = 0; l < pt.locations().size(); ++l)
      if (s_.reachable(pt.locations()[l].object) && !s_.writesTo(l).empty())
        for (Id t : pt.content(l))
          pointedTo.insert(pt.locations()[t].object);
    for (const Root &root : out_.roots)
      if (root.kept())
        whole.insert(root.variable);
    for (const RestoredScalar &scalar : out_.scalars)
      whole.insert(scalar.variable);
    for (Id o = 0; o < pt.objects().size(); ++o) {
      const Object &object = pt.objects()[o];
      if (object.kind != Object::Variable || !s_.reachable(o) ||
          !pointedTo.contains(o) || whole.contains(object.ref))
        continue;
      const Node &n = f_.nodes[object.ref];
      bool filled =
          n.kind == NodeKind::Global && n.isDefined && !n.isConst &&
          llvm::any_of(pt.locationsOf(o), [&](Id l) { return s_.isNew(l); });
      if (filled && p_.kind(n.type) == TypeKind::Array)
        out_.findings.report(
            {FindingId::StateInStatic, n.loc, None,
             "the load fills parts of " + n.name +
                 " and keeps pointers to them, which the pool cannot keep"});
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const LoadedState &s_;
  const PoolMembership &heap_;
  ValueOrigins &origins_;
  StaticReferentsParts out_;
  const PersistentParts persistent_;
  IdSet written_; ///< variables
  std::map<Id, From> statics_, functions_;
  std::set<std::pair<Id, std::string>> literals_; ///< who holds one
  llvm::DenseSet<std::pair<Id, const LoadedState::Write *>> seen_; // by field
};

} // namespace

namespace nvmove {

void findStaticReferents(StaticReferentsParts a) {
  StaticReferentFinder(a.context, a.state, *a.pool, a.origins(), a).run();
}

} // namespace nvmove
