//===- StaticRoots.cpp - What is registered of roots and scalars ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/FieldDescriptions.h"
#include "passes/rewrite/roots/Statics.h"
#include "passes/solve/sites/PoolMembership.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(BitFieldRoot, BitFieldsTogether, FlexibleRoot, RootArrayTooLong,
        RootInLocal, RootPath, RootTypeIncomplete)

using namespace llvm;

namespace nvmove {

void Statics::addRoot(const Root &root) {
  const Node &node = facts.nodes[root.variable];
  std::string shown = root.path.empty() ? node.name : root.path;
  std::vector<Id> fields = root.fields;
  bool isBits = !fields.empty() && facts.fields[fields.back()].width_bits;
  std::optional<Place> place =
      placeFor(root.variable, "the root '" + shown + "' is not kept",
               !isBits && (root.container == None || root.keepsValues), shown);
  bool isFollowed = node.kind == NodeKind::Local &&
                    any_of(context.solution.contents.twins, [&](const Twin &t) {
                      return t.variable == root.variable;
                    });
  if (place && isFollowed && !isBeforeStart(*place, node.function)) {
    context.refuse(FindingId::RootInLocal, node.loc, node.function,
                   "the root '" + Twine(shown) +
                       "' is not kept: it is reached through pointers from '" +
                       node.name +
                       "', a local variable, and main has statements before "
                       "its declaration",
                   "declare it first, or make it a static at file scope");
    return;
  }
  Id type = None;
  std::optional<std::vector<std::string>> lvalues;
  if (isBits)
    fields.pop_back();
  if (place)
    lvalues = spell(root.variable, fields, type);
  if (!lvalues)
    return;
  if (isBits) {
    std::vector<std::string> records = context.elements(*lvalues, type);
    for (const std::string &lvalue : records)
      addBits(root, *place, lvalue, root.fields.back(),
              facts.types[type].inner);
    if (records.empty())
      refuseTooMany(node, shown);
  } else if (root.container == None) {
    addRootLines(root, *place, *lvalues, type);
  } else {
    addContainer(root, *place, *lvalues, type);
  }
}

/// NVM_ROOT, NVM_ROOT_POINTERS, or NVM_ROOT_VOLATILE.
std::string Statics::kindOf(const Root &root, const std::vector<Id> &fields,
                            Id type) const {
  if (!holdsPointers(context, root.variable, fields, type))
    return "NVM_ROOT";
  bool mayEnd =
      root.mayEnd ||
      (!fields.empty() &&
       is_contained(context.solution.contents.volatileFields, fields.back()));
  return mayEnd ? "NVM_ROOT_VOLATILE" : "NVM_ROOT_POINTERS";
}

/// In the record, by their paths from there: locks, and pointers of which some
/// lead to what ends with the process.
void Statics::endingIn(Id record, const std::string &path,
                       std::vector<Ending> &found) const {
  for (Id id : facts.records[record].fields) {
    const Field &field = facts.fields[id];
    std::string name = path;
    if (!field.name.empty())
      name += (path.empty() ? "" : ".") + field.name;
    Id type = field.type;
    while (facts.types[type].kind == TypeKind::Array)
      type = facts.types[type].inner;
    const Id inner = facts.types[type].kind == TypeKind::Record
                         ? facts.types[type].inner
                         : None;
    if (context.solution.commits.lockFields.count(id) ||
        (inner != None && isLock(facts.records[inner].spelling))) {
      found.push_back({"NVM_LOCK", name});
    } else if (facts.types[type].kind == TypeKind::Pointer &&
               is_contained(context.solution.contents.volatileFields, id)) {
      found.push_back({"NVM_ENDING", name});
    } else if (inner != None) {
      Id element = field.type;
      for (const std::string &each : context.elements({name}, element))
        endingIn(inner, each, found);
    }
  }
}

/// Who has a lock when a commit comes is gone in the next run.
void Statics::addEnding(Place place, const std::string &lvalue, Id type) {
  std::string element = lvalue;
  while (facts.types[type].kind == TypeKind::Array) {
    element += "[0]";
    type = facts.types[type].inner;
  }
  if (facts.types[type].kind != TypeKind::Record)
    return;
  std::vector<Ending> found;
  endingIn(facts.types[type].inner, "", found);
  for (const Ending &e : found) {
    std::string line =
        e.macro.str() + "(" + lvalue + ", " + element + ", " + e.path + ");";
    addLine(place, line, line);
  }
}

/// `lvalues`, of `type`, are roots.
void Statics::addRootLines(const Root &root, Place place,
                           const std::vector<std::string> &lvalues, Id type) {
  std::vector<Id> fields = root.fields, named;
  if (!fields.empty())
    named = context.namedFields(fields.back());
  if (fields.empty() || named == std::vector<Id>{fields.back()}) {
    std::string kind = kindOf(root, fields, type);
    for (const std::string &lvalue : lvalues) {
      addRootLine(place, lvalue, kind);
      if (root.isSettled && !declared.count(place))
        addLine(place, "NVM_SETTLED(" + lvalue + ");",
                "NVM_SETTLED(" + lvalue + ");");
      if (root.isTally && !declared.count(place))
        addLine(place, "NVM_TALLY(" + lvalue + ");",
                "NVM_TALLY(" + lvalue + ");");
      addEnding(place, lvalue, type);
    }
    return;
  }
  fields.pop_back();
  Id outer = None;
  if (auto records = spell(root.variable, fields, outer))
    addMembers(root, place, context.elements(*records, outer), outer, named);
}

/// Of `records`, of `type`, these fields are roots.
void Statics::addMembers(const Root &root, Place place,
                         const std::vector<std::string> &records, Id type,
                         const std::vector<Id> &fields) {
  for (Id id : fields)
    if (facts.fields[id].width_bits) {
      for (const std::string &record : records)
        addBits(root, place, record, id, facts.types[type].inner);
    } else if (auto lvalues =
                   members(records, type, id, facts.nodes[root.variable])) {
      for (const std::string &lvalue : *lvalues)
        addRootLine(place, lvalue, kindOf(root, {id}, facts.fields[id].type));
    }
}

/// `slots`, of `type`, hold or lead to the records whose fields are kept.
void Statics::addContainer(const Root &root, Place place,
                           const std::vector<std::string> &slots, Id type) {
  const Node &node = facts.nodes[root.variable];
  std::string shown = root.path.empty() ? node.name : root.path;
  if (!context.seesRecord(place.first, root.container)) {
    context.refuse(FindingId::RootTypeIncomplete, node.loc, None,
                   "the type '" + facts.records[root.container].spelling +
                       "' is not visible where '" + node.name +
                       "' is defined, so the root '" + shown + "' is not kept");
    return;
  }
  Id element = type;
  std::vector<std::string> all = context.elements(slots, element);
  for (const std::string &slot : all) {
    if (facts.types[element].kind == TypeKind::Pointer)
      root.keepsValues ? addValues(root, place, slot)
                       : addArray(root, place, slot);
    else
      addFields(root, place, element, slot);
  }
  if (all.empty())
    refuseTooMany(node, shown);
}

void Statics::refuseTooMany(const Node &variable, StringRef shown) {
  context.refuse(FindingId::RootArrayTooLong, variable.loc, None,
                 "'" + shown + "' names too many roots to register each",
                 "make the array a single root with nvm_root()");
}

/// A field of the record that `way` leads to the last field of, behind the
/// members on the way: "inner.field", several through arrays.
std::vector<std::string> Statics::spellBehind(ArrayRef<Id> way,
                                              Id field) const {
  std::vector<std::string> prefixes{""};
  for (Id k : way.drop_back()) {
    const Field &member = facts.fields[k];
    if (!member.name.empty())
      for (std::string &prefix : prefixes)
        prefix += (prefix.empty() ? "" : ".") + member.name;
    Id type = member.type;
    prefixes = context.elements(std::move(prefixes), type);
  }
  std::vector<std::string> result;
  for (const std::string &prefix : prefixes)
    for (const std::string &name :
         context.spellField(facts.fields[way.back()].record, field))
      result.push_back(prefix.empty() ? name : prefix + "." + name);
  return result;
}

/// The records themselves lie in static memory: each persistent field is a
/// root.
void Statics::addFields(const Root &root, Place place, Id type,
                        const std::string &lvalue) {
  const Node &variable = facts.nodes[root.variable];
  for (const std::vector<Id> &way : root.containerFields) {
    std::optional<std::vector<std::string>> records{{lvalue}};
    Id inner = type;
    for (Id k : ArrayRef(way).drop_back()) {
      records = members(*records, inner, k, variable);
      if (!records)
        return;
      inner = facts.fields[k].type;
      records = context.elements(std::move(*records), inner);
    }
    addMembers(root, place, *records, inner, context.namedFields(way.back()));
  }
}

/// Of the one record that `slot` leads to.
void Statics::addValues(const Root &root, Place place,
                        const std::string &slot) {
  const std::string &type = facts.records[root.container].spelling;
  for (const std::vector<Id> &way : root.containerFields) {
    Id id = way.back();
    const Field &field = facts.fields[id];
    if (field.width_bits || field.flexible) {
      context.refuse(field.flexible ? FindingId::FlexibleRoot
                                    : FindingId::BitFieldRoot,
                     facts.nodes[root.variable].loc, None,
                     "'" + field.name + "' of '" + type +
                         "' has no size of its own, so it is not kept");
      continue;
    }
    for (const std::string &path : spellBehind(way, id)) {
      std::string rest = "BEHIND(" + slot + ", " + type + ", " + path + ");";
      if (declared.count(place)) {
        std::optional<std::string> name = nameHere(place, slot + "->" + path);
        if (!name)
          continue;
        rest = "BEHIND_HERE(\"" + *name + "\", " + slot + ", " + type + ", " +
               path + ");";
      }
      std::string plain = "NVM_ROOT_" + rest,
                  exact = "NVM_ROOT_POINTERS_" + rest,
                  kind = describeField(context, root.container, type, id, path);
      if (StringRef(kind).starts_with("NVM_VOLATILE("))
        addLine(place, "NVM_ROOT_VOLATILE_" + rest, exact);
      else if (StringRef(kind).starts_with("NVM_POINTER("))
        addLine(place, exact, plain);
      else
        addLine(place, plain, exact);
    }
  }
}

void Statics::addArray(const Root &root, Place place, const std::string &slot) {
  const std::string &type = facts.records[root.container].spelling;
  std::vector<std::string> members;
  auto add = [&](const std::string &part) {
    if (!is_contained(members, part))
      members.push_back(part);
  };
  for (const std::vector<Id> &way : root.containerFields)
    for (Id id : context.namedFields(way.back())) {
      const Field &field = facts.fields[id];
      if (field.width_bits) {
        if (std::optional<BitRun> run = bitsOf(root, id, root.container))
          add(describeBits(facts, *run, type));
      } else if (field.flexible) {
        context.refuse(FindingId::FlexibleRoot, facts.nodes[root.variable].loc,
                       None,
                       "'" + field.name + "' of '" + type +
                           "' has no size of its own, so it is not kept");
      } else {
        for (const std::string &path : spellBehind(way, id))
          add(describeField(context, root.container, type, id, path));
      }
    }
  std::string known = "NVM_ROOT_ARRAY(" + slot + ", ",
              separator = ",\n                   ";
  if (!members.empty())
    addLine(place, known + type + separator + join(members, separator) + ");",
            known);
}

/// What is registered for a bit-field of `record`. It brings those next to it
/// along.
std::optional<BitRun> Statics::bitsOf(const Root &root, Id field, Id record) {
  const Node &variable = facts.nodes[root.variable];
  const std::string &name = facts.fields[field].name;
  std::optional<BitRun> run;
  if (context.spellField(record, field) == std::vector<std::string>{name})
    run = bitRunOf(facts, field);
  if (!run) {
    context.refuse(
        FindingId::BitFieldRoot, variable.loc, None,
        "'" + Twine(name) + "' below '" + variable.name +
            "' is a bit-field, and the range of its bytes is unknown");
    return run;
  }
  std::vector<Id> path = root.fields;
  std::vector<std::string> others;
  for (Id other : run->fields) {
    if (!path.empty())
      path.back() = other;
    if (!scalars[root.variable].count(path) &&
        !any_of(root.containerFields,
                [&](const auto &way) { return way.back() == other; }))
      others.push_back("'" + facts.fields[other].name + "'");
  }
  if (!others.empty())
    context.refuse(FindingId::BitFieldsTogether, variable.loc, None,
                   Twine(join(others, ", ")) + " below '" + variable.name +
                       "' are restored, because they share bytes with restored "
                       "bit-fields");
  return run;
}

void Statics::addBits(const Root &root, Place place, const std::string &lvalue,
                      Id field, Id record) {
  std::optional<BitRun> run = bitsOf(root, field, record);
  if (!run)
    return;
  std::string begin = "&" + lvalue, end = begin + " + 1";
  if (run->before != None)
    begin = "&" + lvalue + "." + facts.fields[run->before].name + " + 1";
  if (run->after != None)
    end = "&" + lvalue + "." + facts.fields[run->after].name;
  std::string line = "NVM_ROOT_BITS(" + lvalue + ", \"" + run->names + "\", " +
                     begin + ", " + end + ");";
  addLine(place, line, line);
}

/// The lvalues that a path of fields stands for: several where arrays lie on
/// it.
std::optional<std::vector<std::string>>
Statics::spell(Id variable, const std::vector<Id> &fields, Id &type) {
  const Node &node = facts.nodes[variable];
  std::vector<std::string> lvalues{node.name};
  type = node.type;
  for (Id id : fields) {
    const Field &field = facts.fields[id];
    lvalues = context.elements(std::move(lvalues), type);
    std::optional<std::vector<std::string>> next =
        members(lvalues, type, id, node);
    if (!next)
      return std::nullopt;
    lvalues = std::move(*next);
    type = field.type;
  }
  return lvalues;
}

/// The field of each of `lvalues`, which are of `type`; else says why not.
std::optional<std::vector<std::string>>
Statics::members(const std::vector<std::string> &lvalues, Id type, Id id,
                 const Node &variable) {
  const Field &field = facts.fields[id];
  bool isRecord = facts.types[type].kind == TypeKind::Record;
  std::vector<std::string> paths;
  if (isRecord)
    paths = context.spellField(facts.types[type].inner, id);
  std::vector<std::string> result;
  for (const std::string &lvalue : lvalues)
    for (const std::string &path : paths)
      result.push_back(path.empty() ? lvalue : lvalue + "." + path);
  bool tooMany = result.size() > Context::MaximumElements;
  if (!result.empty() && !tooMany)
    return result;
  std::string shown = field.name + "' below '" + variable.name;
  if (isRecord)
    refuseTooMany(variable, shown);
  else
    context.refuse(FindingId::RootPath, variable.loc, None,
                   "'" + Twine(shown) + "' is reached through a pointer");
  return std::nullopt;
}

/// Records of which everything is restored are one root each, in arrays, too.
void Statics::addScalars() {
  for (const RestoredScalar &scalar : context.solution.restored.scalars) {
    Root root;
    root.variable = scalar.variable;
    root.fields = scalar.fields;
    root.path = scalar.path;
    root.isTally = scalar.isTally;
    Id type = facts.nodes[root.variable].type;
    for (size_t i = 0; i < scalar.fields.size(); ++i) {
      bool isNamed = i == 0 || !facts.fields[scalar.fields[i - 1]].name.empty();
      std::vector<Id> outer(scalar.fields.begin(), scalar.fields.begin() + i);
      if (isNamed && isRestored(root.variable, outer, type)) {
        root.fields = std::move(outer);
        root.isTally = false; // more than the number
        break;
      }
      type = facts.fields[scalar.fields[i]].type;
    }
    addRoot(root);
  }
}

/// All numbers and text of the record in `fields`, which holds no pointers.
bool Statics::isRestored(Id variable, const std::vector<Id> &fields,
                         Id type) const {
  const Type &element = facts.types[elementOf(facts, type)];
  const std::set<std::vector<Id>> &known = scalars.at(variable);
  if (known.count(fields))
    return true;
  if (element.kind != TypeKind::Record)
    return false;
  const Record &record = facts.records[element.inner];
  auto isMember = [&](Id field) {
    std::vector<Id> inner = fields;
    inner.push_back(field);
    return isRestored(variable, inner, facts.fields[field].type);
  };
  // An unnamed union goes by one of its members.
  bool isUnnamed = !fields.empty() && facts.fields[fields.back()].name.empty();
  if (record.isUnion)
    return isUnnamed && any_of(record.fields, isMember);
  return !record.fields.empty() && all_of(record.fields, isMember);
}

} // namespace nvmove
