//===- Volatile.cpp - Fields that lead to what ends with the process ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Heap.h"
#include "passes/solve/Origins.h"
#include "passes/solve/PersistentParts.h"
#include "passes/solve/PointerWords.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/StringSwitch.h"

using namespace nvmove;

namespace {

bool givesDescriptor(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("open", "open64", "openat", "creat", "dup", "dup2", "dup3", true)
      .Cases("socket", "accept", "accept4", "fileno", "mkstemp", "shm_open",
             true)
      .Cases("epoll_create", "epoll_create1", "eventfd", "timerfd_create",
             "signalfd", "inotify_init", "inotify_init1", true)
      .Default(false);
}

class VolatileFinder {
public:
  VolatileFinder(const SolveContext &c, const Heap &heap, Origins &origins,
                 Solution &solution)
      : c_(c), p_(c.program), f_(c.program.facts), heap_(heap),
        origins_(origins), solution_(solution) {}

  void run() {
    // Of what each start makes anew these are the program's again.
    IdSet containers;
    for (const Root &root : solution_.roots)
      if (root.kept() && root.container != None)
        containers.insert(root.container);
    parts_.emplace(p_, solution_, containers);
    findLibraryRecords();
    for (Id record : parts_->records())
      findInRecord(record);
    for (const Root &root : solution_.roots)
      if (root.kept() && root.container == None)
        tellMixed(root);
    for (Root &root : solution_.roots)
      if (root.kept() && root.container == None && p_.isPointer(root.slotType))
        findInRoot(root);
  }

private:
  /// In which libraries keep memory of their own.
  void findLibraryRecords() {
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      int k =
          c.callee == None ? -1 : keepsMemoryIn(f_.functions[c.callee].name);
      if (k < 0 || f_.functions[c.callee].hasBody ||
          size_t(k) >= c.args.size() || c.args[k] == None)
        continue;
      Id to = p_.pointee(f_.nodes[c.args[k]].type),
         record =
             p_.pointeeRecord(p_.isPointer(to) ? to : f_.nodes[c.args[k]].type);
      if (record != None && !p_.isProgramRecord(record))
        ofLibraries_.try_emplace(record, i);
    }
  }

  void findInRecord(Id record) {
    for (Id field : f_.records[record].fields) {
      Id element = p_.element(f_.fields[field].type);
      Id inner = p_.isPointer(element) ? p_.pointeeRecord(element)
                                       : p_.recordOf(element);
      if (auto by = ofLibraries_.find(inner); by != ofLibraries_.end())
        tellOfLibrary(field, by->second);
      else if (inner != None && f_.records[inner].spelling == "fd_set")
        tellOfSet(field);
      else if (p_.isPointer(element) && !p_.isFunctionPointer(element))
        findIn(field);
      else if (f_.types[element].kind == TypeKind::Integer &&
               f_.types[element].size_bytes == 4 &&
               !f_.fields[field].width_bits)
        findDescriptor(field);
    }
  }

  /// A static pointer that leads to nothing but a local of main, or a block
  /// that the pool does not get, is left to each start. That one which may lead
  /// elsewhere, too, is kept, and told.
  void findInRoot(Root &root) {
    Id pointee = p_.pointeeRecord(root.slotType);
    const Origins::Origin *local = nullptr, *block = nullptr;
    Id record = None;
    bool isKept = false;
    std::vector<Origins::Origin> origins =
        origins_.ofSlot(root.variable, root.fields);
    for (const Origins::Origin &o : origins) {
      if (o.call == None) {
        const Node &n = f_.nodes[o.variable];
        bool lasts =
            n.kind == NodeKind::Local && c_.loop.frames.contains(n.function);
        local = lasts && !local ? &o : local;
        isKept |= n.kind != NodeKind::Local;
      } else if (Id of = volatileRecord(o.call, pointee); of != None) {
        record = of;
        block = &o;
      } else {
        isKept = true;
      }
    }
    Origins::Origin made;
    if (origins.empty() && pointee != None) {
      made.call = onlyVolatile(pointee);
      if (made.call != None) {
        made.loc = f_.calls[made.call].loc;
        made.function = f_.calls[made.call].function;
        record = pointee;
        block = &made;
      }
    }
    // A member holds what any variable of its type does.
    if ((!local && !block) || (isKept && !root.fields.empty()))
      return;
    const Origins::Origin &o = local ? *local : *block;
    std::string what = local ? f_.nodes[o.variable].name + ", a local variable"
                             : f_.records[record].spelling +
                                   ", allocated here and not persistent";
    if (!isKept)
      root.notKept = "leads to " + what;
    solution_.notCovered.push_back(
        {local ? "root-in-local" : "pointer-to-volatile", o.loc, o.function,
         root.path + (isKept ? " may point to " : " points to ") + what +
             (isKept ? ": after a restart that is a dead pointer; set it again "
                       "behind nvm_restore()"
                     : ": it is not kept, and is what each start sets")});
  }

  /// What comes out of a table of pointers to anything is not followed. The
  /// pool gets no record of that type: a call that makes one.
  Id onlyVolatile(Id record) const {
    auto isOne = [&](Id other) { return p_.compatible(other, record); };
    for (const PersistentType &type : solution_.types)
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
  void tellMixed(const Root &root) {
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
      solution_.notCovered.push_back(
          {"comes-back-whole", f_.nodes[root.variable].loc, None,
           root.path + " leads to " + type +
               ", made by each start before the load: it comes back whole, "
               "and null where it led to what ends with the process; if the "
               "rest is this start's, keep only what the load fills: "
               "NVM_ROOT_ARRAY(" +
               root.path + ", " + type + ", ..)"});
  }

  // What may be a number, too, stays as it is: it is told.
  void findDescriptor(Id field) {
    const Origins::Origin *first = nullptr;
    bool isSure =
        origins_.isKnown(field) && !isRead(field) &&
        words().isListedIn(parts_->around(f_.fields[field].record), field);
    for (const Origins::Origin &o : origins_.ofField(field)) {
      Id callee = o.call == None ? None : f_.calls[o.call].callee;
      bool gives = callee != None && givesDescriptor(f_.functions[callee].name);
      isSure &= gives;
      if (gives && !first)
        first = &o;
    }
    if (!first)
      return;
    if (isSure)
      solution_.descriptors.push_back(field);
    say("holds-descriptor", field, *first,
        " may hold a descriptor of an open file, from " +
            f_.functions[f_.calls[first->call].callee].name + "(): " +
            (isSure ? "a restart makes it -1"
                    : "it may be a number as well, and stays as it is"));
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

  void findIn(Id field) {
    Id pointee = p_.pointeeRecord(f_.fields[field].type);
    for (const Origins::Origin &o : origins_.ofField(field))
      if (o.call == None)
        continue;
      else if (Id record = volatileRecord(o.call, pointee); record != None)
        return tell(field, o,
                    f_.records[record].spelling +
                        ", allocated here and not persistent");
      else if (isOfLibrary(o.call, pointee))
        return tell(field, o,
                    "what " + f_.functions[f_.calls[o.call].callee].name +
                        "() gives back");
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
                            : givesHandle(f_.functions[callee].name));
  }

  void tell(Id field, const Origins::Origin &o, const std::string &what) {
    Id record = f_.fields[field].record, around = parts_->around(record);
    bool isCleared = words().canBeCleared(around, field) &&
                     words().isListedIn(around, field);
    if (isCleared)
      solution_.volatileFields.push_back(field);
    mixed_.insert(around);
    say("pointer-to-volatile", field, o,
        " may point to " + what +
            (isCleared ? ": a restart makes it null"
                       : ": what stands there may be no pointer as well, so a "
                         "restart leaves it as it is: a dead pointer"));
  }

  /// What regcomp() has made.
  void tellOfLibrary(Id field, Id call) {
    const Call &c = f_.calls[call];
    Id around = parts_->around(f_.fields[field].record),
       type = p_.element(f_.fields[field].type);
    bool isCleared = p_.isPointer(type) &&
                     words().canBeCleared(around, field) &&
                     words().isListedIn(around, field);
    if (isCleared)
      solution_.volatileFields.push_back(field);
    mixed_.insert(around);
    say("library-memory", field, {None, call, c.loc, c.function},
        " leads to memory of " + f_.functions[c.callee].name +
            "(), which the pool cannot keep: " +
            (isCleared ? "a restart makes it null"
                       : "after a restart it is dead") +
            "; make it anew from what the pool keeps");
  }

  void tellOfSet(Id field) {
    Id around = parts_->around(f_.fields[field].record);
    bool isCleared = p_.kind(f_.fields[field].type) == TypeKind::Record &&
                     words().isListedIn(around, field) &&
                     !words().isOverlaid(field);
    if (isCleared)
      solution_.descriptors.push_back(field);
    mixed_.insert(around);
    say("holds-descriptor", field, {None, None, f_.records[around].loc, None},
        std::string(" is a set of descriptors of open files: ") +
            (isCleared ? "a restart makes it empty"
                       : "a restart leaves it as it is"));
  }

  void say(const char *id, Id field, const Origins::Origin &o,
           const std::string &what) {
    solution_.notCovered.push_back(
        {id, o.loc, o.function, parts_->nameOf(field) + what});
  }
  PointerWords words() const { return {f_, solution_.addresses}; }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const Heap &heap_;
  Origins &origins_;
  Solution &solution_;
  std::optional<PersistentParts> parts_;
  IdMap<Id> ofLibraries_; ///< record -> call
  IdSet mixed_;           ///< records with volatile fields
  IdSet read_;            ///< cells of fields, and None
};

} // namespace

void nvmove::findVolatile(const SolveContext &context, const Heap &heap,
                          Origins &origins, Solution &solution) {
  VolatileFinder(context, heap, origins, solution).run();
}
