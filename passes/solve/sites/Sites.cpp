//===- Sites.cpp - Which allocations, stores and calls change -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/facts/Library.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/sites/BlockTypes.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(NoAllocation, UnannouncedCall, UneditableAllocation, UneditableCall,
        UneditableStore, UnsupportedCall)

using namespace nvmove;

namespace {

using SitesParts = View<const Types, const Pool, const CommitsAtOutput,
                        Allocations, OtherAllocations, Stores, ReplacedCalls,
                        ReplacedUses, WrappedBuffers, AdoptedCalls>;

class SiteFinder {
public:
  SiteFinder(const SolveContext &c, const PoolMembership &heap,
             ValueOrigins &origins, const SitesParts &found)
      : c_(c), heap_(heap), blocks_(c.program, c.flow),
        streams_(c.program, origins), p_(c.program), f_(c.program.facts),
        out_(found) {}

  void run() {
    allocations();
    withoutAllocation();
    stores();
    calls();
    jointForms();
    uses();
  }

private:
  void report(FindingRef id, Loc loc, Id function, std::string what,
              std::string advice = "") {
    out_.findings.report(
        {id, loc, function, std::move(what), std::move(advice)});
  }

  std::string callee(const Call &c) const {
    return c.callee == None ? "a function pointer"
                            : f_.functions[c.callee].name;
  }

  void allocations() {
    const auto &sites = c_.allocators.sites();
    for (size_t i = 0; i < sites.size(); ++i) {
      const Call &c = f_.calls[sites[i].call];
      if (heap_.whySite(i).empty()) {
        if (!c.inHook)
          leaveOut(sites[i]);
        continue;
      }
      if (const LibraryFunction *l = p_.library(c);
          l && (l->form ? mapsOtherMemory(c, *l) : !canAdopt(c, *l)))
        continue; // calls() says so
      if (!c.span.valid()) {
        if (!c.inHook)
          report(FindingId::UneditableAllocation, c.loc, c.function,
                 "the call of " + callee(c) +
                     " is not in one place of the text");
        continue;
      }
      Id record = None;
      for (Id r : sites[i].records)
        if (record == None && heap_.isPersistent(r) &&
            blocks_.holds(sites[i], i, r))
          record = r;
      out_.allocations.push_back({sites[i].call, record, heap_.whySite(i)});
    }
  }

  void leaveOut(const Allocators::Site &site) {
    if (site.raw()) {
      out_.otherAllocations.push_back(
          {site.call, None,
           "no persistent field or root was found to point to its bytes"});
      return;
    }
    for (Id r : site.records)
      if (heap_.isPersistent(r)) {
        bool byValue = llvm::any_of(out_.types, [&](const PersistentType &t) {
          return t.record == r && t.byValue;
        });
        out_.otherAllocations.push_back(
            {site.call, r,
             byValue ? "each start creates the one record of this type; the "
                       "members that the load fills are kept by value"
                     : "a library keeps memory of its own in it"});
        return;
      }
    out_.otherAllocations.push_back({site.call, site.records.front(), ""});
  }

  /// (struct s *)arena->next, of type char * or void *.
  bool isPlaceInBytes(Id value) const {
    Id to = p_.pointee(f_.nodes[value].type);
    if (to == None || p_.kind(to) != TypeKind::Void)
      return to != None && p_.kind(to) == TypeKind::Byte;
    Id load = p_.definition(value);
    if (load == None || f_.constraints[load].flow != Flow::Load)
      return false;
    Id member = p_.definition(f_.constraints[load].src);
    return member != None && f_.constraints[member].flow == Flow::Member;
  }

  /// Nothing that leads to the type comes from a block of the heap, or from a
  /// variable, or from a record around it that does.
  void withoutAllocation() {
    auto isMade = [&](const FieldFlow::Set &set) {
      for (unsigned t : set) {
        const auto &token = c_.flow.tokens()[t];
        if (token.kind == FieldFlow::Token::Static ||
            token.kind == FieldFlow::Token::WrapperBlock ||
            (token.kind == FieldFlow::Token::Site &&
             !heap_.whySite(token.ref).empty()))
          return true;
      }
      return false;
    };
    IdSet made;
    for (Id n = 0; n < f_.nodes.size(); ++n) {
      Id type = f_.nodes[n].type;
      if (Id r = type == None ? None : p_.recordOf(type); r != None)
        made.insert(r);
      if (Id r = type == None ? None : p_.pointeeRecord(type);
          r != None && !made.contains(r) && isMade(c_.flow.atNode(n)))
        made.insert(r);
    }
    for (const Allocators::Site &site : c_.allocators.sites())
      made.insert(site.records.begin(), site.records.end());
    // What lies in bytes: in the blocks of an arena.
    for (const Constraint &k : f_.constraints)
      if ((k.flow == Flow::Cast || k.flow == Flow::Copy) && k.src != None &&
          isPlaceInBytes(k.src))
        made.insert(p_.pointeeRecord(f_.nodes[k.dst].type));
    made.erase(None);
    for (const PointsTo::Location &l : c_.pointsTo.locations())
      if (const auto &o = c_.pointsTo.objects()[l.object];
          l.field != None && o.kind == PointsTo::Object::Heap &&
          !heap_.whySite(o.ref).empty())
        made.insert(f_.fields[l.field].record);
    // A file that was not given may allocate it: that is reported.
    bool isComplete = llvm::none_of(f_.calls, [&](const Call &c) {
      return c.callee != None && p_.isOwnWithoutBody(c.callee);
    });
    for (const PersistentType &t : out_.types)
      if (llvm::none_of(made, [&](Id r) { return p_.compatible(r, t.record); }))
        out_.findings.report(
            Finding{FindingId::NoAllocation, f_.records[t.record].loc, None,
                    f_.records[t.record].spelling +
                        " is persistent, but no call is known that allocates "
                        "it: it is not put into the heap"}
                .as(isLayoutOnly(t.record) ? Severity::Note
                    : isComplete           ? Severity::Act
                                           : Severity::Check));
  }

  /// Nothing reads or writes a field of it, or copies one whole: its size
  /// alone is of use.
  bool isLayoutOnly(Id record) const {
    return llvm::none_of(f_.constraints, [&](const Constraint &k) {
      if (k.flow == Flow::Member)
        return p_.compatible(f_.fields[k.extra].record, record);
      return k.flow == Flow::CopyMemory && k.extra != None &&
             p_.recordOf(k.extra) != None &&
             p_.compatible(p_.recordOf(k.extra), record);
    });
  }

  void stores() {
    llvm::DenseSet<std::pair<Id, std::pair<unsigned, unsigned>>> complained;
    for (Id i = 0; i < f_.stores.size(); ++i) {
      const StoreSite &s = f_.stores[i];
      std::string why = heap_.whyStore(s);
      if (why.empty())
        continue;
      if (!s.span.valid() && !s.hooked && !s.announcedBefore &&
          s.before.empty()) {
        if (complained.insert({s.loc.file, {s.loc.line, s.loc.column}}).second)
          report(FindingId::UneditableStore, s.loc, s.function,
                 "this store cannot be announced in place",
                 "write it out of its macro");
        continue;
      }
      out_.stores.push_back({i, why});
    }
  }

  /// nvm_free() takes every block: in doubt it is called. Also of release(void
  /// *p), where types speak at the calls alone.
  bool mayBeBlock(Id value, unsigned depth = 0) const {
    if (value == None || heap_.liesBehind(value))
      return value != None;
    if (depth == 4)
      return false;
    if (Id from = p_.copied(value); from != None)
      return mayBeBlock(from, depth + 1);
    Id function = f_.nodes[value].function;
    if (function == None)
      return false;
    const std::vector<Id> &params = f_.functions[function].params;
    auto param = llvm::find(params, value);
    size_t k = param - params.begin();
    return param != params.end() &&
           llvm::any_of(p_.callersOf(function), [&](Id i) {
             const Call &c = f_.calls[i];
             return k < c.args.size() && mayBeBlock(c.args[k], depth + 1);
           });
  }

  void calls() {
    const IdSet &handlers = c_.phases.handled;
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      const LibraryFunction *l = p_.library(c);
      bool isTaken = heap_.libraryAllocations().contains(i);
      keptBuffers(c);
      for (const PoolMembership::Written &w : heap_.writtenBy(c))
        if (const ScannedArg *s = c.scannedAt(w.argument)) {
          if (!isTaken || s->extent != ScannedArg::Block)
            out_.wrapped.push_back(
                {i, w.argument,
                 s->extent == ScannedArg::Sized ? Id(s->bytes) : None,
                 s->extent == ScannedArg::Rest ? "NVM_REST" : nullptr});
        } else if (l && l->kind == LibraryFunction::Input &&
                   f_.functions[c.callee].isVariadic) { // %s
          out_.wrapped.push_back({i, w.argument, None, "NVM_REST"});
        } else if (announce(i, w.argument) || isJoint(c))
          continue;
        else if (!l || int(w.argument) != l->destination ||
                 l->kind == LibraryFunction::Nondeterministic)
          unannounced(c, w);
      if (!l)
        continue;
      using K = LibraryFunction;
      Id destination =
          l->destination >= 0 && size_t(l->destination) < c.args.size()
              ? c.args[l->destination]
              : None;
      bool hooked = l->destination >= 0 &&
                    size_t(l->destination) < c.argIsHooked.size() &&
                    c.argIsHooked[l->destination];
      switch (l->kind) {
      case K::Allocate:
        if (isTaken)
          allocate(i, *l, "allocates for the heap");
        else if (putsInHeap(c, *l))
          allocate(i, *l, "may put the block's address in the heap");
        break;
      case K::Reallocate:
      case K::Free:
      case K::Usable:
        if (heap_.libraryAllocations().contains(i) ||
            (!c.args.empty() && mayBeBlock(c.args[0])))
          replace(i, *l, "the block may be in the heap");
        break;
      case K::Input:
      case K::Write: {
        if (isTaken) // %ms
          allocate(i, *l, "allocates for the heap");
        std::string why = heap_.whyArgument(destination);
        if (l->scatters &&
            (l->form ? heap_.hasBlocks() : heap_.leadsThere(destination)))
          replace(i, *l, "may fill persistent memory");
        if (hooked || why.empty() || c.scannedAt(l->destination) ||
            (!l->form &&
             writtenBehind(f_.functions[c.callee].name, l->destination)))
          break;
        if (!f_.functions[c.callee].isVariadic)
          replace(i, *l, "may write persistent memory: " + why);
        break;
      }
      case K::Print:
      case K::Assign:
        if (uint32_t buffer = l->destination;
            !heap_.whyArgument(destination).empty())
          out_.wrapped.push_back(
              {i, buffer, l->kind == K::Print ? buffer + 1 : None});
        break;
      case K::Unbounded:
        if (heap_.whyArgument(destination).empty())
          break;
        if (l->form)
          replace(i, *l,
                  "may write persistent memory: " +
                      heap_.whyArgument(destination));
        break;
      case K::Output:
        if (c.function != None &&
            (out_.commitsAtOutput || handlers.contains(c.function) ||
             c_.loop.isInLoop(c)) &&
            streams_.letOut(c))
          replace(i, *l, "output is written after its commit");
        break;
      case K::Wait:
      case K::Sleep:
        if (out_.commitsAtOutput && c.function != None)
          replace(i, *l,
                  "ended sections are committed before the program waits");
        break;
      case K::Nondeterministic:
      case K::Plain:
      case K::Exit:
        break;
      }
    }
  }

  /// strtok(NULL, ..) goes on in the text of an earlier call: where one may
  /// write to the heap, or keep what lies there, all are replaced, if all can.
  void jointForms() {
    std::map<int, std::vector<Id>> calls;
    std::set<int> needed;
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      if (c.callee == None || f_.functions[c.callee].hasBody)
        continue;
      const JointForm form =
          libraryFact(f_.functions[c.callee].name, &LibraryFunction::joint);
      if (form.group < 0)
        continue;
      calls[form.group].push_back(i);
      if (!heap_.writtenBy(c).empty() ||
          (form.kept >= 0 && size_t(form.kept) < c.args.size() &&
           heap_.liesBehind(c.args[form.kept])))
        needed.insert(form.group);
    }
    for (int group : needed)
      for (Id i : calls[group])
        replace(i, *libraryEntry(f_.functions[f_.calls[i].callee].name),
                "may write persistent memory, or keep pointers to it, as other "
                "functions of its kind do");
  }

  bool isJoint(const Call &c) const {
    return libraryFact(f_.functions[c.callee].name, &LibraryFunction::joint)
               .group >= 0;
  }

  /// A pointer that a library puts into the heap leads to its own memory.
  void unannounced(const Call &c, const PoolMembership::Written &w) {
    Id to = p_.pointee(f_.nodes[c.args[w.argument]].type);
    bool putsPointer = to != None && p_.isPointer(to) &&
                       !libraryEntry(f_.functions[c.callee].name) &&
                       !p_.isOwnWithoutBody(c.callee);
    if (!putsPointer)
      return report(FindingId::UnannouncedCall, c.loc, c.function, w.why);
    out_.findings.report(
        Finding{FindingId::UnannouncedCall, c.loc, c.function,
                w.why + ", and a pointer that it puts there may lead to memory "
                        "of the library",
                "hand it a local variable, and keep a copy of what that then "
                "leads to"}
            .as(Severity::Act));
  }

  /// time(&p->at): a hook announces all that is written.
  bool announce(Id call, uint32_t argument) {
    const Call &c = f_.calls[call];
    const WrittenArg *w = writtenBehind(f_.functions[c.callee].name, argument);
    if (!w || w->size >= int(c.args.size()))
      return false;
    Id to = p_.pointee(f_.nodes[c.args[argument]].type);
    bool hasSize = w->size >= 0,
         isOpen = !hasSize && w->size == WrittenArg::Object && !hasExtent(to);
    out_.wrapped.push_back({call, argument, hasSize ? Id(w->size) : None,
                            w->size == WrittenArg::Behind ? "NVM_BEHIND"
                            : w->size == WrittenArg::Rest || isOpen ? "NVM_REST"
                                                                    : nullptr});
    return true;
  }

  bool hasExtent(Id type) const {
    Id record = type == None ? None : p_.recordOf(type);
    return type != None && p_.kind(type) != TypeKind::Void &&
           (record == None || f_.records[record].complete);
  }

  /// setvbuf(f, p->buffer, ..): written at any later time; fmemopen(p->text,
  /// ..) by who is to write there.
  void keptBuffers(const Call &c) {
    const LibraryFunction *row =
        c.callee == None || f_.functions[c.callee].hasBody
            ? nullptr
            : libraryEntry(f_.functions[c.callee].name);
    if (!row || !(row->traits & LibraryFunction::WritesLater))
      return;
    for (int k : {row->keeps.first, row->keeps.second})
      if (k >= 0 && size_t(k) < c.args.size() && heap_.leadsThere(c.args[k]))
        report(
            row->traits & LibraryFunction::OpensStream
                ? FindingId::UnannouncedCall
                : FindingId::UnsupportedCall,
            c.loc, c.function,
            callee(c) + ": argument " + std::to_string(k + 1) +
                " may be in the heap, and later writes to it are not announced",
            "give it memory that belongs to no persistent object");
  }

  /// MAP_SHARED, or a file.
  bool mapsOtherMemory(const Call &c, const LibraryFunction &l) const {
    if (!(l.traits & LibraryFunction::MapsMemory))
      return false;
    constexpr uint64_t isPrivate = 0x2; // MAP_PRIVATE
    return p_.mapsFile(c, c.callee) ||
           !(c.constantAt(3).value_or(0) & isPrivate);
  }

  /// The block is bytes and nothing else, or one of scanf()'s.
  bool canAdopt(const Call &c, const LibraryFunction &l) const {
    return !l.name.empty() &&
           !(l.traits & (LibraryFunction::LeadsToOthers |
                         LibraryFunction::TakesPlaceInBlock)) &&
           (l.kind == LibraryFunction::Allocate || p_.makesBlock(c));
  }

  void allocate(Id i, const LibraryFunction &l, const std::string &why) {
    const Call &c = f_.calls[i];
    if (mapsOtherMemory(c, l))
      return report(FindingId::UnsupportedCall, c.loc, c.function,
                    callee(c) + ": " + why +
                        ", but what it maps may be a file, or memory that "
                        "other processes share",
                    "copy what must be kept into a block of malloc()");
    if (l.form || !canAdopt(c, l))
      return replace(i, l, why);
    if (c.inHook)
      return;
    if (!c.span.valid())
      return report(FindingId::UneditableCall, c.loc, c.function,
                    callee(c) + ": " + why +
                        ", but the text of the call is not in one place");
    out_.adopted.push_back(i);
    if (l.kind == LibraryFunction::Allocate && l.destination >= 0)
      out_.wrapped.push_back({i, uint32_t(l.destination), None,
                              l.resizes ? "NVM_IN_OUT" : "NVM_OUT"});
    for (const ScannedArg &s : c.scanned)
      if (s.extent == ScannedArg::Block)
        out_.wrapped.push_back({i, s.arg, None, "NVM_OUT"});
  }

  /// asprintf(&p->text, ..), getline(&text, &p->size, f).
  bool putsInHeap(const Call &c, const LibraryFunction &l) const {
    if (l.destination < 0 || isRuntimeCall(f_.functions[c.callee].name))
      return false;
    for (size_t k = 0; k < c.args.size(); ++k)
      if (!c.argIsReadOnly[k] && !c.argIsHooked[k] &&
          (heap_.liesBehind(c.args[k]) ||
           (int(k) == l.destination && !heap_.whyArgument(c.args[k]).empty())))
        return true;
    return false;
  }

  void replace(Id call, const LibraryFunction &l, const std::string &why) {
    const Call &c = f_.calls[call];
    if (!c.calleeSpan.valid() && isRuntimeCall(f_.functions[c.callee].name))
      return;
    const std::string form = l.formToCall();
    if (form.empty() || !(c.calleeSpan.valid() || c.inHook)) {
      report(!form.empty() ? FindingId::UneditableCall
                           : FindingId::UnsupportedCall,
             c.loc, c.function,
             callee(c) + ": " + why + ", but " +
                 (!form.empty() ? "the text of the call is not in one place"
                                : "the runtime has no replacement for it"));
      return;
    }
    out_.replaced.push_back({call, form, why});
  }

  void uses() {
    for (Id u = 0; u < f_.addressUses.size(); ++u) {
      const AddressUse &use = f_.addressUses[u];
      const std::string why = heap_.whyThroughPointers(use);
      if (why.empty())
        continue;
      const std::string &name = f_.functions[p_.functionOf(use.variable)].name;
      if (const char *form = libraryFunction(name)->form)
        out_.replacedUses.push_back({u, form, why});
      else
        report(FindingId::UnsupportedCall, use.loc, use.function,
               name + " is used as a value: " + why +
                   ", and the runtime has no replacement for it");
    }
    if (!heap_.hasWrappers() && heap_.libraryAllocations().empty() &&
        !heap_.usesPointers())
      return;
    for (Id u = 0; u < f_.addressUses.size(); ++u) {
      Id fn = p_.functionOf(f_.addressUses[u].variable);
      if (fn == None || f_.functions[fn].hasBody || f_.addressUses[u].inHook)
        continue;
      const LibraryFunction *l = libraryFunction(f_.functions[fn].name);
      if (!l || isRuntimeCall(f_.functions[fn].name) || !l->form)
        continue;
      if (l->kind == LibraryFunction::Free ||
          l->kind == LibraryFunction::Reallocate)
        out_.replacedUses.push_back(
            {u, l->form, "may be given blocks of the heap"});
      else if (l->kind == LibraryFunction::Allocate && heap_.usesPointers())
        out_.replacedUses.push_back(
            {u, l->form, "may be asked for blocks of the heap"});
    }
  }

  const SolveContext &c_;
  const PoolMembership &heap_;
  BlockTypes blocks_;
  Streams streams_;
  const Program &p_;
  const Facts &f_;
  SitesParts out_;
};

} // namespace

namespace nvmove {

void findSites(SitesParts a) {
  SiteFinder(a.context, *a.pool, a.origins(), a).run();
}

} // namespace nvmove
