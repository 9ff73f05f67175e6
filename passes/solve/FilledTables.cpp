//===- FilledTables.cpp - Tables of loaded objects that handlers fill -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct item *marked[64]; static int count;
//   void mark(int id) { marked[count++] = find(id); }
//
// The load puts nothing there, but what lies there is the load's, and how much
// of it says a number that goes on from what it was: both come back. Where
// start-up fills the table, too, what handlers have added is told.
//
// A table that is begun anew each time before it is filled, or that is left
// empty behind that, is of no command but that one: Scratch.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/AtStart.h"
#include "passes/solve/KeptStatics.h"
#include "passes/solve/PersistentParts.h"
#include "passes/solve/Scratch.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace nvmove;

namespace {

class FilledTables {
public:
  FilledTables(const SolveContext &context, Solution &solution)
      : c_(context), p_(context.program), f_(p_.facts), pt_(context.pointsTo),
        parts_(p_, solution), around_(context, solution.load),
        later_(context.loop.reachableFrom(context.loop.handlerCalls)),
        out_(solution) {}

  void run() {
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && c.function != None && c.src != None)
        see(c);
    for (const auto &[table, fills] : tables_)
      consider(table, fills);
    llvm::sort(out_.roots,
               [](const auto &a, const auto &b) { return a.path < b.path; });
    llvm::sort(out_.scalars,
               [](const auto &a, const auto &b) { return a.path < b.path; });
  }

private:
  /// A member of a variable, or of what a pointer, a variable or a parameter,
  /// leads to; or the variable itself.
  struct Place {
    Id variable = None;
    bool isBehind = false;
    std::vector<Id> path;
    auto operator<=>(const Place &) const = default;
  };
  struct Fill {
    Place table, count;
    Id value = None;
    Id function = None;
    Loc loc;
    Id loop = None;
    Id call = None;         ///< of a helper that does it
    bool ofRecords = false; ///< table[count].item = value
    std::vector<Place> beside =
        {}; ///< other arrays that it fills at that place
  };

  /// What lies at an address.
  std::optional<Place> at(Id address) const {
    Place place;
    Id base = p_.origin(address);
    for (Id d = p_.definition(base);
         d != None && f_.constraints[d].flow == Flow::Member;
         d = p_.definition(base)) {
      place.path.insert(place.path.begin(), f_.constraints[d].extra);
      base = p_.origin(f_.constraints[d].src);
    }
    place.variable = p_.variableAt(base);
    if (place.variable == None) {
      place.variable = base;
      place.isBehind = true;
    }
    if (f_.nodes[place.variable].kind != NodeKind::Global &&
        (!place.isBehind || f_.nodes[place.variable].kind != NodeKind::Local))
      return std::nullopt;
    return place;
  }

  /// Where a number, or a pointer, is read from, perhaps with a constant added.
  std::optional<Place> readFrom(Id value) const {
    for (unsigned steps = 0; value != None && steps < 8; ++steps) {
      value = p_.origin(value);
      if (f_.nodes[value].kind == NodeKind::Global)
        return Place{value, false, {}};
      Id d = p_.definition(value);
      if (d == None)
        break;
      const Constraint &c = f_.constraints[d];
      if (c.flow == Flow::Load)
        return at(c.src);
      value = c.flow == Flow::Arith ? c.src : None;
    }
    return std::nullopt;
  }

  /// table[count] = value
  void see(const Constraint &c) {
    bool ofRecords = false;
    const Constraint *index = indexAt(c.dst, &ofRecords);
    if (!index || pt_.reached().contains(c.function) ||
        !p_.isPointer(f_.nodes[c.src].type))
      return;
    std::optional<Place> table = arrayAt(*index),
                         count = readFrom(index->extra);
    if (!table || !count || *table == *count)
      return;
    Fill fill{*table, *count, c.src, c.function, c.loc};
    fill.ofRecords = ofRecords;
    if (steps(fill)) {
      findBeside(fill);
      follow(fill, /*depth=*/0);
    }
  }

  /// An element of an array, or a member of one.
  const Constraint *indexAt(Id address, bool *isMember) const {
    Id d = p_.definition(p_.origin(address));
    for (; d != None && f_.constraints[d].flow == Flow::Member;
         d = p_.definition(p_.origin(f_.constraints[d].src)))
      *isMember = true;
    return d != None && f_.constraints[d].flow == Flow::Index &&
                   f_.constraints[d].extra != None
               ? &f_.constraints[d]
               : nullptr;
  }

  /// What is indexed: an array, or a pointer to one; not one handed over.
  std::optional<Place> arrayAt(const Constraint &index) const {
    std::optional<Place> table = readFrom(index.src);
    if (!table)
      table = at(index.src);
    if (table && table->isBehind && table->path.empty())
      return std::nullopt;
    return table;
  }

  /// owners[count] = owner; next to the table.
  void findBeside(Fill &fill) const {
    auto see = [&](Id address, std::optional<Place> written) {
      bool isMember = false;
      const Constraint *index = indexAt(address, &isMember);
      std::optional<Place> array = index ? arrayAt(*index) : std::nullopt;
      if (array && *array != fill.table &&
          readFrom(index->extra) == fill.count &&
          (!written ||
           (written->variable == array->variable &&
            llvm::ArrayRef(written->path).take_front(array->path.size()) ==
                llvm::ArrayRef(array->path))) &&
          !llvm::is_contained(fill.beside, *array))
        fill.beside.push_back(*array);
    };
    for (Id i : p_.storesOf(fill.function))
      if (f_.stores[i].address != None)
        see(f_.stores[i].address, std::nullopt);
    for (Id i : writesOf(fill.function))
      for (Id k : p_.constraintsOf(fill.function))
        if (const Constraint &c = f_.constraints[k]; c.flow == Flow::Index)
          see(c.dst, Place{f_.staticWrites[i].variable, false,
                           f_.staticWrites[i].path});
  }

  /// The function counts there.
  bool steps(Fill &fill) const {
    for (Id i : writesOf(fill.function)) {
      const StaticWrite &w = f_.staticWrites[i];
      if (!fill.count.isBehind && w.variable == fill.count.variable &&
          w.path == fill.count.path && w.value != None &&
          (w.readModifyWrite || readFrom(w.value) == fill.count)) {
        fill.loop = w.loop;
        return true;
      }
    }
    return llvm::any_of(p_.storesOf(fill.function), [&](Id i) {
      const StoreSite &s = f_.stores[i];
      return s.readModifyWrite && s.address != None &&
             at(s.address) == fill.count;
    });
  }

  const std::vector<Id> &writesOf(Id function) const {
    if (writes_.empty()) {
      writes_[None];
      for (Id i = 0; i < f_.staticWrites.size(); ++i)
        writes_[f_.staticWrites[i].function].push_back(i);
    }
    return writes_[function];
  }

  /// Up to the callers that hand a helper what it fills, or with what.
  void follow(const Fill &fill, unsigned depth) {
    std::optional<unsigned> table = parameter(fill.table, fill.function),
                            count = parameter(fill.count, fill.function),
                            value = parameter({p_.origin(fill.value), true, {}},
                                              fill.function);
    if (!table && !count) {
      if (f_.nodes[fill.table.variable].kind == NodeKind::Global &&
          f_.nodes[fill.count.variable].kind == NodeKind::Global &&
          isOfLoad(fill.value))
        tables_[fill.table].push_back(fill);
      return;
    }
    for (Id k : p_.callersOf(fill.function)) {
      const Call &c = f_.calls[k];
      Fill up = fill;
      llvm::erase_if(up.beside, [&](Place &other) {
        return !handed(c, parameter(other, fill.function), other);
      });
      if (depth >= 3 || c.function == None || !handed(c, table, up.table) ||
          !handed(c, count, up.count) || pt_.reached().contains(c.function) ||
          (value && (*value >= c.args.size() || c.args[*value] == None)))
        continue;
      if (value)
        up.value = c.args[*value];
      up.function = c.function;
      up.loc = c.loc;
      up.loop = c.loop;
      up.call = k;
      follow(up, depth + 1);
    }
  }

  std::optional<unsigned> parameter(const Place &place, Id function) const {
    const std::vector<Id> &all = f_.functions[function].params;
    auto found = llvm::find(all, place.variable);
    if (!place.isBehind || found == all.end())
      return std::nullopt;
    return found - all.begin();
  }

  bool handed(const Call &c, std::optional<unsigned> parameter,
              Place &place) const {
    if (!parameter)
      return true;
    if (*parameter >= c.args.size() || c.args[*parameter] == None)
      return false;
    std::optional<Place> outer = at(c.args[*parameter]);
    if (!outer)
      return false;
    llvm::append_range(outer->path, place.path);
    place = *outer;
    return true;
  }

  bool isOfLoad(Id value) const {
    Id record = p_.pointeeRecord(f_.nodes[p_.origin(value)].type);
    if (record == None || !parts_.contains(record))
      return false;
    for (unsigned t : c_.flow.atNode(value)) {
      const FieldFlow::Token &k = c_.flow.tokens()[t];
      if (k.kind == FieldFlow::Token::Site &&
          pt_.reached().contains(
              f_.calls[c_.allocators.sites()[k.ref].call].function))
        return true;
    }
    return false;
  }

  bool isLater(const Fill &fill) const {
    return later_.contains(fill.function) ||
           llvm::any_of(c_.loop.loops, [&](const MainLoop &l) {
             return c_.loop.within(fill.loop, l.loop);
           });
  }

  void consider(const Place &table, const std::vector<Fill> &fills) {
    const KeptStatics kept(out_);
    const Node &n = f_.nodes[table.variable];
    if (!n.isDefined || n.isConst || kept.holds(table.variable, table.path) ||
        isSetByLoad(table) ||
        (table.isBehind && parts_.contains(p_.pointeeRecord(n.type))))
      return;
    const Fill *state = nullptr;
    bool isAgain = isSetBehind(table), isMoved = false;
    for (const Fill &fill : fills) {
      const Place &count = fill.count;
      isAgain |= count != fills.front().count || isSetBehind(count);
      if (around_.behind.contains(fill.function)) {
        // What is moved there is no longer where the next start looks for it.
        bool moves = takesFromRoot(fill.function, kept);
        isMoved |= moves;
        isAgain |= !moves;
      }
      if (!state && isLater(fill) &&
          !scratch_.isScratch(fill.function, fill.call, count.variable,
                              count.path))
        state = &fill;
    }
    if (!state && isMoved)
      state = &fills.front();
    if (!state)
      return;
    if (isAgain || table.isBehind || state->count.isBehind || !keep(*state))
      tell(*state);
  }

  bool isSetByLoad(const Place &table) const {
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.variable == table.variable && w.path == table.path &&
             w.function != None && pt_.reached().contains(w.function);
    });
  }

  bool isSetBehind(const Place &place) const {
    return llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.variable == place.variable && w.path == place.path &&
             w.value == None && w.function != None && around_.isBehind(w);
    });
  }

  /// all = first->next
  bool takesFromRoot(Id function, const KeptStatics &kept) const {
    return llvm::any_of(writesOf(function), [&](Id i) {
      const StaticWrite &w = f_.staticWrites[i];
      Id d = w.value == None ? None : p_.definition(p_.origin(w.value)),
         base = None;
      if (d == None || f_.constraints[d].flow != Flow::Load || !kept.holds(w))
        return false;
      for (d = p_.definition(f_.constraints[d].src);
           d != None && f_.constraints[d].flow == Flow::Member;
           d = p_.definition(base))
        base = f_.constraints[d].src;
      return base != None && readFrom(base) == Place{w.variable, false, w.path};
    });
  }

  Id typeOf(const Place &place) const {
    return place.path.empty() ? f_.nodes[place.variable].type
                              : f_.fields[place.path.back()].type;
  }

  bool isNumber(Id type) const {
    return p_.kind(type) == TypeKind::Integer ||
           p_.kind(type) == TypeKind::Byte ||
           p_.kind(type) == TypeKind::Floating;
  }

  bool keep(const Fill &fill) {
    const Place &table = fill.table, &count = fill.count;
    Id type = p_.element(typeOf(table));
    // An array of records is kept as a whole.
    bool canKeep = fill.ofRecords
                       ? table.path.empty() && p_.recordOf(type) != None
                       : p_.isPointer(type);
    if (!canKeep || !f_.nodes[count.variable].isDefined ||
        !isNumber(typeOf(count)))
      return false;
    addRoot(table, fill);
    restore(count, "counts what is in " + nameOf(table) + ", at " +
                       p_.describe(fill.loc));
    for (const Place &other : fill.beside)
      keepBeside(other, fill);
    return true;
  }

  void keepBeside(const Place &other, const Fill &fill) {
    Id type = typeOf(other);
    if (KeptStatics(out_).holds(other.variable, other.path) ||
        tables_.count(other))
      return;
    if (other.isBehind || !f_.nodes[other.variable].isDefined)
      tellBeside(other, fill);
    else if (p_.kind(type) == TypeKind::Array && isNumber(p_.element(type)))
      restore(other, "goes with what is in " + nameOf(fill.table) + ", at " +
                         p_.describe(fill.loc));
    else if (p_.isPointer(type) && isNumber(p_.pointee(type)))
      addRoot(other, fill);
    else
      tellBeside(other, fill);
  }

  void addRoot(const Place &table, const Fill &fill) {
    Root r;
    r.path = nameOf(table);
    r.variable = table.variable;
    r.fields = table.path;
    r.slotType = typeOf(table);
    r.witness.function = fill.function;
    r.witness.site = fill.loc;
    r.witness.action = "puts objects of the load into " + nameOf(fill.table);
    r.witness.chain = {
        {r.path, "objects of the load", fill.function, fill.loc, false}};
    out_.roots.push_back(std::move(r));
  }

  void restore(const Place &number, std::string why) {
    if (!KeptStatics(out_).holds(number.variable, number.path))
      out_.scalars.push_back({number.variable, number.path,
                              p_.nameOf(number.variable, number.path),
                              std::move(why)});
  }

  void tellBeside(const Place &other, const Fill &fill) {
    out_.notCovered.push_back(
        {"index-alone", fill.loc, fill.function,
         p_.nameOf(fill.count.variable, fill.count.path) + " comes back with " +
             nameOf(fill.table) + ", and " + nameOf(other) +
             ", in which it says a place, too, does not: name that with "
             "nvm_root()"});
  }

  std::string nameOf(const Place &place) const {
    std::string name = p_.nameOf(place.variable, place.path);
    bool isArray =
        !place.path.empty() &&
        p_.kind(f_.fields[place.path.back()].type) == TypeKind::Array;
    return isArray ? name + "[]" : name;
  }

  void tell(const Fill &fill) {
    out_.notCovered.push_back(
        {"head-not-kept", fill.loc, fill.function,
         nameOf(fill.table) + " is not kept, nor " +
             p_.nameOf(fill.count.variable, fill.count.path) +
             ", which counts what is there, since the load does not fill it, "
             "though objects of the load are put there: name both with "
             "nvm_root(), and fill it at start-up only if nvm_restore() was "
             "0"});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const PersistentParts parts_;
  const AroundLoad around_;
  const IdSet later_; ///< functions
  Scratch scratch_{c_};
  Solution &out_;
  std::map<Place, std::vector<Fill>> tables_;
  mutable std::map<Id, std::vector<Id>> writes_; ///< by function
};

} // namespace

void nvmove::findFilledTables(const SolveContext &context, Solution &solution) {
  if (context.loop.loop != None && !solution.types.empty())
    FilledTables(context, solution).run();
}
