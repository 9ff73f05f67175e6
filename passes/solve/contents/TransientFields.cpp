//===- TransientFields.cpp - Fields that end with the process -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/contents/PointerLayout.h"
#include "passes/solve/contents/TableElements.h"
#include "passes/solve/contents/UsesAfterRestart.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/PersistentParts.h"

REPORTS(ComesBackWhole, HoldsDescriptor, HoldsId, HoldsLock, LibraryMemory,
        PointerToVolatile, RootInLocal, UsedAfterRestart)

using namespace nvmove;

namespace {

using TransientFieldsParts =
    View<const Types, const Twins, const Pool, const Addresses, Roots,
         VolatileFields, Descriptors>;

constexpr char mapping[] = "a file that is mapped into memory";
constexpr char notCleared[] =
    ": a restart leaves it unchanged, as a dead pointer, because it may also "
    "be something other than a pointer";

class TransientFieldFinder {
public:
  TransientFieldFinder(const SolveContext &c, const PoolMembership &heap,
                       ValueOrigins &origins, const TransientFieldsParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), heap_(heap),
        origins_(origins), out_(found), values_(f_), elements_(c) {}

  void run() {
    for (Root &root : out_.roots)
      if (root.kept())
        dropEndingElements(root);
    // Of what each start makes anew these are the program's again.
    for (const Root &root : out_.roots)
      if (root.kept() && root.container != None)
        containers_.insert(root.container);
    parts_.emplace(p_, out_.types, containers_);
    findLibraryRecords();
    findReadAsPointers();
    for (Id record : parts_->records())
      findInRecord(record);
    for (const Root &root : out_.roots)
      if (root.kept() && root.container != None)
        findInContainer(root);
    for (const Root &root : out_.roots)
      if (root.kept() && root.container == None)
        reportMixed(root);
    for (Root &root : out_.roots)
      if (root.kept() && root.container == None &&
          p_.isPointer(p_.element(root.slotType)))
        findInRoot(root);
    findInTables();
  }

private:
  /// In which libraries keep memory of their own, or which they alone know and
  /// make behind an argument: heap_create(&p->heap).
  void findLibraryRecords() {
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      int k = c.callee == None ? -1
                               : libraryFact(f_.functions[c.callee].name,
                                             &LibraryFunction::keepsMemoryIn);
      if (k < 0 || f_.functions[c.callee].hasBody ||
          size_t(k) >= c.args.size() || c.args[k] == None)
        continue;
      Id to = p_.pointee(f_.nodes[c.args[k]].type),
         record =
             p_.pointeeRecord(p_.isPointer(to) ? to : f_.nodes[c.args[k]].type);
      if (record != None && !p_.isProgramRecord(record))
        ofLibraries_.try_emplace(record, i);
    }
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      if (c.callee == None || f_.functions[c.callee].hasBody)
        continue;
      for (Id a : c.args) {
        Id record = memberAt(p_, a) == None
                        ? None
                        : p_.pointeeRecord(p_.pointee(f_.nodes[a].type));
        if (record != None && !f_.records[record].complete)
          ofLibraries_.try_emplace(record, i);
      }
    }
  }

  /// (struct client *)(t->owner & ~1)
  void findReadAsPointers() {
    struct FieldsRead : BackwardSlice {
      FieldsRead(const SolveContext &c, const DefinitionIndex &values,
                 IdSet &cells)
          : BackwardSlice(c.program, values, {.flows = Copies | Flow::Arith}),
            cells(cells) {}
      Step definition(const Constraint &c) override {
        if (Id field = c.flow == Flow::Load ? memberAt(p_, c.src) : None;
            field != None)
          cells.insert(f_.fields[field].cell);
        return BackwardSlice::definition(c);
      }
      IdSet &cells;
    } search(c_, values_, readAsPointer_);
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Cast && c.src != None &&
          p_.isPointer(f_.nodes[c.dst].type) &&
          p_.kind(f_.nodes[c.src].type) == TypeKind::Integer)
        search.run(c.src);
  }

  void findInRecord(Id record) {
    if (ofLibraries_.count(record))
      return; // reported as a whole
    for (Id field : f_.records[record].fields) {
      Id element = p_.element(f_.fields[field].type);
      Id inner = p_.isPointer(element) ? p_.pointeeRecord(element)
                                       : p_.recordOf(element);
      if (auto by = ofLibraries_.find(inner); by != ofLibraries_.end())
        reportOfLibrary(field, by->second);
      else if (inner != None && !p_.isPointer(element) &&
               f_.records[inner].spelling == "fd_set")
        reportOfSet(field);
      else if (inner != None && !p_.isPointer(element) &&
               (isLock(f_.records[inner].spelling) ||
                f_.records[inner].spelling == "sem_t"))
        reportOfLock(field);
      else if (p_.isFunctionPointer(element))
        findCode(field);
      else if (p_.isPointer(element))
        findIn(field);
      else if (f_.types[element].kind == TypeKind::Integer &&
               f_.types[element].size_bytes == 4 &&
               !f_.fields[field].width_bits)
        findDescriptor(field);
      else if (readAsPointer_.contains(f_.fields[field].cell))
        findInNumber(field);
    }
  }

  /// Pointers to it have its address in this run after a restart.
  bool isFollowed(Id variable) const {
    return llvm::any_of(out_.twins, [&](const Twin &t) {
      return t.isFollowed && t.variable == variable;
    });
  }

  /// A static pointer that leads to nothing but a local of main that pointers
  /// do not follow, or to a block that the pool does not get, is left to each
  /// start. That one which may lead elsewhere, too, is kept, and reported. What
  /// is read through a char ** is not followed, so text is never known to be
  /// all.
  void findInRoot(Root &root) {
    Id pointee = p_.pointeeRecord(p_.element(root.slotType));
    bool isArray = !p_.isPointer(root.slotType);
    const ValueOrigins::Origin *local = nullptr, *block = nullptr;
    Id record = None;
    bool isKept = false;
    std::vector<ValueOrigins::Origin> origins =
        origins_.ofSlot(root.variable, root.fields);
    for (const ValueOrigins::Origin &o : origins) {
      if (o.call == None) {
        const Node &n = f_.nodes[o.variable];
        const bool isLocal = n.kind == NodeKind::Local;
        const bool follows = isLocal && isFollowed(o.variable);
        const bool lasts = isLocal && c_.loop.frames.contains(n.function);
        local = lasts && !follows && !local ? &o : local;
        isKept |= !isLocal || follows;
      } else if (Id of = volatileRecord(o.call, pointee); of != None) {
        record = of;
        block = &o;
      } else {
        isKept = true;
      }
    }
    std::optional<Ending> text;
    if (!local && !block)
      text = endingText(origins, origins_.outside(), root.slotType);
    ValueOrigins::Origin made;
    if (origins.empty() && pointee != None) {
      if (Id call = onlyVolatile(pointee); call != None) {
        made = madeBy(call);
        record = pointee;
        block = &made;
      }
    }
    Id mapped = heap_.mappedIn(c_.flow.inSlot(root.variable, root.fields));
    if (mapped != None && !local && !block) {
      made = madeBy(mapped);
      block = &made;
    }
    if (text && !block) {
      made = text->from;
      block = &made;
    } else {
      text.reset();
    }
    isKept |= isArray || mapped != None || text;
    root.mayEnd = isKept && (local || block);
    // A member holds what any variable of its type does.
    if ((!local && !block) ||
        (isKept && mapped == None && !text && !root.fields.empty()))
      return;
    const ValueOrigins::Origin &o = local ? *local : *block;
    std::string what = local  ? f_.nodes[o.variable].name + ", a local variable"
                       : text ? text->what
                       : record != None
                           ? f_.records[record].spelling +
                                 ", allocated here and not persistent"
                           : mapping;
    if (!isKept)
      root.notKept = "leads to " + what;
    out_.findings.report(Finding{
        local ? FindingId::RootInLocal : FindingId::PointerToVolatile, o.loc,
        o.function,
        root.path + (isKept ? " may point to " : " points to ") + what +
            (isKept
                 ? ": after a restart it has the value of that start"
                 : ": it is not kept, and has the value that each start sets"),
        "nothing, if the value of each start is right; else make it "
        "persistent, or set it after nvm_restore()"}
                             .about(root.path)
                             .as(isKept ? Severity::Check : Severity::Note));
  }

  /// A table that each start makes, and out of which the load takes nothing but
  /// what the pool does not get. Kept, it would lead there after a restart.
  void dropEndingElements(Root &root) {
    IdSet elements = elements_.takenOut(root);
    if (elements.empty() || !llvm::all_of(elements, [&](Id record) {
          return onlyVolatile(record) != None;
        }))
      return;
    const Call &made = f_.calls[onlyVolatile(*elements.begin())];
    const std::string &name = f_.records[*elements.begin()].spelling;
    root.notKept = "its elements end with the process: " + name;
    out_.findings.report(Finding{
        FindingId::PointerToVolatile, made.loc, made.function,
        root.path + " leads to " + name +
            ", allocated here and not persistent, and the load only looks up "
            "elements there: it is not kept, and each start creates it",
        "nothing: each start creates it"}
                             .about(root.path)
                             .as(Severity::Note));
  }

  /// Of a record that each start makes.
  void findInContainer(const Root &root) {
    for (const std::vector<Id> &way : root.containerFields) {
      Id field = way.back();
      if (parts_->contains(f_.fields[field].record) ||
          !p_.isPointer(p_.element(f_.fields[field].type)))
        continue;
      constexpr char stays[] =
          ": after a restart it has the value of that start";
      if (Id call = heap_.mappedIn(c_.flow.inField(field)); call != None) {
        if (reportedContainers_.insert(field).second)
          reportIn(root.container, field, madeBy(call), mapping, stays);
      } else if (auto text = endingText(origins_.ofField(field),
                                        origins_.outsideOf(field),
                                        f_.fields[field].type);
                 text && reportedContainers_.insert(field).second) {
        reportIn(root.container, field, text->from, text->what, stays);
      }
    }
  }

  struct Ending {
    ValueOrigins::Origin from;
    std::string what;
  };
  /// Text, or a table of it, that is not the program's own: of argv, from
  /// getenv(), optarg.
  std::optional<Ending> endingText(llvm::ArrayRef<ValueOrigins::Origin> origins,
                                   const ValueOrigins::Outside &outside,
                                   Id type) const {
    Id to = p_.pointee(p_.element(type));
    if (to == None || p_.pointeeRecord(p_.element(type)) != None)
      return std::nullopt;
    for (const auto &[variable, o] : outside) {
      const Node &n = f_.nodes[variable];
      bool isHanded = n.kind == NodeKind::Local || n.name == "environ";
      bool isOfLibrary = n.name == "optarg" ||
                         (n.loc.file != None && !f_.files[n.loc.file].editable);
      if (isHanded || (isOfLibrary && p_.kind(to) == TypeKind::Byte))
        return Ending{
            o, n.name + (isHanded ? ", which each start gets from its caller"
                                  : ", of a library")};
    }
    if (p_.kind(to) == TypeKind::Byte)
      for (const ValueOrigins::Origin &o : origins)
        if (o.call != None && isOfLibrary(o.call, None))
          return Ending{o, whatItGives(o.call)};
    return std::nullopt;
  }

  /// What comes out of a table of pointers to anything is not followed. The
  /// pool gets no record of that type: a call that makes one.
  Id onlyVolatile(Id record) const {
    auto isOne = [&](Id other) { return p_.compatible(other, record); };
    for (const PersistentType &type : out_.types)
      if (isOne(type.record))
        return None;
    Id call = None;
    const auto &sites = c_.allocators.sites();
    for (size_t i = 0; i < sites.size(); ++i)
      if (sites[i].call != None && llvm::any_of(sites[i].records, isOne)) {
        if (!heap_.whySite(i).empty())
          return None;
        call = call == None ? sites[i].call : call;
      }
    return call;
  }

  /// server = make(argv); load(server): as a whole it comes back as it was, and
  /// the options of this start are gone.
  void reportMixed(const Root &root) {
    Id record = p_.pointeeRecord(root.slotType);
    if (record == None || !mixed_.contains(record))
      return;
    const PointsTo &pt = c_.pointsTo;
    Id l =
        pt.find(root.variable, root.fields.empty() ? None : root.fields.back());
    if (l == None)
      return;
    bool isMade = false;
    for (Id t : pt.content(l))
      if (pt.isMemory(t)) {
        const PointsTo::Object &o = pt.objects()[pt.locations()[t].object];
        if (o.kind == PointsTo::Object::Heap)
          return; // the load may make it
        isMade |= o.kind == PointsTo::Object::Preexisting && o.record == record;
      }
    const std::string &type = f_.records[record].spelling;
    if (isMade)
      out_.findings.report(
          {FindingId::ComesBackWhole, f_.nodes[root.variable].loc, None,
           root.path + " leads to " + type +
               ", created by each start before the load: it is restored as a "
               "whole, and its pointers to what ends with the process become "
               "null",
           "if the rest belongs to this start, keep only what the load fills: "
           "NVM_ROOT_ARRAY(" +
               root.path + ", " + type + ", ..)"});
  }

  // What may be a number, too, stays as it is: it is reported.
  void findDescriptor(Id field) {
    const ValueOrigins::Origin *first = nullptr, *process = nullptr;
    bool isSure =
        origins_.isKnown(field) && !isRead(field) &&
        words().isListedIn(parts_->around(f_.fields[field].record), field);
    for (const ValueOrigins::Origin &o : origins_.ofField(field)) {
      Id callee = o.call == None ? None : f_.calls[o.call].callee;
      bool gives = o.isBehind || (callee != None &&
                                  hasTrait(f_.functions[callee].name,
                                           LibraryFunction::GivesDescriptor));
      isSure &= gives;
      if (gives && !first)
        first = &o;
      if (callee != None && !process &&
          hasTrait(f_.functions[callee].name, LibraryFunction::GivesProcess))
        process = &o;
    }
    if (process)
      say(FindingId::HoldsId, field, *process,
          " may hold the id of a process, from " +
              f_.functions[f_.calls[process->call].callee].name +
              "(): a restart leaves it unchanged, and it may then be the id of "
              "another process");
    if (!first)
      return;
    if (isSure)
      out_.descriptors.push_back(field);
    mixed_.insert(parts_->around(f_.fields[field].record));
    say(FindingId::HoldsDescriptor, field, *first,
        " may hold a descriptor of an open file, from " +
            f_.functions[f_.calls[first->call].callee].name + "(): " +
            (isSure ? "a restart makes it -1"
                    : "a restart leaves it unchanged, because it may also be a "
                      "number"));
  }

  /// The load puts data of the file there.
  bool isRead(Id field) {
    const PointsTo &pt = c_.pointsTo;
    if (read_.empty()) {
      read_.insert(None);
      for (Id l = 0; l < pt.locations().size(); ++l)
        if (Id k = pt.locations()[l].field;
            k != None && pt.holdsFileBytes(pt.content(l)))
          read_.insert(f_.fields[k].cell);
    }
    return read_.contains(f_.fields[field].cell);
  }

  /// t->owner = (uintptr_t)client | 1
  void findInNumber(Id field) {
    for (const ValueOrigins::Origin &o : origins_.ofAddressesIn(field))
      if (Id record = o.call == None ? None : volatileRecord(o.call, None);
          record != None)
        return report(field, o,
                      f_.records[record].spelling +
                          ", allocated here and not persistent");
      else if (o.call != None && heap_.mapsFile(o.call))
        return report(field, o, mapping);
  }

  /// n->op = dlsym(library, name)
  void findCode(Id field) {
    for (const ValueOrigins::Origin &o : origins_.ofField(field))
      if (o.call != None && isOfLibrary(o.call, None))
        return report(field, o, whatItGives(o.call));
  }

  void findIn(Id field) {
    Id pointee = p_.pointeeRecord(f_.fields[field].type);
    if (Id call = heap_.mappedIn(c_.flow.inField(field)); call != None)
      return report(field, madeBy(call), mapping);
    for (const ValueOrigins::Origin &o : origins_.ofField(field))
      if (o.call == None)
        continue;
      else if (o.isMember)
        return report(field, o, "memory of " + nameOf(o.call) + "()");
      else if (isOfLibrary(o.call, pointee) && makesText(f_.calls[o.call]))
        return reportText(field, o);
      else if (std::string what = volatileBehind(o.call, pointee);
               !what.empty())
        return report(field, o, what);
      else if (Id container = containerMadeBy(o.call, pointee);
               container != None)
        return sayDead(field, o,
                       " may point to " + f_.records[container].spelling +
                           ", which each start creates anew: after a restart "
                           "the pointer is dead",
                       /*isNull=*/false);
    if (auto text =
            endingText({}, origins_.outsideOf(field), f_.fields[field].type))
      return report(field, text->from, text->what);
    if (pointee == None || p_.isProgramRecord(pointee))
      return;
    for (const auto &[variable, o] : origins_.outsideOf(field))
      if (p_.pointeeRecord(f_.nodes[variable].type) == pointee)
        return report(field, o, f_.nodes[variable].name + ", of a library");
  }

  ValueOrigins::Origin madeBy(Id call) const {
    return {None, call, f_.calls[call].loc, f_.calls[call].function};
  }

  /// What an address leads to that ends with the process; "".
  std::string volatileBehind(Id call, Id pointee) const {
    if (Id record = volatileRecord(call, pointee); record != None)
      return f_.records[record].spelling +
             ", allocated here and not persistent";
    return isOfLibrary(call, pointee) ? whatItGives(call) : "";
  }
  std::string whatItGives(Id call) const {
    return "what " + nameOf(call) + "() returns";
  }
  const std::string &nameOf(Id call) const {
    return f_.functions[f_.calls[call].callee].name;
  }

  /// A record of which the pool keeps some fields alone, and that the load does
  /// not make.
  Id containerMadeBy(Id call, Id pointee) const {
    const Allocators::Site *site =
        c_.pointsTo.reached().contains(f_.calls[call].function)
            ? nullptr
            : c_.allocators.siteOf(call);
    for (Id record : site ? site->records : decltype(site->records)())
      if (containers_.contains(record) &&
          (pointee == None || p_.compatible(record, pointee)))
        return record;
    return None;
  }

  /// table[i] = client, where the pool has the table: no record says that its
  /// elements are pointers, so a restart leaves them.
  void findInTables() {
    IdSet reported;
    auto reportTable = [&](Id table, const ValueOrigins::Origin &o,
                           const std::string &what) {
      reported.insert(table);
      const Call &made = f_.calls[c_.allocators.sites()[table].call];
      out_.findings.report(
          {FindingId::PointerToVolatile, o.loc, o.function,
           "the table of pointers allocated at " + p_.describe(made.loc) +
               " may hold pointers to " + what +
               ": a restart leaves them unchanged, as dead pointers",
           "clear them after nvm_restore()"});
    };
    for (const Constraint &c : f_.constraints) {
      if (c.flow != Flow::Store || c.src == None || c.dst == None ||
          !p_.isPointer(f_.nodes[c.src].type) ||
          p_.isFunctionPointer(f_.nodes[c.src].type) ||
          !c_.flow.isRaw(c_.flow.cellBehind(c.dst, c.src)))
        continue;
      Id table = None;
      for (unsigned t : c_.flow.atNode(c.dst)) {
        const FieldFlow::Token &k = c_.flow.tokens()[t];
        if (k.kind == FieldFlow::Token::Site &&
            c_.allocators.sites()[k.ref].isPointerTable &&
            !heap_.whySite(k.ref).empty())
          table = k.ref;
      }
      if (table == None || reported.contains(table))
        continue;
      if (Id call = heap_.mappedIn(c_.flow.atNode(c.src)); call != None) {
        reportTable(table, madeBy(call), mapping);
        continue;
      }
      Id pointee = p_.pointeeRecord(f_.nodes[c.src].type);
      for (const ValueOrigins::Origin &o : origins_.ofVariable(c.src)) {
        std::string what =
            o.call == None ? "" : volatileBehind(o.call, pointee);
        if (!what.empty() && !reported.contains(table))
          reportTable(table, o, what);
      }
    }
  }

  /// Of a block that the pool does not get.
  Id volatileRecord(Id call, Id pointee) const {
    const auto &sites = c_.allocators.sites();
    const Allocators::Site *site = c_.allocators.siteOf(call);
    if (!site || site->records.empty() ||
        !heap_.whySite(site - sites.data()).empty())
      return None;
    for (Id record : site->records)
      if (pointee == None || p_.compatible(record, pointee))
        return record;
    return None;
  }

  /// A pointer to a record that the library knows, and no program, or a handle.
  bool isOfLibrary(Id call, Id pointee) const {
    Id callee = f_.calls[call].callee;
    return callee != None && !f_.functions[callee].hasBody &&
           !c_.allocators.siteOf(call) &&
           !c_.allocators.allocates(f_.calls[call]) &&
           (pointee != None ? !p_.isProgramRecord(pointee)
                            : hasTrait(f_.functions[callee].name,
                                       LibraryFunction::GivesHandle) ||
                                  givesText(f_.calls[call]));
  }

  /// Text of its own, readline(): nothing is known of where that is.
  bool givesText(const Call &c) const {
    Id to = c.result == None ? None : p_.pointee(f_.nodes[c.result].type);
    const LibraryFunction *l = p_.library(c);
    return to != None && p_.kind(to) == TypeKind::Byte &&
           (!l || l->kind == LibraryFunction::Wait) &&
           p_.definition(c.result) == None;
  }

  /// Not where it is known to lie: getenv(), strtok().
  bool makesText(const Call &c) const {
    const LibraryFunction *l = libraryEntry(f_.functions[c.callee].name);
    return givesText(c) && (!l || l->kind == LibraryFunction::Wait);
  }

  void report(Id field, const ValueOrigins::Origin &o,
              const std::string &what) {
    Id around = parts_->around(f_.fields[field].record);
    mixed_.insert(around);
    bool isCleared = clear(around, field);
    sayDead(field, o,
            " may point to " + what +
                (isCleared ? ": a restart makes it null" : notCleared),
            isCleared);
  }
  /// A restart makes it null, if it is sure to be a pointer.
  bool clear(Id around, Id field) {
    bool isCleared = words().canBeCleared(around, field) &&
                     words().isListedIn(around, field);
    if (isCleared)
      out_.volatileFields.push_back(field);
    return isCleared;
  }
  void reportIn(Id around, Id field, const ValueOrigins::Origin &o,
                const std::string &what, const char *cleared) {
    bool isCleared = clear(around, field);
    say(FindingId::PointerToVolatile, field, o,
        " may point to " + what + (isCleared ? cleared : notCleared));
  }
  /// What a restart leaves null, or dead, and who uses it then.
  void sayDead(Id field, const ValueOrigins::Origin &o, std::string what,
               bool isNull) {
    if (!usedFields_)
      usedFields_.emplace(c_, heap_, origins_, out_.load);
    constexpr size_t most = 6;
    std::vector<Loc> uses = usedFields_->usesOf(field, isNull);
    if (Id record = f_.fields[field].record; !p_.isProgramRecord(record))
      for (Loc reader : usedFields_->readersOf(record))
        uses.push_back(reader);
    for (size_t i = 0; i < std::min(uses.size(), most); ++i)
      what += (i        ? ", "
               : isNull ? ", and it is used without a test at "
                        : ", and it is used at ") +
              p_.describe(uses[i]);
    if (uses.size() > most)
      what += " and in " + std::to_string(uses.size() - most) + " more lines";
    say(uses.empty() ? FindingId::PointerToVolatile
                     : FindingId::UsedAfterRestart,
        field, o, what);
  }

  /// feed->title = xml_text(x): nothing else has it.
  void reportText(Id field, const ValueOrigins::Origin &o) {
    const Id around = parts_->around(f_.fields[field].record);
    mixed_.insert(around);
    say(FindingId::LibraryMemory, field, o,
        " may be text that " + nameOf(o.call) +
            "() has allocated, which the pool does not have: a restart " +
            (clear(around, field) ? "makes it null"
                                  : "leaves it unchanged, as a dead pointer"),
        "store a copy, by strdup(), and free the text of the library; or hand "
        "the library nvm_malloc() and nvm_free() as its allocator");
  }

  /// What regcomp() has made.
  void reportOfLibrary(Id field, Id call) {
    const Call &c = f_.calls[call];
    Id around = parts_->around(f_.fields[field].record),
       type = p_.element(f_.fields[field].type);
    bool isCleared = p_.isPointer(type) && clear(around, field);
    mixed_.insert(around);
    bool isPosition =
        hasTrait(f_.functions[c.callee].name, LibraryFunction::SavesPosition);
    say(FindingId::LibraryMemory, field, {None, call, c.loc, c.function},
        (isPosition ? " is a place in the code and on the stack of this "
                      "process, from "
                    : " leads to memory of ") +
            nameOf(call) + "(), which the pool cannot keep: " +
            (isCleared ? "a restart makes it null"
                       : "after a restart it is dead"),
        isPosition
            ? "keep in fields how far it has come, and create it again from "
              "these after nvm_restore(), before it is used"
            : "");
  }

  void reportOfSet(Id field) {
    Id around = parts_->around(f_.fields[field].record);
    bool isCleared = p_.kind(f_.fields[field].type) == TypeKind::Record &&
                     words().isListedIn(around, field) &&
                     !words().isOverlaid(field);
    if (isCleared)
      out_.descriptors.push_back(field);
    mixed_.insert(around);
    say(FindingId::HoldsDescriptor, field,
        {None, None, f_.records[around].loc, None},
        std::string(" is a set of descriptors of open files: ") +
            (isCleared ? "a restart makes it empty"
                       : "a restart leaves it unchanged"));
  }

  /// What a thread holds that ends with the process is held for good. Zero is
  /// how it is initialised, if nothing else was asked for.
  void reportOfLock(Id field) {
    const std::string &lock =
        f_.records[p_.recordOf(p_.element(f_.fields[field].type))].spelling;
    Id around = parts_->around(f_.fields[field].record);
    bool isCleared = lock != "sem_t" && !setsAttributes() &&
                     p_.kind(f_.fields[field].type) == TypeKind::Record &&
                     words().isListedIn(around, field) &&
                     !words().isOverlaid(field);
    if (isCleared)
      out_.descriptors.push_back(field);
    say(FindingId::HoldsLock, field, {None, None, f_.records[around].loc, None},
        " is a " + lock +
            ", which may be held by threads that end with the process: " +
            (isCleared ? "a restart initialises it again"
                       : "a restart leaves it unchanged"),
        isCleared ? "nothing" : "initialise it again after nvm_restore()",
        isCleared ? Severity::Note : Severity::Check);
  }

  /// Some lock of the program may be recursive, or shared.
  bool setsAttributes() const {
    constexpr uint64_t recursive = 1; // mtx_recursive
    for (const Call &c : f_.calls)
      if (c.callee != None)
        if (const int kind = libraryFact(f_.functions[c.callee].name,
                                         &LibraryFunction::lockKind);
            kind >= 0 &&
            (c.constantAt(uint32_t(kind)).value_or(recursive) & recursive))
          return true;
    return llvm::any_of(f_.functions, [](const Function &fn) {
      return !fn.hasBody && hasTrait(fn.name, LibraryFunction::SetsLockKind);
    });
  }

  void say(FindingRef id, Id field, const ValueOrigins::Origin &o,
           const std::string &what, std::string advice = "",
           std::optional<Severity> severity = {}) {
    std::string name = parts_->nameOf(field);
    Finding finding{id, o.loc, o.function, name + what, std::move(advice)};
    finding.subject = std::move(name);
    finding.ownSeverity = severity;
    out_.findings.report(std::move(finding));
  }
  PointerLayout words() const { return {f_, out_.addresses}; }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PoolMembership &heap_;
  ValueOrigins &origins_;
  TransientFieldsParts out_;
  const DefinitionIndex values_;
  TableElements elements_;
  IdSet readAsPointer_; ///< cells of fields of numbers
  std::optional<PersistentParts> parts_;
  std::optional<UsesAfterRestart> usedFields_; ///< when it was asked for
  IdSet containers_;         ///< records of which roots are fields
  IdMap<Id> ofLibraries_;    ///< record -> call
  IdSet reportedContainers_; ///< fields
  IdSet mixed_;              ///< records with volatile fields
  IdSet read_;               ///< cells of fields, and None
};

} // namespace

namespace nvmove {

void findTransientFields(TransientFieldsParts a) {
  const SolveContext &c = a.context;
  ValueOrigins all(c.program, c.allocators, c.flow,
                   ValueOrigins::Stores::ThroughPointers);
  TransientFieldFinder(c, *a.pool, all, a).run();
}

} // namespace nvmove
