//===- HandlerTypes.cpp - What handlers alone hang into persistent objects ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct note *n = malloc(sizeof *n);      in a handler
//   n->next = item->notes; item->notes = n;
//
// The load makes no note, but what hangs from an item goes with it: the type is
// persistent, too. That needs a proof that it holds nothing that ends with the
// process: handlers alone make it, and all that is ever put into its fields is
// numbers that no call of the system gives back, text that the program has
// copied, functions of the program, and such objects again. Where that is not
// known, the field that leads there stays one that may lead to what a restart
// does not bring back.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/types/HandlerTypes.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class HandlerTypes {
public:
  explicit HandlerTypes(const View<LoadedTypes> &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), sites_(c_.allocators),
        origins_(a.origins()), out_(a) {}

  void run() {
    findLasting();
    addFrom(0);
  }

  bool isProved(Id variable, const std::vector<Id> &fields) {
    findLasting();
    const FieldFlow::Set &held = c_.flow.inSlot(variable, fields);
    const Id record = p_.pointeeRecord(p_.typeOf(variable, fields));
    return record != None && made_.count(record) && !held.empty() &&
           leadsOnlyTo(held, record);
  }

  void addBehind(Id variable, const std::vector<Id> &fields) {
    if (!isProved(variable, fields))
      return;
    const Id record = p_.pointeeRecord(p_.typeOf(variable, fields));
    const size_t first = out_.types.size();
    if (seen_.insert(record).second)
      add(record, made_.at(record), p_.nameOf(variable, fields));
    addFrom(first);
  }

private:
  void findLasting() {
    findCandidates();
    for (const PersistentType &t : out_.types)
      if (!t.byValue)
        kept_.insert(t.record);
    for (const PersistentType &t : out_.types)
      for (Id part : p_.nested(t.record))
        for (Id field : f_.records[part].fields)
          dropMixed(field);
    // Those that lead to each other stand or fall together.
    while (dropOne())
      ;
    for (const PersistentType &t : out_.types)
      seen_.insert(t.record);
  }

  /// What hangs from these types, and from what is added.
  void addFrom(size_t first) {
    const IdSet whole = comeBackWhole();
    for (size_t i = first; i < out_.types.size(); ++i)
      for (Id part : whole.contains(out_.types[i].record)
                         ? p_.nested(out_.types[i].record)
                         : llvm::ArrayRef<Id>())
        for (Id field : f_.records[part].fields)
          add(field);
  }

  /// Records of the program of which handlers make all blocks.
  void findCandidates() {
    IdSet others;
    for (const Allocators::Site &site : sites_.sites())
      for (Id record : site.records)
        if (site.records.size() == 1 && site.hasOwnRecord &&
            p_.isProgramRecord(record) && isOfHandlers(site))
          made_.try_emplace(record, site.call);
        else
          others.insert(record);
    for (Id record : others)
      made_.erase(record);
  }

  /// A static record's fields are not in the pool, but for those of a table.
  IdSet comeBackWhole() const {
    IdSet whole;
    for (const Allocators::Site &site : sites_.sites())
      whole.insert(site.records.begin(), site.records.end());
    auto addTable = [&](Id type) {
      if (type != None && p_.kind(type) == TypeKind::Array)
        if (Id record = p_.recordOf(type); record != None)
          whole.insert(record);
    };
    for (const Node &n : f_.nodes)
      if (n.kind == NodeKind::Global && n.isDefined)
        addTable(n.type);
    for (const Field &field : f_.fields)
      addTable(field.type);
    return whole;
  }

  bool isOfHandlers(const Allocators::Site &site) const {
    Id fn = f_.calls[site.call].function;
    return fn != None && c_.phases.handled.contains(fn) &&
           !c_.phases.atStart.contains(fn) && !c_.phases.loading.contains(fn) &&
           !c_.pointsTo.reached().contains(fn);
  }

  /// What a persistent field leads to that may hold other things, too: a void
  /// *, a member of a union.
  void dropMixed(Id field) {
    Id record = p_.pointeeRecord(p_.element(f_.fields[field].type));
    for (unsigned t : c_.flow.inField(field)) {
      const FieldFlow::Token &token = c_.flow.tokens()[t];
      if (token.kind == FieldFlow::Token::Site)
        for (Id made : sites_.sites()[token.ref].records)
          if (made != record || f_.records[f_.fields[field].record].isUnion)
            made_.erase(made);
    }
  }

  bool dropOne() {
    for (const auto &[record, call] : made_)
      if (!llvm::all_of(f_.records[record].fields,
                        [&](Id field) { return lasts(field); })) {
        made_.erase(record);
        return true;
      }
    return false;
  }

  /// Nothing that ends with the process is ever there.
  bool lasts(Id field) {
    if (f_.records[f_.fields[field].record].isUnion)
      return false;
    Id type = p_.element(f_.fields[field].type);
    if (Id record = p_.recordOf(type); record != None)
      return p_.isProgramRecord(record) &&
             llvm::all_of(f_.records[record].fields,
                          [&](Id inner) { return lasts(inner); });
    if (!p_.isPointer(type))
      return p_.kind(type) != TypeKind::Integer || isNumber(field);
    Id to = p_.pointee(type);
    if (p_.isFunctionPointer(type))
      return leadsToProgramCode(c_.flow.inField(field));
    if (Id record = p_.pointeeRecord(type); record != None)
      return leadsToLasting(field, record);
    return p_.kind(to) == TypeKind::Byte && isOwnText(field);
  }

  /// strlen(text), atol(text): a number, however large its type is.
  bool isSaidByText(Id call) const {
    return call != None &&
           (p_.hasTraitOf(f_.calls[call], LibraryFunction::ComparesText) ||
            p_.hasTraitOf(f_.calls[call], LibraryFunction::ReadsText)) &&
           !p_.isPointer(f_.nodes[f_.calls[call].result].type);
  }

  /// Not given by a system call, and no address.
  bool isNumber(Id field) {
    return llvm::all_of(origins_.ofAddressesIn(field),
                        [&](const auto &o) { return isSaidByText(o.call); }) &&
           llvm::all_of(origins_.ofField(field), [&](const auto &o) {
             Id callee = o.call == None ? None : f_.calls[o.call].callee;
             return !o.isBehind && callee != None &&
                    !hasTrait(f_.functions[callee].name,
                              LibraryFunction::GivesDescriptor) &&
                    !hasTrait(f_.functions[callee].name,
                              LibraryFunction::GivesProcess);
           });
  }

  /// Blocks of the program, and literals.
  bool isOwnText(Id field) {
    return llvm::all_of(origins_.ofField(field),
                        [&](const auto &o) {
                          return o.call != None
                                     ? sites_.siteOf(o.call) != nullptr
                                     : f_.nodes[o.variable].kind ==
                                           NodeKind::Literal;
                        }) &&
           origins_.outsideOf(field).empty();
  }

  bool leadsToLasting(Id field, Id record) {
    return (kept_.contains(record) || made_.count(record)) &&
           leadsOnlyTo(c_.flow.inField(field), record);
  }

  /// To functions of the program, which the pool keeps by name.
  bool leadsToProgramCode(const FieldFlow::Set &held) const {
    for (unsigned t : held) {
      const FieldFlow::Token &token = c_.flow.tokens()[t];
      if (token.kind != FieldFlow::Token::Function ||
          !f_.functions[token.ref].hasBody)
        return false;
    }
    return true;
  }

  bool leadsOnlyTo(const FieldFlow::Set &held, Id record) const {
    for (unsigned t : held) {
      const FieldFlow::Token &token = c_.flow.tokens()[t];
      if (token.kind != FieldFlow::Token::Site ||
          !llvm::is_contained(sites_.sites()[token.ref].records, record))
        return false;
    }
    return true;
  }

  /// Of a persistent record.
  void add(Id field) {
    Id record = p_.pointeeRecord(p_.element(f_.fields[field].type));
    auto made = made_.find(record);
    if (record == None || made == made_.end() ||
        !leadsToLasting(field, record) || c_.flow.inField(field).empty() ||
        !seen_.insert(record).second)
      return;
    add(record, made->second,
        f_.records[f_.fields[field].record].name + "." + f_.fields[field].name);
  }

  void add(Id record, Id made, const std::string &head) {
    const Call &call = f_.calls[made];
    PersistentType t;
    t.record = record;
    t.readOutsideLoad = true;
    t.witness.function = call.function;
    t.witness.site = call.loc;
    t.witness.action = "a handler allocates it, and " + head + " points to it";
    out_.types.push_back(std::move(t));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const Allocators &sites_;
  ValueOrigins &origins_;
  View<LoadedTypes> out_;
  std::map<Id, Id> made_; ///< records, and a call that makes each
  IdSet kept_;            ///< records of which the load makes objects
  IdSet seen_;
};

} // namespace

namespace nvmove {

void findHandlerTypes(View<LoadedTypes> a) {
  if (a.context.loop.loop != None && !a.types.empty())
    HandlerTypes(a).run();
}

} // namespace nvmove

bool nvmove::isOfHandlers(View<LoadedTypes> a, Id variable,
                          const std::vector<Id> &fields) {
  return HandlerTypes(a).isProved(variable, fields);
}

void nvmove::addHandlerTypesBehind(View<LoadedTypes> a, Id variable,
                                   const std::vector<Id> &fields) {
  HandlerTypes(a).addBehind(variable, fields);
}
