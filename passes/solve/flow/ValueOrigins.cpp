//===- ValueOrigins.cpp - Whose address may a field hold? -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/program/Library.h"

using namespace nvmove;

/// Where stores through pointers go: *at = value. Backwards from the address,
/// along its own values, fields and what functions give back; from a parameter
/// to each call's argument, and with it from a value that is one, too:
/// set(&e->name, name). A way that is long, or comes from far up, is given up.
class ValueOrigins::Places {
public:
  Places(ValueOrigins &origins) : o_(origins), p_(origins.p_), f_(origins.f_) {}

  void find(const Constraint &store) {
    Id type = f_.nodes[store.src].type;
    if (type != None && p_.kind(type) == TypeKind::Integer &&
        f_.types[type].size_bytes < sizeof(int))
      return; // bytes
    walks_ = 0;
    from(store.dst, store.src, store.loc, store.function, 0);
  }
  /// Then they are stores like others.
  void enter() {
    for (auto &[cell, stores] : found_)
      o_.stores_[cell].append(stores.begin(), stores.end());
  }

private:
  static constexpr unsigned MaxSteps = 64, MaxCalls = 4, MaxWalks = 256,
                            MaxPlaced = 256;

  void from(Id address, Id value, Loc loc, Id function, unsigned calls) {
    if (++walks_ > MaxWalks)
      return;
    std::vector<Id> work{address}, params;
    IdSet seen;
    for (unsigned steps = 0; !work.empty() && steps < MaxSteps; ++steps) {
      Id cell = work.back();
      work.pop_back();
      if (cell == None || o_.flow_.isRaw(cell) || !seen.insert(cell).second)
        continue;
      o_.eachInto(cell, [&](const Constraint &c) {
        if (c.flow == Flow::Member)
          place(o_.flow_.cellOfField(c.extra), c.dst, value, loc, function);
        else if (c.flow == Flow::AddressOf)
          place(c.src, c.dst, value, loc, function);
        else
          work.push_back(
              c.flow == Flow::Load ? o_.flow_.cellBehind(c.src, c.dst) : c.src);
      });
      if (cell >= f_.nodes.size())
        continue;
      if (Id call = o_.values_.call(cell); call != None)
        for (Id callee : o_.flow_.callees(call)) {
          work.push_back(f_.functions[callee].result);
          for (unsigned k : o_.givenBack(callee))
            if (k < f_.calls[call].args.size())
              work.push_back(f_.calls[call].args[k]);
        }
      if (calls < MaxCalls && function != None &&
          llvm::is_contained(f_.functions[function].params, cell))
        params.push_back(cell);
    }
    for (Id param : params)
      toCallers(param, value, function, calls + 1);
  }

  void toCallers(Id address, Id value, Id function, unsigned calls) {
    int a = paramOf(address, function), v = paramOf(value, function);
    auto callers = o_.callers_.find(function);
    if (callers == o_.callers_.end())
      return;
    for (Id i : callers->second) {
      const Call &c = f_.calls[i];
      bool hasValue = v < 0 || size_t(v) < c.args.size();
      if (size_t(a) < c.args.size() && hasValue)
        from(c.args[a], v < 0 ? value : c.args[v], c.loc, c.function, calls);
    }
  }

  /// -1: it is none.
  int paramOf(Id node, Id function) const {
    const std::vector<Id> &params = f_.functions[function].params;
    auto at = llvm::find(params, p_.origin(node));
    return at == params.end() ? -1 : int(at - params.begin());
  }

  void place(Id cell, Id address, Id value, Loc loc, Id function) {
    llvm::SmallVector<Id, 2> &stores = found_[cell];
    if (value == None || stores.size() >= MaxPlaced ||
        llvm::any_of(stores, [&](Id i) { return o_.store(i).src == value; }))
      return;
    stores.push_back(f_.constraints.size() + o_.placed_.size());
    o_.placed_.push_back({Flow::Copy, address, value, None, function, loc});
  }

  ValueOrigins &o_;
  const Program &p_;
  const Facts &f_;
  std::map<Id, llvm::SmallVector<Id, 2>> found_;
  unsigned walks_ = 0;
};

ValueOrigins::ValueOrigins(const Program &program, const Allocators &allocators,
                           const FieldFlow &flow, Stores stores)
    : p_(program), f_(program.facts), allocators_(allocators), flow_(flow),
      values_(f_) {
  std::vector<Id> raw;
  for (Id i = 0; i < f_.constraints.size(); ++i) {
    const Constraint &c = f_.constraints[i];
    if (c.flow == Flow::Store && c.src != None) {
      Id cell = flow_.cellBehind(c.dst, c.src);
      if (!flow_.isRaw(cell))
        stores_[cell].push_back(i);
      else if (stores == Stores::ThroughPointers)
        raw.push_back(i);
    } else if (c.flow == Flow::CopyMemory) {
      if (c.extra != None) {
        noteCopied(p_.recordOf(c.extra));
      } else {
        noteCopied(recordAt(c.src));
        noteCopied(recordAt(c.dst));
      }
    }
  }
  callers_ = flow_.callers();
  for (Id i = 0; i < f_.calls.size(); ++i)
    noteDescriptors(i);
  for (Id i = 0; i < f_.calls.size(); ++i)
    noteFilled(i);
  Places places(*this);
  for (Id i : raw)
    places.find(f_.constraints[i]);
  places.enter();
  findHanded();
}

/// The arguments of the program, and its environment: argv, where it is handed
/// on to, and what else leads into such a table. The text itself is read there.
void ValueOrigins::findHanded() {
  auto isTable = [&](Id type) {
    return type != None && p_.isPointer(type) && p_.pointee(type) != None &&
           p_.isPointer(p_.pointee(type)) &&
           p_.kind(p_.pointee(p_.pointee(type))) == TypeKind::Byte;
  };
  auto add = [&](Id cell, Id from) {
    return cell != None && !flow_.isRaw(cell) &&
           handed_.try_emplace(cell, from).second;
  };
  auto of = [&](Id cell) {
    auto at = cell == None ? handed_.end() : handed_.find(cell);
    return at == handed_.end() ? None : at->second;
  };
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (p_.isMain(fn))
      for (Id param : f_.functions[fn].params)
        if (isTable(f_.nodes[param].type))
          add(param, param);
  for (Id n = 0; n < f_.nodes.size(); ++n)
    if (f_.nodes[n].name == "environ" && !f_.nodes[n].isDefined &&
        f_.nodes[n].kind == NodeKind::Global)
      add(n, n);
  for (bool more = !handed_.empty(); more;) {
    more = false;
    for (const Constraint &c : f_.constraints) {
      if (c.src == None || c.dst == None || c.flow == Flow::AddressOf ||
          c.flow == Flow::Member || c.flow == Flow::CopyMemory)
        continue;
      if (c.flow == Flow::Store)
        more |= isTable(f_.nodes[c.src].type) && of(c.src) != None &&
                add(flow_.cellBehind(c.dst, c.src), of(c.src));
      else if (isTable(f_.nodes[c.dst].type))
        if (Id from = of(c.flow == Flow::Load ? flow_.cellBehind(c.src, c.dst)
                                              : c.src);
            from != None)
          more |= add(c.dst, from);
    }
    for (const auto &[callee, calls] : callers_)
      for (Id i : calls)
        for (size_t k = 0; k < f_.functions[callee].params.size() &&
                           k < f_.calls[i].args.size();
             ++k)
          if (Id from = of(f_.calls[i].args[k]); from != None)
            more |= add(f_.functions[callee].params[k], from);
  }
}

/// pipe(ends), here or in a function that is handed the array.
void ValueOrigins::noteDescriptors(Id call) {
  const Call &c = f_.calls[call];
  int k = c.callee == None ? -1
                           : libraryFact(f_.functions[c.callee].name,
                                         &LibraryFunction::descriptorsBehind);
  if (k < 0 || size_t(k) >= c.args.size())
    return;
  Id address = p_.origin(c.args[k]);
  for (Id at : p_.handedFor(address).value_or(std::vector<Id>{address}))
    if (Id cell = at == None ? None : flow_.cellBehind(at, None);
        cell != None && !flow_.isRaw(cell))
      opened_[cell].push_back(call);
}

/// localtime(&t), localtime_r(&t, &e->tm)
void ValueOrigins::noteFilled(Id call) {
  const Call &c = f_.calls[call];
  if (c.callee == None || f_.functions[c.callee].hasBody)
    return;
  auto note = [&](Id node) {
    Id record = node == None ? None : p_.pointeeRecord(f_.nodes[node].type);
    if (record != None && f_.records[record].complete &&
        !p_.isProgramRecord(record))
      filled_.try_emplace(record, call);
  };
  const LibraryFunction *known = libraryEntry(f_.functions[c.callee].name);
  if (!allocators_.allocates(c))
    note(c.result);
  for (size_t k = 0; k < c.args.size(); ++k)
    if (!known ? !c.argIsReadOnly[k]
               : (known->kind == LibraryFunction::Assign &&
                  known->destination == int(k)) ||
                     known->keepsMemoryIn == int(k))
      note(c.args[k]);
}

/// Nothing that the program does puts anything into that member.
Id ValueOrigins::filledBy(Id cell) const {
  Id field = cell - Id(f_.nodes.size());
  if (cell < f_.nodes.size() || flow_.isRaw(cell) || stores_.count(cell))
    return None;
  Id to = p_.pointee(f_.fields[field].type);
  auto at = filled_.find(f_.fields[field].record);
  return at == filled_.end() || to == None || p_.kind(to) == TypeKind::Void ||
                 p_.kind(to) == TypeKind::Function
             ? None
             : at->second;
}

/// As which the memory is known that is copied.
Id ValueOrigins::recordAt(Id address) const {
  for (; address != None; address = p_.copied(address))
    if (Id record = p_.pointeeRecord(f_.nodes[address].type); record != None)
      return record;
  return None;
}

void ValueOrigins::noteCopied(Id record) {
  if (record == None || !copied_.insert(record).second)
    return;
  for (Id inner : p_.nested(record))
    copied_.insert(inner);
}

/// Calls `see` with the constraints by which values get into the cell.
void ValueOrigins::eachInto(
    Id cell, llvm::function_ref<void(const Constraint &)> see) const {
  if (cell < f_.nodes.size())
    for (Id i : values_.definitions(cell))
      see(f_.constraints[i]);
  if (auto at = stores_.find(cell); at != stores_.end())
    for (Id i : at->second)
      see(store(i));
}

void ValueOrigins::push(Id cell, bool inside) {
  isOpen_ |= cell != None && flow_.isRaw(cell);
  if (cell == None || flow_.isRaw(cell))
    return;
  bool isNode = cell < f_.nodes.size();
  if (isNode) {
    Id type = f_.nodes[cell].type;
    if (type != None && p_.kind(type) != TypeKind::Array &&
        (numbers_ ? p_.kind(type) != TypeKind::Integer
                  : !p_.mayHoldPointer(type)))
      return;
  }
  // Fields and statics have no callers.
  if (!isNode || f_.nodes[cell].function == None)
    inside = false;
  if (seen_[inside].insert(cell).second)
    work_.push_back({cell, inside});
}

void ValueOrigins::noteOutside(Id node, Loc loc, Id function) {
  const Node &n = f_.nodes[node];
  if (n.kind == NodeKind::Global && !n.isDefined)
    outside_.try_emplace(node, Origin{node, None, loc, function});
}

/// argv[1], or argv itself.
void ValueOrigins::noteHanded(Id cell, Loc loc, Id function) {
  if (auto at = handed_.find(cell); at != handed_.end())
    outside_.try_emplace(at->second, Origin{at->second, None, loc, function});
}

void ValueOrigins::passThrough(const Constraint &c, bool inside) {
  isOpen_ |= c.flow == Flow::Arith;
  if (c.src != None && c.flow != Flow::AddressOf)
    noteOutside(c.src, c.loc, c.function);
  if (c.src != None && c.flow == Flow::Load)
    noteHanded(c.src, c.loc, c.function);
  if (c.flow == Flow::Load)
    push(flow_.cellBehind(c.src, c.dst), inside);
  else if (c.flow != Flow::AddressOf)
    push(c.src, inside);
}

/// Which parameters a function may give back: along its own values, and
/// through what it calls.
ValueOrigins::Params ValueOrigins::givenBack(Id function) {
  auto [at, fresh] = givenBack_.try_emplace(function);
  const Function &fn = f_.functions[function];
  if (!fresh || fn.result == None)
    return at->second;
  Params found;
  std::vector<Id> work{fn.result};
  IdSet seen;
  seen.insert(fn.result);
  auto see = [&](Id node) {
    if (node != None && node < f_.nodes.size() &&
        f_.nodes[node].function == function && seen.insert(node).second)
      work.push_back(node);
  };
  while (!work.empty()) {
    Id node = work.back();
    work.pop_back();
    for (unsigned k = 0; k < fn.params.size(); ++k)
      if (fn.params[k] == node)
        found.push_back(k);
    eachInto(node, [&](const Constraint &c) {
      if (c.flow == Flow::Load)
        see(flow_.cellBehind(c.src, c.dst));
      else if (c.flow != Flow::AddressOf)
        see(c.src);
    });
    if (Id call = values_.call(node); call != None)
      for (Id callee : flow_.callees(call))
        for (unsigned k : givenBack(callee))
          if (k < f_.calls[call].args.size())
            see(f_.calls[call].args[k]);
  }
  return givenBack_[function] = std::move(found);
}

bool ValueOrigins::isOrigin(Id call) const {
  if (allocators_.siteOf(call) || allocators_.allocates(f_.calls[call]))
    return true;
  for (Id callee : flow_.callees(call))
    if (!f_.functions[callee].hasBody)
      return true;
  return false;
}

/// From what a call gives back: to what the callee makes itself, and to those
/// arguments that it gives back. Other callers' arguments are none of them.
void ValueOrigins::enterCallees(Id call, bool inside) {
  for (Id callee : flow_.callees(call)) {
    push(f_.functions[callee].result, true);
    for (unsigned k : givenBack(callee))
      if (k < f_.calls[call].args.size())
        push(f_.calls[call].args[k], inside);
  }
}

void ValueOrigins::leaveToCallers(Id param) {
  Id function = f_.nodes[param].function;
  const std::vector<Id> &params = f_.functions[function].params;
  size_t k = llvm::find(params, param) - params.begin();
  auto at = callers_.find(function);
  if (k == params.size() || at == callers_.end())
    return;
  for (Id call : at->second)
    if (k < f_.calls[call].args.size())
      push(f_.calls[call].args[k], false);
}

std::vector<ValueOrigins::Origin> ValueOrigins::follow() {
  std::vector<Origin> found;
  IdSet known, calls;
  code_ = {};
  auto open = [&](Id cell) {
    if (auto at = opened_.find(cell); numbers_ && at != opened_.end())
      for (Id i : at->second)
        if (calls.insert(i).second)
          found.push_back(
              {None, i, f_.calls[i].loc, f_.calls[i].function, true});
  };
  auto fill = [&](Id cell) {
    if (Id i = numbers_ || cell == None ? None : filledBy(cell); i != None)
      found.push_back(
          {None, i, f_.calls[i].loc, f_.calls[i].function, false, true});
  };
  open(started_);
  fill(started_);
  while (!work_.empty()) {
    auto [cell, inside] = work_.back();
    work_.pop_back();
    open(cell);
    fill(cell);
    bool isNode = cell < f_.nodes.size();
    if (isNode)
      noteOutside(cell, f_.nodes[cell].loc, None);
    noteHanded(cell, isNode ? f_.nodes[cell].loc : Loc(), None);
    eachInto(cell, [&, inside = inside](const Constraint &c) {
      passThrough(c, inside);
      NodeKind kind = f_.nodes[c.src].kind;
      if (c.flow == Flow::AddressOf &&
          (kind == NodeKind::Literal || kind == NodeKind::Global ||
           (locals_ && kind == NodeKind::Local)) &&
          known.insert(c.src).second)
        found.push_back({c.src, None, c.loc, c.function});
      if (c.flow == Flow::AddressOf && p_.functionOf(c.src) != None)
        code_.insert(p_.functionOf(c.src));
    });
    if (Id i = isNode ? values_.call(cell) : None; i != None) {
      const Call &call = f_.calls[i];
      if (!isOrigin(i))
        enterCallees(i, inside);
      else if (calls.insert(i).second)
        found.push_back({None, i, call.loc, call.function});
    }
    if (isNode && !inside && f_.nodes[cell].function != None)
      leaveToCallers(cell);
  }
  seen_[0] = seen_[1] = {};
  llvm::sort(found, [](const Origin &a, const Origin &b) {
    return std::pair(a.variable, a.call) < std::pair(b.variable, b.call);
  });
  return found;
}

bool ValueOrigins::isNumber(Id field) const {
  return p_.kind(p_.element(f_.fields[field].type)) == TypeKind::Integer;
}

/// Members of a union share a cell, and one answer if they are of one kind.
Id ValueOrigins::answerFor(Id field) const {
  return flow_.cellOfField(field) + (isNumber(field) ? flow_.cells() : 0);
}

void ValueOrigins::start(Id field, bool inVariables, bool numbers) {
  numbers_ = numbers;
  started_ = flow_.cellOfField(field);
  outside_.clear();
  if (auto at = stores_.find(flow_.cellOfField(field)); at != stores_.end())
    for (Id i : at->second)
      if (inVariables || !flow_.isVariable(store(i).dst))
        passThrough(store(i), false);
}

const std::vector<ValueOrigins::Origin> &ValueOrigins::ofField(Id field) {
  auto [known, fresh] = ofFields_.try_emplace(answerFor(field));
  if (fresh) {
    isOpen_ = false;
    start(field, copied_.contains(f_.fields[field].record), isNumber(field));
    std::vector<Origin> found = follow();
    codeIn_[answerFor(field)] = code_;
    outsideOf_[answerFor(field)] = outside_;
    if (isOpen_)
      open_.insert(answerFor(field));
    known->second = std::move(found);
  }
  return known->second;
}

const IdSet &ValueOrigins::codeIn(Id field) {
  ofField(field);
  return codeIn_[answerFor(field)];
}

const ValueOrigins::Outside &ValueOrigins::outsideOf(Id field) {
  ofField(field);
  return outsideOf_[answerFor(field)];
}

bool ValueOrigins::isKnown(Id field) {
  ofField(field);
  return !open_.contains(answerFor(field));
}

std::vector<ValueOrigins::Origin> ValueOrigins::ofMember(Id field) {
  start(field, true, isNumber(field));
  return follow();
}

std::vector<ValueOrigins::Origin> ValueOrigins::ofAddressesIn(Id field) {
  start(field, copied_.contains(f_.fields[field].record), false);
  return follow();
}

std::vector<ValueOrigins::Origin> ValueOrigins::ofVariable(Id node) {
  const Id type = f_.nodes[node].type;
  numbers_ = type != None && p_.kind(type) == TypeKind::Integer &&
             !p_.mayHoldPointer(type);
  started_ = None;
  outside_.clear();
  push(node, false);
  return follow();
}

std::vector<ValueOrigins::Origin>
ValueOrigins::ofSlot(Id node, const std::vector<Id> &fields) {
  locals_ = true;
  std::vector<Origin> found =
      fields.empty() ? ofVariable(node) : ofMember(fields.back());
  locals_ = false;
  return found;
}
