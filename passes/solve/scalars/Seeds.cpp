//===- Seeds.cpp - What decides where loaded data lie ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>

REPORTS(AddressDecides)

using namespace nvmove;

namespace {

using SeedsParts = View<ServedStatics>;

bool isMadeNumber(const Program &p, const Constraint &c) {
  auto type = [&](Id node) { return p.facts.nodes[node].type; };
  return (c.flow == Flow::Copy || c.flow == Flow::Cast) && c.src != None &&
         p.isPointer(type(c.src)) && type(c.dst) != None &&
         p.kind(type(c.dst)) == TypeKind::Integer;
}

/// (uintptr_t)end - (uintptr_t)begin, which is the same wherever these are.
bool isDistance(const Program &p, const DefinitionIndex &values, Id node) {
  unsigned addresses = 0;
  for (Id i : values.definitions(node)) {
    const Constraint &c = p.facts.constraints[i];
    Id made = c.flow == Flow::Arith ? p.definition(c.src) : None;
    if (made == None || !isMadeNumber(p, p.facts.constraints[made]))
      return false;
    ++addresses;
  }
  return addresses == 2;
}

/// Values that differ from run to run: the time, a random number, a process id,
/// an address.
class Chance : BackwardSlice {
public:
  Chance(const Program &program, const FieldFlow &flow,
         const DefinitionIndex &values)
      : BackwardSlice(program, values, {.flows = Any, .parameters = true}),
        flow_(flow) {
    for (const Call &c : f_.calls)
      if (const LibraryFunction *known = p_.library(c))
        for (size_t k = 0; k < c.args.size(); ++k)
          if (known->kind == LibraryFunction::Nondeterministic ||
              (known->kind == LibraryFunction::Input &&
               known->destination == int(k)))
            noteFilled(c.args[k]);
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && c.src != None) {
        eachBlock(c.dst,
                  [&](unsigned block) { stored_[block].push_back(c.src); });
        if (Id place = placeOf(c.dst); place != None)
          storedIn_[place].push_back(c.src);
      }
  }

  /// Is the value of `node` computed from one?
  bool isBehind(Id node) { return run(node) == Stopped; }

private:
  static constexpr FlowSet Any =
      AccessPath::Loads | Flow::Arith | Flow::AddressOf;

  Step value(Id n) override {
    return filled_.contains(n)          ? Stop
           : isDistance(p_, values_, n) ? Skip
                                        : Follow;
  }
  Step definition(const Constraint &c) override {
    if (isMadeNumber(p_, c))
      return Stop;
    bool isFilled = false;
    auto followAll = [&](const auto &stored, auto key) {
      if (auto at = stored.find(key); at != stored.end())
        llvm::for_each(at->second, [&](Id v) { follow(v); });
    };
    if (c.flow == Flow::Load) {
      eachBlock(c.src, [&](unsigned block) {
        isFilled |= filledBlocks_.contains(block);
        followAll(stored_, block);
      });
      // Numbers alone: where pointers lead is another question.
      if (Id place = placeOf(c.src);
          place != None && !p_.isPointer(f_.nodes[c.dst].type))
        followAll(storedIn_, place);
    }
    return isFilled ? Stop : BackwardSlice::definition(c);
  }
  Step call(Id i) override {
    const Call &c = f_.calls[i];
    // A number that stands in a text is a setting.
    if (const LibraryFunction *known = p_.library(c);
        known && (known->traits & LibraryFunction::ReadsText))
      return Skip;
    if (p_.isLibrary(c, LibraryFunction::Nondeterministic) || givesByte(c))
      return Stop;
    for (Id callee : flow_.callees(i))
      follow(f_.functions[callee].result);
    if (p_.library(c) || (c.callee != None && !f_.functions[c.callee].hasBody))
      llvm::for_each(c.args, [&](Id a) { follow(a); });
    return Skip;
  }
  /// fgetc(): of /dev/urandom, perhaps.
  bool givesByte(const Call &c) const {
    const LibraryFunction *known = p_.library(c);
    return known && known->kind == LibraryFunction::Input &&
           known->destination < 0;
  }

  void noteFilled(Id address) {
    if (Id variable = p_.variableAt(address); variable != None)
      filled_.insert(variable);
    eachBlock(address, [&](unsigned block) { filledBlocks_.insert(block); });
  }
  /// The slot of memory that has a name: an array, or a field of any record
  /// behind a pointer. Of a record that has a name itself, settings, no two
  /// fields are mixed up: what is there is known by BackwardSlice.
  Id placeOf(Id address) const {
    const AccessPath path(p_, address);
    const Id member = path.member();
    if (member == None)
      return path.variable();
    return path.isAddress ? None : p_.slotOf(f_.fields[member].cell);
  }
  /// Of bytes and numbers: what records hold is known by their fields.
  template <class See> void eachBlock(Id address, See see) const {
    if (address != None && memberAt(p_, address) == None)
      for (unsigned t : flow_.atNode(address))
        if (flow_.tokens()[t].kind == FieldFlow::Token::Site)
          see(t);
  }

  const FieldFlow &flow_;
  IdSet filled_;       ///< variables whose address such a function got
  IdSet filledBlocks_; ///< tokens
  IdMap<llvm::SmallVector<Id, 4>> stored_;   ///< by token, values
  IdMap<llvm::SmallVector<Id, 4>> storedIn_; ///< by placeOf()
};

/// Where an address of the program itself, which differs from run to run, is
/// made a number that another is computed from. What start-up puts into a
/// static is a seed, not this.
class ProgramAddress : BackwardSlice {
public:
  ProgramAddress(const SolveContext &c, const IdSet &written)
      : BackwardSlice(c.program, c.values, {.flows = Any, .parameters = true}),
        flow_(c.flow), written_(written) {}

  const Constraint *behind(Id node) {
    found_ = nullptr;
    run(node);
    return found_;
  }

private:
  static constexpr FlowSet Any = Copies | Flow::Arith | Flow::Load;

  Step value(Id n) override {
    bool isSeed = f_.nodes[n].kind == NodeKind::Global && written_.contains(n);
    return isSeed || isDistance(p_, values_, n) ? Skip : Follow;
  }
  Step definition(const Constraint &c) override {
    if (isMadeNumber(p_, c)) {
      if (!leadsIntoProgram(c.src))
        return Skip;
      found_ = &c;
      return Stop;
    }
    if (c.flow != Flow::Load)
      return BackwardSlice::definition(c);
    if (Id variable = p_.variableAt(c.src); variable != None)
      follow(variable);
    return Skip;
  }
  Step call(Id i) override {
    for (Id callee : flow_.callees(i))
      follow(f_.functions[callee].result);
    return Skip;
  }
  bool leadsIntoProgram(Id pointer) const {
    if (p_.variableAt(pointer) != None)
      return true;
    for (unsigned t : flow_.atNode(pointer))
      if (auto kind = flow_.tokens()[t].kind;
          kind == FieldFlow::Token::Static ||
          kind == FieldFlow::Token::Function)
        return true;
    return false;
  }

  const FieldFlow &flow_;
  const IdSet &written_; ///< static variables
  const Constraint *found_ = nullptr;
};

/// A static variable or a member of one.
struct Place {
  Id variable = None;
  std::vector<Id> fields;
  auto operator<=>(const Place &) const = default;
};

class Seeds {
public:
  Seeds(const SolveContext &c, const LoadedState &s,
        const DefinitionIndex &values)
      : c_(c), s_(s), values_(values) {}

  void run(std::vector<KeptScalar> &kept, FindingList &findings) {
    findIndices();
    reportAddresses(findings);
    if (indices_.empty())
      return;
    chance_.emplace(c_.program, c_.flow, values_);
    collectStores();
    collectFills();
    for (auto &[place, seed] : seeds_)
      if (seed.startUpOnly && seed.differs) {
        seed.kept.variable = place.variable;
        seed.kept.fields = place.fields;
        seed.kept.path = c_.program.nameOf(place.variable, place.fields);
        kept.push_back(std::move(seed.kept));
      }
  }

private:
  struct Seed {
    KeptScalar kept;
    bool startUpOnly = true, differs = false;
  };

  /// The static scalars that choose a place in loaded memory; what the load
  /// sets is restored anyway.
  void findIndices() {
    const PointsTo &pt = c_.pointsTo;
    for (auto &[fn, call] : pt.reached())
      for (Id i : c_.program.constraintsOf(fn))
        if (s_.isIndexOfLoaded(f_.constraints[i]))
          for (Id l : pt.staticValuesIn(pt.pointsTo(f_.constraints[i].extra)))
            if (s_.writesTo(l).empty())
              indices_.insert({pt.objects()[pt.locations()[l].object].ref,
                               pt.locations()[l].field});
  }

  /// table[(uintptr_t)&first % size]
  void reportAddresses(FindingList &findings) const {
    IdSet written;
    for (const StaticWrite &w : f_.staticWrites)
      written.insert(w.variable);
    ProgramAddress address(c_, written);
    std::set<Loc> reported;
    for (auto &[fn, call] : c_.pointsTo.reached())
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &index = f_.constraints[i];
        const Constraint *made =
            s_.isIndexOfLoaded(index) ? address.behind(index.extra) : nullptr;
        if (made && reported.insert(made->loc).second)
          findings.report(
              {FindingId::AddressDecides, made->loc, made->function,
               "the address of a static or a function is made a "
               "number here, which decides where objects are put "
               "at " +
                   c_.program.describe(index.loc) +
                   ": it is another number in the next run, as in a "
                   "position-independent program, or in the next "
                   "build"});
      }
  }

  bool isIndex(const Place &place) const {
    return indices_.count(
        {place.variable,
         place.fields.empty() ? None : f_.fields[place.fields.back()].cell});
  }

  Seed &written(const Place &place, Id function) {
    Seed &seed = seeds_[place];
    seed.startUpOnly &= !c_.phases.handled.contains(function) &&
                        !c_.pointsTo.reached().contains(function);
    return seed;
  }

  void collectStores() {
    for (Id i = 0; i < f_.staticWrites.size(); ++i) {
      const StaticWrite &w = f_.staticWrites[i];
      Place place{w.variable, w.path};
      if (w.function == None || !isIndex(place))
        continue;
      Seed &seed = written(place, w.function);
      seed.differs |= w.value != None && chance_->isBehind(w.value);
      seed.kept.writes.push_back(i);
    }
  }

  /// By calls that are handed their address: read(fd, &seed, ..).
  void collectFills() {
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &call = f_.calls[i];
      if (call.function == None)
        continue;
      for (size_t k = 0; k < call.args.size(); ++k) {
        std::optional<Place> place = placeAt(call.args[k]);
        if (!place || !isIndex(*place) || !differsBehind(i, k, Depth))
          continue;
        Seed &seed = written(*place, call.function);
        seed.differs = true;
        seed.kept.fills.push_back(i);
      }
    }
  }

  std::optional<Place> placeAt(Id address) const {
    const AccessPath path(c_.program, address);
    if (!path.isAddress)
      return std::nullopt;
    return Place{path.base, path.members()};
  }

  /// The call puts there what differs from run to run, itself or by a function
  /// that it calls.
  static constexpr unsigned Depth = 3;
  bool differsBehind(Id i, size_t arg, unsigned depth) {
    const Call &call = f_.calls[i];
    if (const LibraryFunction *known = c_.program.library(call))
      return known->destination == int(arg) &&
             (known->kind == LibraryFunction::Input ||
              known->kind == LibraryFunction::Nondeterministic ||
              contentDiffers(copiedTo(call, arg), depth));
    if (call.callee != None && givesRandom(f_.functions[call.callee].name))
      return arg < call.argIsReadOnly.size() && !call.argIsReadOnly[arg];
    if (depth == 0)
      return false;
    for (Id callee : c_.flow.callees(i)) {
      const Function &fn = f_.functions[callee];
      if (!fn.hasBody || arg >= fn.params.size())
        continue;
      Id param = fn.params[arg];
      for (Id k : c_.program.constraintsOf(callee)) {
        const Constraint &c = f_.constraints[k];
        if (c.flow == Flow::Store && isWithin(c.dst, param) &&
            chance_->isBehind(c.src))
          return true;
      }
      for (Id k : c_.program.callsOf(callee))
        for (size_t a = 0; a < f_.calls[k].args.size(); ++a)
          if (isWithin(f_.calls[k].args[a], param) &&
              differsBehind(k, a, depth - 1))
            return true;
    }
    return false;
  }

  /// The address of the bytes that memcpy() puts there; None.
  Id copiedTo(const Call &call, size_t arg) const {
    for (Id k : c_.program.constraintsOf(call.function))
      if (const Constraint &c = f_.constraints[k];
          c.flow == Flow::CopyMemory && c.dst == call.args[arg])
        return c.src;
    return None;
  }

  /// A function is handed the memory that puts there what differs, or who calls
  /// this one has had that done.
  bool contentDiffers(Id address, unsigned depth) {
    std::optional<Place> place = placeAt(address);
    Id base = place ? place->variable : c_.program.origin(address);
    if (base == None || depth == 0)
      return false;
    Id function = f_.nodes[base].function;
    if (function == None)
      return false;
    if (auto handed = c_.program.handedFor(base))
      return llvm::any_of(*handed,
                          [&](Id a) { return contentDiffers(a, depth - 1); });
    for (Id k : c_.program.callsOf(function))
      for (size_t a = 0; a < f_.calls[k].args.size(); ++a)
        if (std::optional<Place> to = placeAt(f_.calls[k].args[a]);
            to && to->variable == base && differsBehind(k, a, depth - 1))
          return true;
    return false;
  }

  /// `address` is the parameter or computed from it.
  bool isWithin(Id address, Id param) const {
    const AccessPath path(c_.program, address,
                          AccessPath::Elements | Flow::Arith);
    return path.base == param && !path.isAddress;
  }

  const SolveContext &c_;
  const LoadedState &s_;
  const DefinitionIndex &values_;
  const Facts &f_ = c_.program.facts;
  std::set<std::pair<Id, Id>> indices_; ///< variables, with a cell or None
  std::optional<Chance> chance_;
  std::map<Place, Seed> seeds_;
};

} // namespace

namespace nvmove {

void findSeeds(SeedsParts a) {
  std::vector<KeptScalar> kept;
  Seeds(a.context, a.state, a.context.values).run(kept, a.findings);
  for (KeptScalar &seed : kept)
    a.statics.note(std::move(seed));
}

} // namespace nvmove
