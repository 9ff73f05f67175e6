//===- AddressFlow.cpp - Pointers that are integers, and the reverse ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A heap moves by adding a distance to each pointer in it. That is right for a
// word that is always an address, wrong for an integer that looks like one, and
// misses what was computed from an address (hashes, differences, links that are
// XORed). So these properties of values are followed forward, through
// variables, fields and calls:
//
//   an integer was made a pointer ──► FromInteger
//   a pointer was made an integer ──► Address ──arithmetic──► Computed
//   of a static, a function or a literal, perhaps ──► OfStatic
//   the same, by variables alone ──► SurelyOfStatic
//   of a local of main that pointers follow ──► OfFollowedLocal
//
// Over the whole program, not the load alone: what any code stores counts.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using AddressFlowParts = View<const Twins, Addresses, Allocations>;

enum : uint8_t {
  FromInteger = 1,
  Address = 2,
  Computed = 4,
  OfStatic = 8,
  SurelyOfStatic = 16,
  OfFollowedLocal = 32,
};

/// Not by what container_of() makes of a static: it lies in nothing larger.
bool mayLeadToStatic(const SolveContext &c, const FieldFlow::Set &set,
                     Id type) {
  const Program &p = c.program;
  Id pointee = p.pointeeRecord(p.element(type));
  for (unsigned t : set) {
    const FieldFlow::Token &token = c.flow.tokens()[t];
    if (token.kind == FieldFlow::Token::Function && pointee == None)
      return true;
    if (token.kind != FieldFlow::Token::Static)
      continue;
    Id own = p.recordOf(p.facts.nodes[token.ref].type);
    if (pointee == None || own == None || p.mayOverlay(own, pointee))
      return true;
  }
  return false;
}

/// One of these variables is a record that the pointer may lead to.
bool mayLeadTo(const SolveContext &c, const std::vector<Id> &variables,
               Id pointer) {
  const PointsTo &pt = c.pointsTo;
  for (Id l : pt.pointsTo(pointer))
    if (pt.isMemory(l)) {
      const PointsTo::Object &o = pt.objects()[pt.locations()[l].object];
      if (o.kind == PointsTo::Object::Variable &&
          llvm::is_contained(variables, o.ref))
        return true;
    }
  return false;
}

bool leadsToStatic(const SolveContext &c, Id pointer) {
  for (unsigned t : c.flow.atNode(pointer))
    if (c.flow.tokens()[t].kind == FieldFlow::Token::Static)
      return true;
  return false;
}

/// Values stand in nodes, in fields of whatever object, and behind pointers to
/// a type that lead nowhere in particular (its cell): one vector for all of
/// them.
class AddressFlow {
public:
  /// `locals`: of main, which pointers follow.
  AddressFlow(const SolveContext &c, std::vector<Id> locals)
      : c_(c), locals_(std::move(locals)), p_(c.program), f_(c.program.facts),
        firstField_(f_.nodes.size()),
        firstCell_(firstField_ + f_.fields.size()),
        bits_(firstCell_ + f_.types.size()) {}

  void run() {
    connect();
    seed();
    while (!work_.empty()) {
      Id from = work_.back();
      work_.pop_back();
      // Which object a field is of is not known.
      const uint8_t what =
          from < firstField_
              ? bits_[from]
              : bits_[from] & ~(SurelyOfStatic | OfFollowedLocal);
      for (Id i = start_[from]; i < start_[from + 1]; ++i)
        add(targets_[i], pass(what, arithmetic_[i]));
    }
    escapedFields();
  }

  uint8_t ofField(Id field) const {
    uint8_t result = bits_[firstField_ + field];
    if (escaped_.contains(field))
      result |= ofCells(p_.element(f_.fields[field].type));
    return result;
  }
  uint8_t ofNode(Id node) const { return bits_[node]; }
  uint8_t ofCells(Id type) const { return bits_[firstCell_ + type]; }

private:
  struct Edge {
    Id from, to;
    bool arithmetic;
  };

  void add(Id place, uint8_t what) {
    if (place >= firstCell_)
      what &= ~(SurelyOfStatic | OfFollowedLocal);
    if ((bits_[place] | what) == bits_[place] || !canHold(place))
      return;
    bits_[place] |= what;
    work_.push_back(place);
  }
  static uint8_t pass(uint8_t what, bool arithmetic) {
    if (!arithmetic)
      return what;
    return (what & (Address | Computed) ? Computed : 0) |
           (what & (OfStatic | SurelyOfStatic | OfFollowedLocal));
  }
  void edge(Id from, Id to, bool arithmetic = false) {
    if (from != None && to != None)
      edges_.push_back({from, to, arithmetic});
  }

  bool canHold(Id place) const;
  Id behind(Id address, Id valueType) const;
  void connect();
  void connectCall(Id call);
  void sortEdges();
  void seed();
  void escapedFields();
  bool isPointer(Id node) const { return p_.isPointer(f_.nodes[node].type); }
  bool isInteger(Id node) const {
    Id type = f_.nodes[node].type;
    return type != None && p_.kind(type) == TypeKind::Integer;
  }

  const SolveContext &c_;
  const std::vector<Id> locals_;
  const Program &p_;
  const Facts &f_;
  const Id firstField_, firstCell_;
  std::vector<uint8_t> bits_;
  std::vector<Edge> edges_; ///< until they are sorted
  std::vector<Id> start_, targets_;
  std::vector<bool> arithmetic_;
  IdSet escaped_; ///< fields whose address goes somewhere
  std::vector<Id> work_;
};

/// Numbers with a fraction, truth values and integers of one or two bytes are
/// too small for anything of an address that matters.
bool AddressFlow::canHold(Id place) const {
  Id type = place < firstField_  ? f_.nodes[place].type
            : place < firstCell_ ? f_.fields[place - firstField_].type
                                 : place - firstCell_;
  if (type == None)
    return true;
  type = p_.element(type);
  TypeKind kind = p_.kind(type);
  return kind != TypeKind::Floating && kind != TypeKind::Byte &&
         (kind != TypeKind::Integer || f_.types[type].size_bytes >= 4);
}

/// What an address leads to, as far as its spelling says.
Id AddressFlow::behind(Id address, Id valueType) const {
  const AccessPath path(p_, address);
  if (Id member = path.member(); member != None)
    return firstField_ + f_.fields[member].cell;
  if (path.isAddress)
    return path.base;
  return valueType == None ? None : firstCell_ + valueType;
}

void AddressFlow::connectCall(Id call) {
  const Call &c = f_.calls[call];
  for (Id callee : c_.flow.callees(call)) {
    const Function &fn = f_.functions[callee];
    for (size_t i = 0; i < c.args.size(); ++i)
      edge(c.args[i], i < fn.params.size() ? fn.params[i] : fn.variadic);
    edge(fn.result, c.result);
  }
}

void AddressFlow::connect() {
  for (const Constraint &k : f_.constraints) {
    if (k.dst == None || k.src == None)
      continue;
    switch (k.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Arith:
    case Flow::Index:
      edge(k.src, k.dst, k.flow == Flow::Arith);
      break;
    case Flow::Load:
      edge(behind(k.src, f_.nodes[k.dst].type), k.dst);
      break;
    case Flow::Store:
      edge(k.src, behind(k.dst, f_.nodes[k.src].type));
      break;
    case Flow::AddressOf:
    case Flow::Member:
    case Flow::CopyMemory:
      break;
    }
  }
  for (Id i = 0; i < f_.calls.size(); ++i)
    connectCall(i);
  sortEdges();
}

/// By where they come from, each in a few bytes: programs have millions.
void AddressFlow::sortEdges() {
  start_.assign(bits_.size() + 1, 0);
  for (const Edge &e : edges_)
    ++start_[e.from + 1];
  for (size_t i = 1; i < start_.size(); ++i)
    start_[i] += start_[i - 1];
  targets_.resize(edges_.size());
  arithmetic_.resize(edges_.size());
  std::vector<Id> next(start_.begin(), start_.end() - 1);
  for (const Edge &e : edges_) {
    targets_[next[e.from]] = e.to;
    arithmetic_[next[e.from]++] = e.arithmetic;
  }
  edges_ = {};
}

/// Conversions; a truth value is no address.
void AddressFlow::seed() {
  for (const Constraint &k : f_.constraints) {
    if (k.flow == Flow::AddressOf && k.dst != None && k.src != None &&
        f_.nodes[k.src].kind == NodeKind::Literal)
      add(k.dst, OfStatic);
    if (k.dst == None || k.src == None ||
        (k.flow != Flow::Copy && k.flow != Flow::Cast))
      continue;
    if (isPointer(k.src) && isInteger(k.dst)) {
      uint8_t what = Address;
      if (mayLeadToStatic(c_, c_.flow.atNode(k.src), f_.nodes[k.src].type))
        what |= leadsToStatic(c_, k.src) ? OfStatic | SurelyOfStatic : OfStatic;
      if (mayLeadTo(c_, locals_, k.src))
        what |= OfFollowedLocal;
      add(k.dst, what);
    } else if (isPointer(k.dst) && isInteger(k.src))
      add(k.dst, FromInteger);
  }
}

void AddressFlow::escapedFields() {
  IdMap<Id> address;
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

/// Types of pointers that are cast to pointers to something else, void aside.
IdSet castTypes(const Program &p) {
  IdSet result;
  for (const Constraint &k : p.facts.constraints) {
    if (k.flow != Flow::Cast || k.dst == None || k.src == None)
      continue;
    Id from = p.facts.nodes[k.src].type, to = p.facts.nodes[k.dst].type;
    if (p.isPointer(from) && p.isPointer(to) && from != to &&
        p.kind(p.pointee(to)) != TypeKind::Void)
      result.insert(from);
  }
  return result;
}

/// A block that holds pointers and nothing else, as far as its allocation and
/// the conversions of its address say.
bool isPointerTable(const Program &p, const AddressFlow &flow,
                    const IdSet &castTypes, const Call &call) {
  Id element = p.pointee(call.resultType);
  if (element == None || !p.isPointer(element) || call.sizeofTypes.empty() ||
      (flow.ofCells(element) & ~OfStatic) ||
      castTypes.contains(call.resultType))
    return false;
  for (Id type : call.sizeofTypes)
    if (!p.isPointer(type))
      return false;
  return true;
}

/// Records in one block, by its allocation (what its record holds itself is no
/// other); records that are cast into each other.
std::set<std::pair<Id, Id>>
sharedBlocks(const SolveContext &c,
             llvm::ArrayRef<AllocationSite> allocations) {
  std::set<std::pair<Id, Id>> result;
  for (const AllocationSite &site : allocations)
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

namespace nvmove {

void findAddresses(AddressFlowParts a) {
  const SolveContext &context = a.context;
  const Program &p = context.program;
  std::vector<Id> locals;
  for (const Twin &t : a.twins)
    if (t.isFollowed && p.facts.nodes[t.variable].kind == NodeKind::Local)
      locals.push_back(t.variable);
  AddressFlow flow(context, std::move(locals));
  flow.run();
  for (Id field = 0; field < p.facts.fields.size(); ++field) {
    uint8_t bits = flow.ofField(p.facts.fields[field].cell);
    if (bits & Computed) {
      a.addresses.computed.insert(field);
      if (bits & SurelyOfStatic)
        a.addresses.ofStatics.insert(field);
      if (bits & OfFollowedLocal)
        a.addresses.ofLocals.insert(field);
      if (!(bits & OfStatic) &&
          !mayLeadToStatic(context, context.flow.inField(field),
                           p.facts.fields[field].type))
        a.addresses.ofHeapAlone.insert(field);
    } else if (bits & FromInteger)
      a.addresses.fromIntegers.insert(field);
  }
  for (Id node = 0; node < p.facts.nodes.size(); ++node)
    if (p.facts.nodes[node].kind == NodeKind::Global &&
        flow.ofNode(node) & ~OfStatic)
      a.addresses.variables.insert(node);
  IdSet cast = castTypes(p);
  a.addresses.sharing = sharedBlocks(context, a.allocations);
  for (AllocationSite &site : a.allocations) {
    const Allocators::Site *known = context.allocators.siteOf(site.call);
    site.pointers = known && known->records.empty() &&
                    isPointerTable(p, flow, cast, p.facts.calls[site.call]);
  }
}

} // namespace nvmove
