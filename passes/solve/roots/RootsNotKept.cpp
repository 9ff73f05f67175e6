//===- RootsNotKept.cpp - What looks like a root and is not restored -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slots that the load only looks into or takes elements out of, constants that
// each start makes, memory of libraries, and members that it does not name.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/RootFinder.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(HeadNotKept, LibraryMemory, RootInLocal)

using namespace nvmove;

void RootFinder::reportNotFilled(
    const std::string &root, const MemberDisambiguation::Paths &others,
    llvm::function_ref<std::string(const std::vector<Id> &)> spelled,
    Id variable) {
  for (std::vector<Id> path : others) {
    path.pop_back();
    const std::string head = spelled(path);
    reportHead(variable, head, MemberDisambiguation::notKept(head, root));
  }
}

void RootFinder::reportHead(Id variable, const std::string &path,
                            std::string text, std::string advice,
                            std::string subject) {
  out_.headsReported.insert(variable);
  out_.findings.reportOnce(path, Finding{FindingId::HeadNotKept,
                                         f_.nodes[variable].loc, None,
                                         std::move(text), std::move(advice)}
                                     .about(std::move(subject)));
}

/// What each start makes, and nothing is put into until the load has ended:
/// db->waiting, in which the load looks for who waits. The look-up moves and
/// counts there as it does in those that the load fills.
bool RootFinder::isStillEmpty(Id slot, Id o) {
  return pt_.objects()[o].kind == Object::Preexisting &&
         llvm::none_of(pt_.locationsOf(o),
                       [&](Id l) {
                         return s_.isFlag(l) ||
                                pt_.holdsFileBytes(pt_.content(l));
                       }) &&
         nullness_.staysEmpty(slot,
                              [&](Id field) {
                                return isOfStatics(flow_.inField(field),
                                                   /*functions=*/true);
                              }) &&
         !isFilledBehind(o);
}

/// By what leads to the load, when that has ended: list->head = load().
bool RootFinder::isFilledBehind(Id o) {
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

void RootFinder::ofLibrary(const Root &slot, Id l, Id o) {
  Root *r = add(slot, l, o);
  if (!r)
    return;
  r->notKept = "memory of a library, " + nameOf(o);
  reportOfLibrary(r->path, o, f_.nodes[r->variable].loc, None);
}

std::string RootFinder::nameOf(Id o) const {
  Id record = pt_.objects()[o].record;
  return record == None ? "what it has read" : f_.records[record].spelling;
}

void RootFinder::reportOfLibrary(const std::string &path, Id o, Loc loc,
                                 Id function) {
  out_.findings.report({FindingId::LibraryMemory, loc, function,
                        path + " leads to memory of a library (" + nameOf(o) +
                            "), which the pool cannot keep"});
}

// Fields of persistent records that the load sets to such memory.
void RootFinder::findLibraryMemory() {
  IdSet reported;
  for (Id l = 0; l < pt_.locations().size(); ++l) {
    const auto &at = pt_.locations()[l];
    if (at.field == None || !s_.reachable(at.object) ||
        pt_.objects()[at.object].kind == Object::Variable ||
        pt_.isContainer(at.object) || s_.writesTo(l).empty())
      continue;
    for (Id o : s_.targets(l))
      if (pt_.isContainer(o) && reported.insert(at.field).second) {
        const LoadedState::Write &w = s_.proof(l);
        const Field &field = f_.fields[at.field];
        reportOfLibrary(f_.records[field.record].name + "." + field.name, o,
                        w.loc, w.function);
      }
  }
}

void RootFinder::listOnly(Root &r) {
  const Node &n = f_.nodes[r.variable];
  const std::string &fn = f_.functions[n.function].name;
  std::string why;
  if (n.kind == NodeKind::Return) {
    r.notKept = "a result";
    why = "what " + fn +
          " returns to its callers; name the pointers to it with nvm_root()";
  } else if (pt_.isHandedOver(r.variable)) {
    r.notKept = "a parameter";
    why = "the parameter " + n.name + " of " + fn +
          (pt_.callersKeep() ? "" : ", which events call") +
          "; name a pointer to it with nvm_root()";
  } else {
    r.notKept = Root::InLocal;
    why = "a local variable; make it a static at file scope so that the pool "
          "can "
          "keep it";
  }
  out_.findings.report({FindingId::RootInLocal, n.loc, n.function,
                        r.path + " is reachable from " + why});
}

// Objects made at each start that loaded data point to: constants shared by
// reference. Old data go on pointing to the old ones.
void RootFinder::findConstants() {
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
        Root slot;
        slot.variable = variable;
        if (field != None && record != None)
          slot.fields = p_.memberPath(record, field);
        if (Root *r = add(std::move(slot), l, target))
          r->notKept = "each start creates it anew, while restored data still "
                       "point to the old one";
      }
  }
}

// tab = new(); put(tab, ..): read again, tab may also be what it was before
// the load. The load makes it, so all of it is kept; a slot is one root.
void RootFinder::dropContainersOfRoots() {
  std::set<std::pair<Id, std::vector<Id>>> whole;
  for (const Root &r : roots_)
    if (r.container == None && r.kept())
      whole.insert({r.variable, r.fields});
  llvm::erase_if(roots_, [&](const Root &r) {
    return r.container != None && whole.count({r.variable, r.fields});
  });
}

/// A table that each start makes, and out of which the load only takes: it is
/// met as one with those that the load fills.
void RootFinder::dropEmptied() {
  drop(
      [&](const Root &r) {
        return r.kept() && r.fields.empty() && isOnlyEmptied(r.variable);
      },
      "each start creates what it points to, and the load only removes "
      "elements from that. If the load adds elements through another pointer, "
      "name it with nvm_root()");
}

/// Of all those that are meant, before one is dropped; each is reported.
void RootFinder::drop(llvm::function_ref<bool(const Root &)> isMeant,
                      const char *why) {
  std::vector<Root> left;
  std::vector<bool> meant;
  for (const Root &r : roots_)
    meant.push_back(isMeant(r));
  for (size_t i = 0; i < meant.size(); ++i) {
    Root &r = roots_[i];
    if (!meant[i])
      left.push_back(std::move(r));
    else
      reportHead(r.variable, r.path, r.path + " is not kept: " + why);
  }
  roots_ = std::move(left);
}

/// greeting->text, where the text lies behind the record in one block.
void RootFinder::reportIntoOwn(const std::string &path, Id variable) {
  reportHead(
      variable, path,
      path + " is not kept: it may point into the record itself, which each "
             "start creates anew, and what the load writes there is lost",
      "if the load writes there, keep the record with nvm_root(), and create "
      "it only if the pool has none",
      path);
}

bool RootFinder::isOnlyEmptied(Id variable) {
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
                      ? fillers_.fillsBehind(fn, variable, /*set=*/false)
                      : pt_.isPassing(fn) &&
                            fillers_.fillsBehind(fn, variable, /*set=*/true);
         });
}

/// A list in a static record that the load walks, and puts nothing into: what
/// hangs there is met as one with what hangs in those that it fills through
/// pointers, item->list->head->prev = item.
void RootFinder::dropWalked() {
  drop([&](const Root &r) { return isOnlyWalked(r); },
       "the load only reads what each start has stored there. If objects of "
       "the load are stored there, name it with nvm_root()");
}

bool RootFinder::isOnlyWalked(const Root &r) {
  const Node &n = f_.nodes[r.variable];
  if (!r.kept() || r.container != None || r.fields.empty() ||
      n.kind != NodeKind::Global || !n.isDefined ||
      p_.kind(n.type) != TypeKind::Record || !isFilledElsewhere(r) ||
      isAddressKept(r.variable))
    return false;
  return llvm::none_of(namedBy(r.variable), [&](Id fn) {
    return pt_.reached().contains(fn)
               ? fillers_.fillsBehind(fn, r.variable, /*set=*/false)
               : pt_.isPassing(fn) && handsToLoad(fn, r);
  });
}

/// Or puts something there itself.
bool RootFinder::handsToLoad(Id function, const Root &r) {
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
                                 llvm::is_contained(load_, callee);
                        }) &&
           llvm::any_of(f_.calls[k].args, leads);
  });
}

/// The load does not set it, and what it puts into what hangs there hangs
/// from roots that it sets, too.
bool RootFinder::isFilledElsewhere(const Root &r) const {
  Id l = pt_.find(r.variable, r.fields.back());
  if (l == None || !s_.writesTo(l).empty())
    return false;
  IdSet others; // objects
  for (const Root &other : roots_)
    if (other.kept() && other.container == None && other.variable != r.variable)
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
bool RootFinder::isAddressKept(Id variable) const {
  for (const AddressUse &use : f_.addressUses)
    if (use.variable == variable &&
        (use.interior || use.inConstantInitialiser || use.function == None))
      return true;
  const auto &tokens = flow_.tokens();
  for (unsigned t = 0; t < tokens.size(); ++t)
    if (tokens[t].kind == FieldFlow::Token::Static && tokens[t].ref == variable)
      for (Id cell = 0; cell < flow_.cells(); ++cell)
        if ((cell >= f_.nodes.size() ||
             f_.nodes[cell].kind == NodeKind::Global ||
             f_.nodes[cell].kind == NodeKind::Return) &&
            flow_.atNode(cell).test(t))
          return true;
  return false;
}

/// What it is set to, or its value, is stored elsewhere, too.
bool RootFinder::isHeldElsewhere(Id variable) const {
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

IdSet RootFinder::namedBy(Id variable) const {
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
