//===- FieldFlow.cpp - Whole-program flow with one cell per field -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

FieldFlow::FieldFlow(const Program &program, const Allocators &allocators,
                     Part part)
    : p_(program), a_(allocators), part_(part) {
  const Facts &f = p_.facts;
  fieldBase_ = f.nodes.size();
  recordBase_ = fieldBase_ + f.fields.size();
  misc_ = recordBase_ + f.records.size();
  size_t n = misc_ + 1;
  resize(n);
  indirect_.resize(n);
  filter_.assign(n, None);
  callees_.resize(f.calls.size());
  number_.resize(n);
  for (Id i = 0; i < f.nodes.size(); ++i)
    number_[i] = tooSmall(f.nodes[i].type);
  for (Id i = 0; i < f.fields.size(); ++i)
    if (f.fields[i].cell == i)
      number_[fieldBase_ + i] = tooSmall(f.fields[i].type);
  for (Id i = 0; i < f.fields.size(); ++i)
    if (!tooSmall(f.fields[i].type))
      number_[cellOfField(i)] = false;
  for (Id i = 0; i < f.nodes.size(); ++i)
    if (f.nodes[i].type != None)
      filter_[i] = p_.pointeeRecord(f.nodes[i].type);
  for (Id i = 0; i < f.fields.size(); ++i)
    if (f.fields[i].cell == i)
      filter_[fieldBase_ + i] = p_.pointeeRecord(f.fields[i].type);
  // Fields that share memory in a union admit what any of them admits.
  for (Id i = 0; i < f.fields.size(); ++i)
    if (f.fields[i].cell != i &&
        filter_[cellOfField(i)] != p_.pointeeRecord(f.fields[i].type))
      filter_[cellOfField(i)] = None;
  for (const Allocators::Site &s : a_.sites())
    if (s.hasOwnRecord)
      ownSite_.insert(s.records.begin(), s.records.end());
  build();
  linkEscapes();
  run();
}

// Bytes of a pointer may lie in several elements of an array, but for one that
// is smaller than a pointer.
bool FieldFlow::tooSmall(Id type) const {
  return type != None &&
         (p_.isTooSmallForPointer(type) ||
          (p_.kind(type) != TypeKind::Array && !p_.mayHoldPointer(type)));
}

Id FieldFlow::rawCell(Id valueType) const {
  Id r = valueType == None ? None : p_.pointeeRecord(valueType);
  return r == None ? misc_ : recordBase_ + r;
}

Id FieldFlow::resolve(Id address) const {
  const AccessPath path(p_, address);
  if (Id member = path.member(); member != None)
    return cellOfField(member);
  const Id variable = path.variable();
  return variable != None && p_.recordOf(p_.facts.nodes[variable].type) == None
             ? variable
             : None;
}

bool FieldFlow::isVariable(Id address) const {
  return AccessPath(p_, address).isAddress;
}

Id FieldFlow::cellBehind(Id address, Id valueNode) const {
  Id cell = resolve(address);
  if (cell != None)
    return cell;
  if (valueNode == None)
    return misc_;
  cell = rawCell(p_.facts.nodes[valueNode].type);
  // *out = malloc(..): what is stored is a void *, what is read there is not.
  return cell == misc_ && address != None
             ? rawCell(p_.pointee(p_.facts.nodes[address].type))
             : cell;
}

Id FieldFlow::rawCellLike(Id cell) const {
  const Facts &f = p_.facts;
  return rawCell(p_.element(cell < fieldBase_
                                ? f.nodes[cell].type
                                : f.fields[cell - fieldBase_].type));
}

void FieldFlow::edge(Id from, Id to) {
  if (from != None && to != None && !number_[from] && !number_[to] &&
      connect(from, to))
    add(to, sets_[find(from)]);
}

bool FieldFlow::admits(Id node, unsigned token) const {
  Id record = filter_[node];
  const Token t = tokens_[token];
  if (record == None || t.kind == Token::WrapperBlock)
    return true;
  if (t.kind == Token::Static) {
    Id own = p_.recordOf(p_.facts.nodes[t.ref].type);
    return own == None || p_.compatible(own, record);
  }
  if (t.kind == Token::Inside)
    return p_.compatible(t.ref, record);
  if (t.kind == Token::Function)
    return false;
  const Allocators::Site &site = a_.sites()[t.ref];
  if (site.raw())
    // Bytes may be laid out as a record that is never allocated by itself
    // (a header over a string); a record with sites of its own is trusted to
    // come from them. The hole: one that does both.
    return !site.isPointerTable && !ownSite_.contains(record);
  if (llvm::any_of(site.records,
                   [&](Id r) { return p_.compatible(r, record); }))
    return true;
  return (!site.hasOwnRecord || site.hasRoom) && !ownSite_.contains(record);
}

void FieldFlow::add(Id node, Ref what) {
  node = find(node);
  what = pool_.subtract(what, sets_[node]);
  if (what == Ref::Empty)
    return;
  if (filter_[node] != None) {
    // What a record admits is asked again and again: it is kept.
    Filter &filter = filters_[filter_[node]];
    Set fresh = pool_[what], unknown = fresh;
    unknown.intersectWithComplement(filter.admitted);
    unknown.intersectWithComplement(filter.refused);
    for (unsigned t : unknown)
      (admits(node, t) ? filter.admitted : filter.refused).set(t);
    fresh &= filter.admitted;
    what = pool_.of(std::move(fresh));
    if (what == Ref::Empty)
      return;
  }
  gain(node, what);
}

void FieldFlow::bind(Id call, Id callee) {
  const Facts &f = p_.facts;
  if (llvm::is_contained(callees_[call], callee))
    return;
  callees_[call].push_back(callee);
  const Call &c = f.calls[call];
  const Function &fn = f.functions[callee];
  for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i)
    edge(c.args[i], fn.params[i]);
  for (size_t i = fn.params.size(); fn.variadic != None && i < c.args.size();
       ++i)
    edge(c.args[i], fn.variadic);
  if (!a_.isWrapper(callee))
    edge(fn.result, c.result);
}

void FieldFlow::build() {
  const Facts &f = p_.facts;
  auto give = [&](Id node, unsigned token) { add(node, pool_.of(token)); };
  for (Id i = 0; i < f.constraints.size(); ++i) {
    const Constraint &c = f.constraints[i];
    if (!takesPart(c.function) ||
        (part_.exceptConstraints && part_.exceptConstraints->contains(i)))
      continue;
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Index:
    case Flow::Arith:
      edge(c.src, c.dst);
      break;
    case Flow::Member:
      edge(c.src, c.dst);
      // Also where no allocation reaches: in functions that only code outside
      // of these files calls.
      if (!isVariable(c.dst)) {
        Id record = f.fields[c.extra].record;
        auto [at, fresh] = insideToken_.try_emplace(record, tokens_.size());
        if (fresh)
          tokens_.push_back({Token::Inside, record});
        give(c.dst, at->second);
      }
      break;
    case Flow::AddressOf: {
      Id fn = p_.functionOf(c.src);
      if (fn != None || f.nodes[c.src].kind == NodeKind::Global) {
        auto &map = fn != None ? functionToken_ : staticToken_;
        auto [at, fresh] = map.try_emplace(c.src, tokens_.size());
        if (fresh)
          tokens_.push_back(fn != None ? Token{Token::Function, fn}
                                       : Token{Token::Static, c.src});
        give(c.dst, at->second);
      }
      break;
    }
    case Flow::Load:
      edge(cellBehind(c.src, c.dst), c.dst);
      break;
    case Flow::Store:
      edge(c.src, cellBehind(c.dst, c.src));
      break;
    case Flow::CopyMemory: {
      Id from = resolve(c.src), to = resolve(c.dst);
      if (from != None || to != None)
        edge(from == None ? misc_ : from, to == None ? misc_ : to);
      // memcpy(out, &p, sizeof p)
      if (to == None && from != None)
        edge(from, rawCellLike(from));
      else if (from == None && to != None)
        edge(rawCellLike(to), to);
      break;
    }
    }
    if (c.flow == Flow::Cast && c.src != None) {
      // T** seen as void**: the two ways of holding such pointers are one.
      Id a = p_.pointee(f.nodes[c.src].type),
         b = p_.pointee(f.nodes[c.dst].type);
      if (p_.isPointer(a) && p_.isPointer(b))
        both(rawCell(a), rawCell(b));
    }
  }
  for (size_t i = 0; i < a_.sites().size(); ++i)
    if (const Call &c = f.calls[a_.sites()[i].call];
        c.result != None && takesPart(c.function)) {
      tokens_.push_back({Token::Site, Id(i)});
      give(c.result, tokens_.size() - 1);
    }
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (!takesPart(c.function) ||
        (part_.exceptCalls && part_.exceptCalls->contains(i)))
      continue;
    if (c.callee != None)
      bind(i, c.callee);
    else if (c.target != None)
      indirect_[c.target].push_back(i);
    if (a_.reallocates(c) && !c.args.empty())
      edge(c.args[0], c.result);
    if (a_.allocates(c) && c.function != None && a_.isWrapper(c.function) &&
        c.result != None) {
      tokens_.push_back({Token::WrapperBlock, i});
      give(c.result, tokens_.size() - 1);
    }
  }
}

void FieldFlow::linkEscapes() {
  // The address of a field or variable that is kept as a value can be written
  // through any pointer of that type.
  const Facts &f = p_.facts;
  auto escape = [&](Id value) {
    if (value == None || f.nodes[value].kind != NodeKind::Temp)
      return;
    Id cell = resolve(value);
    Id held = p_.element(p_.pointee(f.nodes[value].type));
    if (cell == None)
      return;
    if (held != None && p_.kind(held) == TypeKind::Record)
      return; // reached by its own field cells
    both(cell, rawCell(held));
  };
  // A temporary with one definition is seen through by resolve(); behind ?: and
  // arithmetic the address is a value like any other.
  for (const Constraint &c : f.constraints)
    if (takesPart(c.function) &&
        (c.flow == Flow::Store || c.flow == Flow::Arith ||
         ((c.flow == Flow::Copy || c.flow == Flow::Cast) &&
          (f.nodes[c.dst].kind != NodeKind::Temp ||
           p_.definition(c.dst) == None))))
      escape(c.src);
  // What getline(&line, ..) stores is known.
  for (const Call &c : f.calls)
    if (takesPart(c.function) && !p_.isLibrary(c, LibraryFunction::Allocate))
      for (Id a : c.args)
        escape(a);
}

void FieldFlow::run() {
  while (!order_.empty()) {
    tidy([&](Id a, Id b) { return filter_[a] == filter_[b]; },
         [&](Id into, Id from) {
           indirect_[into].append(indirect_[from].begin(),
                                  indirect_[from].end());
           indirect_[from] = {};
         });
    if (order_.empty())
      break;
    Id n = order_.pop();
    Ref now = take(n);
    order_.passed(out_[n].size());
    for (size_t i = 0; i < out_[n].size(); ++i)
      add(out_[n][i], now);
    for (size_t i = 0; i < indirect_[n].size(); ++i)
      for (unsigned t : pool_[now])
        if (tokens_[t].kind == Token::Function &&
            !p_.lacksArguments(tokens_[t].ref, p_.facts.calls[indirect_[n][i]]))
          bind(indirect_[n][i], tokens_[t].ref);
  }
  finish();
}

std::vector<Id> FieldFlow::functionsInTable(Id argument) const {
  Id record = p_.pointeeRecord(p_.facts.nodes[argument].type);
  std::vector<Id> result;
  if (record == None || p_.isProgramRecord(record))
    return result;
  for (Id part : p_.nested(record))
    for (Id field : p_.facts.records[part].fields)
      if (p_.isFunctionPointer(p_.element(p_.facts.fields[field].type)))
        for (Id fn : functionsIn(inField(field)))
          if (!llvm::is_contained(result, fn))
            result.push_back(fn);
  return result;
}

IdMap<llvm::SmallVector<Id, 2>> FieldFlow::callers() const {
  IdMap<llvm::SmallVector<Id, 2>> result;
  for (Id call = 0; call < callees_.size(); ++call)
    for (Id callee : callees_[call])
      result[callee].push_back(call);
  return result;
}

std::vector<Id> FieldFlow::functionsIn(const Set &set) const {
  std::vector<Id> result;
  for (unsigned t : set)
    if (tokens_[t].kind == Token::Function)
      result.push_back(tokens_[t].ref);
  return result;
}
