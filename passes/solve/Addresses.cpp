//===- Addresses.cpp - Pointers that are integers, and the reverse --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A heap moves by adding a distance to each pointer in it. That is right for a
// word that is always an address, wrong for an integer that looks like one, and
// misses what was computed from an address (hashes, differences, links that are
// XORed). So three properties of values are followed forward, through
// variables, fields and calls:
//
//   an integer was made a pointer ──► FromInteger
//   a pointer was made an integer ──► Address ──arithmetic──► Computed
//
// Over the whole program, not the load alone: what any code stores counts.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"

using namespace nvmove;

namespace {

enum : uint8_t { FromInteger = 1, Address = 2, Computed = 4 };

class AddressFlow {
public:
  AddressFlow(const SolveContext &c)
      : c_(c), p_(c.program), f_(c.program.facts), nodes_(f_.nodes.size()),
        fields_(f_.fields.size()), cells_(f_.types.size()) {}

  void run() {
    connect();
    seed();
    while (!work_.empty()) {
      Place from = work_.back();
      work_.pop_back();
      for (auto [to, flow] : edges_[from])
        add(to, pass(bits(from), flow));
    }
    escapedFields();
  }

  uint8_t ofField(Id field) const {
    uint8_t result = fields_[field];
    if (escaped_.contains(field))
      result |= cells_[p_.element(f_.fields[field].type)];
    return result;
  }
  uint8_t ofNode(Id node) const { return nodes_[node]; }
  uint8_t ofCells(Id type) const { return cells_[type]; }

private:
  /// A value: of a node, of a field in whatever object, or of what stands
  /// behind pointers to a type that lead nowhere in particular.
  enum class Kind : uint8_t { Node, Field, Cell };
  using Place = std::pair<uint8_t, Id>;
  static Place place(Kind kind, Id id) { return {uint8_t(kind), id}; }

  uint8_t &bits(Place at) {
    return at.first == uint8_t(Kind::Node)    ? nodes_[at.second]
           : at.first == uint8_t(Kind::Field) ? fields_[at.second]
                                              : cells_[at.second];
  }
  void add(Place at, uint8_t what) {
    if (!canHold(at))
      return;
    uint8_t &known = bits(at);
    if ((known | what) == known)
      return;
    known |= what;
    work_.push_back(at);
  }
  static uint8_t pass(uint8_t what, Flow flow) {
    if (flow != Flow::Arith)
      return what;
    return what & (Address | Computed) ? Computed : 0;
  }
  void edge(Place from, Place to, Flow flow) {
    edges_[from].push_back({to, flow});
  }
  void edge(Id from, Id to, Flow flow) {
    if (from != None && to != None)
      edge(place(Kind::Node, from), place(Kind::Node, to), flow);
  }

  /// Numbers with a fraction, truth values and integers of one or two bytes are
  /// too small for anything of an address that matters.
  bool canHold(Place at) const {
    Id type = at.first == uint8_t(Kind::Node)    ? f_.nodes[at.second].type
              : at.first == uint8_t(Kind::Field) ? f_.fields[at.second].type
                                                 : at.second;
    type = type == None ? None : p_.element(type);
    return type == None || (p_.kind(type) != TypeKind::Floating &&
                            p_.kind(type) != TypeKind::Byte &&
                            (p_.kind(type) != TypeKind::Integer ||
                             f_.types[type].size_bytes >= 4));
  }

  Place behind(Id address, Id valueType) const;
  void connect();
  void connectCall(Id call);
  void seed();
  void escapedFields();
  bool isPointer(Id node) const { return p_.isPointer(f_.nodes[node].type); }
  bool isInteger(Id node) const {
    Id type = f_.nodes[node].type;
    return type != None && p_.kind(type) == TypeKind::Integer;
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  std::vector<uint8_t> nodes_, fields_, cells_;
  llvm::DenseMap<Place, llvm::SmallVector<std::pair<Place, Flow>, 2>> edges_;
  llvm::DenseSet<Id> escaped_; ///< fields whose address goes somewhere
  std::vector<Place> work_;
};

/// What an address leads to, as far as its spelling says.
AddressFlow::Place AddressFlow::behind(Id address, Id valueType) const {
  for (Id node = address; node != None;) {
    Id definition = p_.definition(node);
    if (definition == None)
      break;
    const Constraint &k = f_.constraints[definition];
    if (k.flow == Flow::Member)
      return place(Kind::Field, f_.fields[k.extra].cell);
    if (k.flow == Flow::AddressOf)
      return place(Kind::Node, k.src);
    if (k.flow != Flow::Index && k.flow != Flow::Copy && k.flow != Flow::Cast)
      break;
    node = k.src;
  }
  return place(Kind::Cell, valueType);
}

void AddressFlow::connectCall(Id call) {
  const Call &c = f_.calls[call];
  for (Id callee : c_.flow.callees(call)) {
    const Function &fn = f_.functions[callee];
    for (size_t i = 0; i < c.args.size(); ++i)
      edge(c.args[i], i < fn.params.size() ? fn.params[i] : fn.variadic,
           Flow::Copy);
    edge(fn.result, c.result, Flow::Copy);
  }
}

void AddressFlow::connect() {
  for (const Constraint &k : f_.constraints) {
    if (k.dst == None || k.src == None)
      continue;
    Place dst = place(Kind::Node, k.dst), src = place(Kind::Node, k.src);
    Id from = f_.nodes[k.src].type, to = f_.nodes[k.dst].type;
    switch (k.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Arith:
    case Flow::Index:
      edge(src, dst, k.flow);
      break;
    case Flow::Load:
      if (to != None)
        edge(behind(k.src, to), dst, k.flow);
      break;
    case Flow::Store:
      if (from != None)
        edge(src, behind(k.dst, from), k.flow);
      break;
    case Flow::AddressOf:
    case Flow::Member:
    case Flow::CopyMemory:
      break;
    }
  }
  for (Id i = 0; i < f_.calls.size(); ++i)
    connectCall(i);
}

/// Conversions; a truth value is no address.
void AddressFlow::seed() {
  for (const Constraint &k : f_.constraints) {
    if (k.dst == None || k.src == None ||
        (k.flow != Flow::Copy && k.flow != Flow::Cast))
      continue;
    if (isPointer(k.src) && isInteger(k.dst))
      add(place(Kind::Node, k.dst), Address);
    else if (isPointer(k.dst) && isInteger(k.src))
      add(place(Kind::Node, k.dst), FromInteger);
  }
}

void AddressFlow::escapedFields() {
  llvm::DenseMap<Id, Id> address;
  for (const Constraint &k : f_.constraints)
    if (k.flow == Flow::Member)
      address[k.dst] = f_.fields[k.extra].cell;
  auto escape = [&](Id node) {
    if (auto at = address.find(node); node != None && at != address.end())
      escaped_.insert(at->second);
  };
  for (const Constraint &k : f_.constraints)
    if (k.flow != Flow::Load && k.flow != Flow::Member)
      escape(k.src);
  for (const Call &c : f_.calls)
    for (Id arg : c.args)
      escape(arg);
}

/// A block that holds pointers and nothing else, as far as its allocation and
/// the conversions of its address say.
bool isPointerTable(const Program &p, const AddressFlow &flow,
                    const Call &call) {
  Id element = p.pointee(call.resultType);
  if (element == None || !p.isPointer(element) || call.sizeofTypes.empty() ||
      flow.ofCells(element))
    return false;
  for (Id type : call.sizeofTypes)
    if (!p.isPointer(type))
      return false;
  for (const Constraint &k : p.facts.constraints) {
    if (k.flow != Flow::Cast || k.dst == None || k.src == None ||
        p.facts.nodes[k.src].type != call.resultType)
      continue;
    Id to = p.facts.nodes[k.dst].type;
    if (to != call.resultType &&
        !(p.isPointer(to) && p.kind(p.pointee(to)) == TypeKind::Void))
      return false;
  }
  return true;
}

/// Records in one block, by its allocation (what its record holds itself is no
/// other); records that are cast into each other.
std::set<std::pair<Id, Id>> sharedBlocks(const SolveContext &c,
                                         const Solution &solution) {
  std::set<std::pair<Id, Id>> result;
  for (const AllocationSite &site : solution.allocations)
    if (const Allocators::Site *known = c.allocators.siteOf(site.call))
      for (Id other : known->records)
        if (site.record != None && !c.program.contains(site.record, other))
          result.insert({site.record, other});
  auto add = [&](Id a, Id b) {
    if (a != None && b != None && a != b) {
      result.insert({a, b});
      result.insert({b, a});
    }
  };
  const Facts &f = c.program.facts;
  for (const Constraint &k : f.constraints)
    if ((k.flow == Flow::Cast || k.flow == Flow::Copy) && k.src != None &&
        k.dst != None)
      add(c.program.pointeeRecord(f.nodes[k.src].type),
          c.program.pointeeRecord(f.nodes[k.dst].type));
  return result;
}

} // namespace

void nvmove::findAddresses(const SolveContext &context, Solution &solution) {
  const Program &p = context.program;
  AddressFlow flow(context);
  flow.run();
  for (Id field = 0; field < p.facts.fields.size(); ++field) {
    uint8_t bits = flow.ofField(p.facts.fields[field].cell);
    if (bits & Computed)
      solution.addresses.computed.insert(field);
    else if (bits & FromInteger)
      solution.addresses.fromIntegers.insert(field);
  }
  for (Id node = 0; node < p.facts.nodes.size(); ++node)
    if (p.facts.nodes[node].kind == NodeKind::Global && flow.ofNode(node))
      solution.addresses.variables.insert(node);
  solution.addresses.sharing = sharedBlocks(context, solution);
  for (AllocationSite &site : solution.allocations) {
    const Allocators::Site *known = context.allocators.siteOf(site.call);
    site.pointers = known && known->records.empty() &&
                    isPointerTable(p, flow, p.facts.calls[site.call]);
  }
}
