//===- EmptyContainerProof.cpp - Nothing is put into what slots lead to ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/EmptyContainerProof.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
// A proof that needs more is not worth having: it seldom succeeds.
constexpr size_t MaxUsers = 60, MaxActivations = 500, MaxWork = 300'000;
} // namespace

EmptyContainerProof::EmptyContainerProof(
    const Program &program, const Allocators &allocators, const FieldFlow &flow,
    const IdSet &late, const IdSet &lateWrites, llvm::ArrayRef<Id> slots,
    llvm::ArrayRef<Id> users, bool isCoarse)
    : p_(program), a_(allocators), flow_(flow), late_(late),
      lateWrites_(lateWrites), slots_(slots.begin(), slots.end()),
      isCoarse_(isCoarse), inSlot_(slots.size()) {
  failed_ = users.size() > MaxUsers;
  if (failed_)
    return;
  users_.insert(users.begin(), users.end());
  for (Id fn : users)
    visit(fn, 0);
  analyse();
}

void EmptyContainerProof::analyse() {
  // What a call is handed is known only at the end; until then a call that is
  // handed nothing to follow gives nothing.
  settle();
  settled_ = true;
  settle();
  // Who is handed the container by a function that was not told of it?
  for (Id fn : users_)
    if (Id r = p_.facts.functions[fn].result;
        r != None && leadsToContainer(at(r)))
      fail();
}

void EmptyContainerProof::settle() {
  do {
    changed_ = false;
    for (size_t i = 0; i < activations_.size() && !failed_; ++i) {
      Id function = activations_[i].function;
      context_ = activations_[i].context;
      for (Id k : p_.constraintsOf(function))
        if (!lateWrites_.contains(k))
          constraint(p_.facts.constraints[k]);
      for (Id k : p_.callsOf(function))
        call(k);
      work_ += p_.constraintsOf(function).size();
      if (!failed_ && (activations_.size() > MaxActivations || work_ > MaxWork))
        failed_ = ranOut_ = true;
    }
  } while (changed_ && !failed_);
  context_ = 0;
}

bool EmptyContainerProof::isNull(Id node) const {
  if (unsigned v = slotValue(node); v != Other)
    return inSlot_[v - 1].empty();
  if (p_.facts.nodes[node].kind == NodeKind::Global)
    return false;
  auto sets = setsOf_.find(node);
  return sets == setsOf_.end() ||
         llvm::all_of(sets->second, [](const Set *s) { return s->empty(); });
}

bool EmptyContainerProof::isEmpty(llvm::function_ref<bool(Id)> isOut) const {
  auto holds = [&](unsigned cell) {
    Id field = cellOf(cell).field;
    return contents_[cell - slots_.size() - 1].contains(Other) &&
           (field == None || !isOut(field));
  };
  auto isContainer = [](const Object &o) { return !o.onStack; };
  return llvm::any_of(objects_, isContainer) &&
         llvm::all_of(objects_, [&](const Object &o) {
           return o.onStack || (o.known && llvm::none_of(o.cells, holds));
         });
}

unsigned EmptyContainerProof::contextOf(Id call) {
  auto [at, fresh] =
      contexts_.try_emplace({lastCall_[context_], call}, lastCall_.size());
  if (fresh)
    lastCall_.push_back(call);
  return at->second;
}

void EmptyContainerProof::visit(Id function, unsigned context) {
  if (!visited_.insert({function, context}).second)
    return;
  activations_.push_back({function, context});
  changed_ = true;
  if (p_.facts.functions[function].hasInlineAsm)
    return fail();
  // Of those who use the slot nothing is known about their arguments.
  if (context == 0) {
    for (Id param : p_.facts.functions[function].params)
      add(param, {Other}, 0);
    if (Id v = p_.facts.functions[function].variadic; v != None)
      add(v, {Other}, 0);
  }
}

Id EmptyContainerProof::object(Id key, bool onStack) {
  auto [at, fresh] = objectIds_.try_emplace(
      {key, onStack, onStack ? context_ : 0}, Id(objects_.size()));
  if (fresh)
    objects_.push_back({onStack});
  return at->second;
}

unsigned EmptyContainerProof::cell(Id object, Id field) {
  auto [at, fresh] = cellIds_.try_emplace(
      {object, field}, unsigned(cells_.size() + slots_.size() + 1));
  if (fresh) {
    cells_.push_back({object, field});
    contents_.emplace_back();
    objects_[object].cells.push_back(at->second);
  }
  return at->second;
}

EmptyContainerProof::Set &EmptyContainerProof::at(Id node, unsigned context) {
  // A global other than the slot may hold anything.
  static Set other;
  if (unsigned v = slotValue(node); v != Other)
    return inSlot_[v - 1];
  if (p_.facts.nodes[node].kind == NodeKind::Global) {
    other = {Other};
    return other;
  }
  auto [at, fresh] = setAt_.try_emplace({node, context}, nullptr);
  if (fresh) {
    at->second = &sets_.emplace_back();
    setsOf_[node].push_back(at->second);
  }
  return *at->second;
}

void EmptyContainerProof::add(Id node, const Set &what, unsigned context) {
  if (node == None || what.empty())
    return;
  bool slot = slotValue(node) != Other;
  if (!slot && p_.facts.nodes[node].kind == NodeKind::Global)
    return giveAway(what);
  if (slot && (what.contains(Other) || leadsToSlot(what)))
    return fail(); // a container from elsewhere
  Set &set = at(node, context);
  size_t before = set.size();
  set.insert(what.begin(), what.end());
  changed_ |= set.size() != before;
}

void EmptyContainerProof::addTo(unsigned cell, const Set &what) {
  Set &set = contentOf(cell);
  size_t before = set.size();
  set.insert(what.begin(), what.end());
  changed_ |= set.size() != before;
}

/// Any value that is not Other.
bool EmptyContainerProof::isTracked(const Set &values) const {
  return !values.empty() && *values.rbegin() != Other;
}

bool EmptyContainerProof::leadsToContainer(const Set &values) const {
  return llvm::any_of(values, [&](unsigned v) {
    return isSlot(v) || (isCell(v) && !objectOf(v).onStack);
  });
}

/// The values are seen by code that is not followed.
void EmptyContainerProof::giveAway(const Set &values) {
  if (leadsToContainer(values))
    return fail();
  for (unsigned v : values)
    if (isCell(v)) {
      Object &o = objects_[cellOf(v).object];
      changed_ |= o.known;
      o.known = false;
      for (unsigned cell : o.cells)
        if (leadsToContainer(contentOf(cell)))
          return fail();
    }
}

/// One is among the values, or in what records on the stack lead to, or one of
/// these was handed over with one: an iterator of an empty list. These records
/// are in `onStack`.
bool EmptyContainerProof::meetsContainer(const Set &values,
                                         Set &onStack) const {
  bool meets = false;
  std::vector<unsigned> work(values.begin(), values.end());
  while (!work.empty()) {
    unsigned v = work.back();
    work.pop_back();
    meets |= leadsToContainer({v});
    if (!isCell(v) || !objectOf(v).onStack || !onStack.insert(v).second)
      continue;
    meets |= objectOf(v).hasMet;
    for (unsigned cell : objectOf(v).cells)
      work.insert(work.end(), contentOf(cell).begin(), contentOf(cell).end());
  }
  return meets;
}

void EmptyContainerProof::load(Id dst, const Set &from) {
  for (unsigned v : from) {
    if (v == Other) {
      add(dst, {Other});
    } else if (isSlot(v)) {
      add(dst, Set(inSlot_[v - 1]));
    } else {
      const Id field = cellOf(v).field;
      const Object &o = objectOf(v);
      if (!o.known)
        add(dst, {Other});
      // A load of the whole, or of a part that was written as a whole.
      for (unsigned cell : o.cells)
        if (Id k = cellOf(cell).field; k == field || k == None || field == None)
          add(dst, contentOf(cell));
      work_ += o.cells.size();
    }
  }
}

void EmptyContainerProof::store(const Constraint &c) {
  if (c.src == None || c.dst == None)
    return;
  const Set what = at(c.src), to = at(c.dst);
  for (unsigned v : to) {
    if (v == Other) {
      if (isTracked(what))
        giveAway(what);
    } else if (isSlot(v)) {
      construct(c.src, c.function);
      add(slots_[v - 1], what);
    } else if (objectOf(v).known) {
      addTo(v, what);
    } else if (leadsToContainer(what)) {
      fail();
    }
  }
}

void EmptyContainerProof::copyMemory(const Constraint &c) {
  if (c.dst == None)
    return;
  const Set from = c.src == None ? Set{Other} : at(c.src), to = at(c.dst);
  if (!isTracked(from) && !isTracked(to))
    return;
  for (unsigned v : to) {
    if (isSlot(v))
      return fail();
    for (unsigned w : from) {
      if (isSlot(w) || (v == Other && leadsToContainer({w})))
        return fail();
      if (v == Other)
        continue;
      Id target = cellOf(v).object;
      if (w == Other) { // anything may come along
        if (!objects_[target].onStack)
          return fail();
        giveAway({v});
        continue;
      }
      Id source = cellOf(w).object;
      std::vector<std::pair<Id, Set>> moved;
      for (unsigned cell : objects_[source].cells)
        moved.push_back({cellOf(cell).field, contentOf(cell)});
      for (auto &[field, content] : moved)
        addTo(cell(target, field), content);
      if (!objects_[source].known)
        giveAway({v});
    }
  }
}

void EmptyContainerProof::member(const Constraint &c) {
  if (c.src == None)
    return;
  const Facts &f = p_.facts;
  Id field = f.fields[c.extra].cell;
  const Set from = at(c.src);
  for (unsigned v : from) {
    if (isSlot(v))
      return fail();
    if (isCell(v))
      add(c.dst, {cell(cellOf(v).object, field)});
    // A slot, also in a record on the stack.
    if (unsigned slot = slotValue(Id(f.nodes.size()) + field); slot != Other)
      add(c.dst, {slot});
    else if (v == Other)
      add(c.dst, {Other});
  }
}

void EmptyContainerProof::constraint(const Constraint &c) {
  if (failed_)
    return;
  const Facts &f = p_.facts;
  switch (c.flow) {
  case Flow::Cast:
    // An integer may be a pointer in disguise.
    if (c.src != None && !p_.isPointer(f.nodes[c.src].type)) {
      if (isTracked(at(c.src)))
        fail();
      return add(c.dst, {Other});
    }
    [[fallthrough]];
  case Flow::Copy:
  case Flow::Index:
  case Flow::Arith:
    if (c.src == None || c.dst == None)
      return;
    if (slotValue(c.dst) != Other)
      construct(c.src, c.function);
    if (c.flow == Flow::Arith && leadsToContainer(at(c.src)))
      return fail();
    return add(c.dst, Set(at(c.src)));
  case Flow::AddressOf: {
    if (slotValue(c.src) != Other)
      return fail();
    const Node &n = f.nodes[c.src];
    bool local = n.kind == NodeKind::Local && n.type != None &&
                 !llvm::is_contained(f.functions[c.function].params, c.src);
    if (local && p_.recordOf(n.type) != None)
      return add(c.dst, {cell(object(c.src, true), None)});
    // &pointer: written and read in ways that are not followed.
    if (n.kind == NodeKind::Local) {
      giveAway(Set(at(c.src)));
      add(c.src, {Other});
    }
    return add(c.dst, {Other});
  }
  case Flow::Member:
    return member(c);
  case Flow::Load:
    return c.src == None ? void() : load(c.dst, Set(at(c.src)));
  case Flow::Store:
    return store(c);
  case Flow::CopyMemory:
    return copyMemory(c);
  }
}

/// Calls that `node`, which is stored in the slot, is the result of.
void EmptyContainerProof::construct(Id node, Id function) {
  const Facts &f = p_.facts;
  llvm::SmallVector<Id, 8> work{node};
  IdSet seen;
  while (!work.empty()) {
    Id n = work.pop_back_val();
    if (n == None || !seen.insert(n).second)
      continue;
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f.constraints[i];
      if (c.dst == n && (c.flow == Flow::Copy || c.flow == Flow::Cast))
        work.push_back(c.src);
    }
    for (Id i : p_.callsOf(function))
      if (f.calls[i].result == n && constructing_.insert(i).second)
        changed_ = true;
  }
}

void EmptyContainerProof::enter(Id call, Id callee) {
  const Facts &f = p_.facts;
  const Call &c = f.calls[call];
  const Function &fn = f.functions[callee];
  unsigned context = contextOf(call);
  visit(callee, context);
  for (size_t i = 0; i < c.args.size(); ++i) {
    Id param = i < fn.params.size() ? fn.params[i] : fn.variadic;
    if (c.args[i] == None || param == None)
      continue;
    if (p_.recordOf(f.nodes[param].type) != None) {
      if (isTracked(at(c.args[i])))
        return fail(); // a record by value
      continue;
    }
    add(param, Set(at(c.args[i])), context);
  }
  if (constructing_.contains(call)) {
    if (constructors_.insert(callee).second)
      changed_ = true;
    if (fn.result != None)
      construct(fn.result, callee);
  }
  if (c.result != None && fn.result != None)
    add(c.result, Set(at(fn.result, context)));
}

void EmptyContainerProof::call(Id i) {
  if (failed_)
    return;
  const Facts &f = p_.facts;
  const Call &c = f.calls[i];
  if (p_.isDeadEnd(i))
    return;
  if (late_.contains(i)) {
    if (c.result != None && p_.isPointer(f.nodes[c.result].type))
      add(c.result, {Other});
    return;
  }
  // A call behind a pointer that is null is not made.
  for (Id n : c.nonNull)
    if (at(n).empty())
      return;
  Set values;
  for (Id a : c.args)
    if (a != None)
      values.insert(at(a).begin(), at(a).end());
  bool tracked = isTracked(values), constructs = constructing_.contains(i);
  if (leadsToSlot(values))
    return fail();
  if (p_.isLibrary(c, LibraryFunction::Free))
    return;
  if (a_.allocates(c)) {
    if (a_.reallocates(c))
      giveAway(values);
    else if (c.result != None &&
             (constructs || constructors_.contains(c.function)))
      return add(c.result, {cell(object(i, false), None)});
    return add(c.result, {Other});
  }
  work_ += c.args.size();
  bool entered = false, outside = false; // a library's among the callees
  Set onStack;
  const bool isSkipped =
      isCoarse_ && tracked && !meetsContainer(values, onStack) && !constructs;
  if (isSkipped && settled_)
    giveAway(onStack);
  if (!isSkipped)
    for (unsigned v : onStack)
      if (Object &o = objects_[cellOf(v).object]; !o.hasMet)
        o.hasMet = changed_ = true;
  if ((tracked || constructs) && !isSkipped)
    for (Id callee : flow_.callees(i)) {
      const Function &fn = f.functions[callee];
      outside |= !fn.hasBody;
      if (!fn.hasBody || p_.isNoReturn(callee) ||
          !p_.takesArgumentsOf(callee, c))
        continue;
      enter(i, callee);
      entered = true;
      work_ += f.functions[callee].params.size();
    }
  if (!entered || outside) {
    if (tracked && !isSkipped && !p_.clears(c))
      giveAway(values);
    if (settled_ && c.result != None && p_.isPointer(f.nodes[c.result].type))
      add(c.result, {Other});
  }
}
