//===- OutParameterSettings.cpp - Numbers that helpers of the load choose -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   get_bool(lookup(file, "fast"), &fast);       in the load
//   if (!strcmp(text, "yes")) *result = true;    in get_bool()
//
// The constant is what the file says. Other code may call the helper for
// numbers of its own, so it is the address that tells: where the load alone
// takes it, the number comes back; where others do, too, that is reported.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

using OutParameterSettingsParts = View<LoadedStatics>;

class OutParameterSettings {
public:
  explicit OutParameterSettings(const OutParameterSettingsParts &a)
      : p_(a.context.program), f_(p_.facts), pt_(a.context.pointsTo),
        s_(a.state), phases_(a.context.phases),
        members_(a.context.members.numbers), kept_(a.statics.restored()),
        statics_(a.statics) {}

  void run() {
    for (const Constraint &c : f_.constraints)
      if (c.flow != Flow::Load && c.flow != Flow::Member)
        handed_.insert(c.src);
    for (const Call &c : f_.calls)
      handed_.insert(c.args.begin(), c.args.end());
    findTakers();
    IdSet seen; // locations
    for (auto &[fn, call] : pt_.reached())
      for (Id i : s_.seesFile(fn) ? p_.storesOf(fn) : none_) {
        const StoreSite &s = f_.stores[i];
        if (s.address != None && !p_.takesValues(s.address) &&
            !s.readModifyWrite && p_.variableAt(s.address) == None &&
            !pt_.neverDone(s.nonNull, fn))
          for (Id l : pt_.pointsTo(s.address))
            if (seen.insert(l).second)
              look(l, s);
      }
  }

private:
  void look(Id l, const StoreSite &store) {
    const auto &at = pt_.locations()[l];
    const PointsTo::Object &o = pt_.objects()[at.object];
    if (o.kind != PointsTo::Object::Variable ||
        f_.nodes[o.ref].kind != NodeKind::Global ||
        !f_.nodes[o.ref].isDefined || f_.nodes[o.ref].isConst ||
        f_.nodes[o.ref].isFunctionScope ||
        p_.kind(f_.nodes[o.ref].type) == TypeKind::Array)
      return;
    if (at.field == None)
      return number(o.ref, {}, store);
    if (o.record != None)
      for (const std::vector<Id> &path :
           members_.waysTo(o.record, at.field).filled)
        number(o.ref, path, store);
  }

  void number(Id variable, const std::vector<Id> &path,
              const StoreSite &store) {
    Id type = p_.typeOf(variable, path);
    if (type == None ||
        (p_.kind(type) != TypeKind::Integer &&
         p_.kind(type) != TypeKind::Byte) ||
        kept_.holds(variable, path))
      return;
    const Users users = usersOf(variable, path);
    if (users.ofLoad) // else each start sets it
      statics_.note({variable, path},
                    {users.others ? Evidence::SetByLoad : Evidence::SetByHelper,
                     store.loc, store.function});
  }

  void findTakers() {
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::AddressOf &&
          f_.nodes[c.src].kind == NodeKind::Global && handed_.contains(c.dst))
        takers_[{c.src, None}].push_back(c.function);
      else if (c.flow == Flow::Member && handed_.contains(c.dst))
        if (Id variable = p_.variableAt(c.src); variable != None)
          takers_[{variable, c.extra}].push_back(c.function);
  }

  /// Who takes the address of the variable, or of the member, or writes it.
  struct Users {
    bool ofLoad = false; ///< that no start runs but to load
    bool others = false;
  };
  Users usersOf(Id variable, const std::vector<Id> &path) const {
    Users users;
    auto add = [&](Id function) {
      if (function == None || !pt_.reached().contains(function))
        users.others = true;
      else if (!phases_.alwaysAtStart.contains(function))
        users.ofLoad = true;
    };
    auto addTakers = [&](Id member) {
      if (auto at = takers_.find({variable, member}); at != takers_.end())
        for (Id function : at->second)
          add(function);
    };
    addTakers(None);
    if (!path.empty())
      addTakers(path.front());
    for (const StaticWrite &w : f_.staticWrites)
      if (w.variable == variable && w.path == path)
        add(w.function);
    return users;
  }

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const ProgramPhases &phases_;
  MemberDisambiguation &members_;
  const RestoredSet &kept_;
  StaticEvidence &statics_;
  IdSet handed_; ///< values that are not only read through
  /// Functions that take the address of a variable, or of a member of it.
  std::map<std::pair<Id, Id>, std::vector<Id>> takers_;
  const std::vector<Id> none_;
};

} // namespace

namespace nvmove {

void findOutParameterSettings(OutParameterSettingsParts a) {
  OutParameterSettings(a).run();
}

} // namespace nvmove
