//===- Statics.cpp - Roots, twins and kept scalars ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever has static storage is registered in the file that defines it, where
// its name and its type are visible, in one constructor function at the end.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/BitFields.h"
#include "passes/rewrite/Context.h"
#include "passes/rewrite/Directives.h"
#include "passes/rewrite/Words.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace nvmove {

namespace {

/// extern struct node *name;
bool isDeclaredExtern(StringRef text, const Lines &lines, StringRef name) {
  bool isExtern = false;
  for (const Token &token : tokens(text)) {
    if (lines.inDirective(token.offset))
      continue;
    if (token.is("extern"))
      isExtern = true;
    else if (token.is(";"))
      isExtern = false;
    else if (isExtern && token.is(name))
      return true;
  }
  return false;
}

class Statics {
public:
  explicit Statics(Context &context) : context(context), facts(context.facts) {}
  void run();

private:
  using Place = std::pair<Id, uint32_t>; ///< file and offset of a registration
  Context &context;
  const Facts &facts;
  std::map<Place, std::vector<std::string>> registrations;
  std::set<Place> shared; ///< where names are registered that others have, too
  std::map<Id, std::set<std::string>> tags; ///< taken in each file
  /// Variables, and the paths of the numbers and text that come back of them.
  std::map<Id, std::set<std::vector<Id>>> scalars;
  /// Variables that functions declare, by the place behind the declaration.
  std::map<Place, Id> declared;
  std::map<std::string, Id> namesInPool; ///< of these
  bool isScalar = false;                 ///< what is being registered

  void addScalars();
  bool isRestored(Id variable, const std::vector<Id> &fields, Id type) const;
  void addRoot(const Root &root);
  void addTwin(const Twin &twin);
  void addKept(const KeptScalar &kept);
  void addContainer(const Root &root, Place place,
                    const std::vector<std::string> &slots, Id type);
  void addRootLines(const Root &root, Place place,
                    const std::vector<std::string> &lvalues, Id type);
  void addMembers(const Root &root, Place place,
                  const std::vector<std::string> &records, Id type,
                  const std::vector<Id> &fields);
  void addFields(const Root &root, Place place, Id type,
                 const std::string &lvalue);
  void addBits(const Root &root, Place place, const std::string &lvalue,
               Id field, Id record);
  std::optional<BitRun> bitsOf(const Root &root, Id field, Id record);
  std::vector<std::string> spellBehind(ArrayRef<Id> way, Id field) const;
  void refuseTooMany(const Node &variable, StringRef shown);
  void addValues(const Root &root, Place place, const std::string &slot);
  void addArray(const Root &root, Place place, const std::string &slot);
  std::optional<Place> placeFor(Id variable, StringRef what,
                                bool canBeInFunction);
  std::optional<Place> placeOfOne(Id variable);
  std::optional<uint32_t> placeInFunction(const Node &variable);
  uint32_t endOf(Id function, Loc loc) const;
  std::optional<std::string> nameHere(Place place, const std::string &lvalue);
  bool isBeforeStart(Place place, Id function) const;
  void addFollowedLocal(const Twin &twin);
  void addRootLineHere(Place place, const std::string &lvalue,
                       const std::string &kind);
  void emitHere(Place place, const std::vector<std::string> &lines);
  std::optional<std::vector<std::string>>
  spell(Id variable, const std::vector<Id> &fields, Id &type);
  std::optional<std::vector<std::string>>
  members(const std::vector<std::string> &lvalues, Id type, Id id,
          const Node &variable);
  std::string kindOf(const Root &root, const std::vector<Id> &fields,
                     Id type) const;
  void addRootLine(Place place, const std::string &lvalue,
                   const std::string &kind);
  void addRootLineOf(Place place, const std::string &kind,
                     const std::string &rest);
  void addLine(Place place, const std::string &line, const std::string &known);
  void emit();
};

void Statics::run() {
  // Roots that hang from one container are one registration of its array.
  std::map<std::tuple<Id, std::vector<Id>, Id>, Root> kept;
  for (const Root &root : context.solution.roots) {
    if (!root.kept())
      continue;
    auto [at, fresh] =
        kept.try_emplace({root.variable, root.fields, root.container}, root);
    if (!fresh)
      for (const std::vector<Id> &way : root.containerFields)
        if (!is_contained(at->second.containerFields, way))
          at->second.containerFields.push_back(way);
  }
  for (const RestoredScalar &scalar : context.solution.scalars)
    scalars[scalar.variable].insert(scalar.fields);
  for (const auto &[slot, root] : kept)
    addRoot(root);
  isScalar = true;
  addScalars();
  for (const Twin &twin : context.solution.twins)
    addTwin(twin);
  for (const KeptScalar &kept : context.solution.kept)
    addKept(kept);
  if (context.solution.holdsLiterals)
    for (const auto &[place, lines] : registrations)
      if (!declared.count(place)) {
        addLine(place, "NVM_LITERALS();", "NVM_LITERALS(");
        break;
      }
  emit();
}

/// Records of which everything is restored are one root each, in arrays, too.
void Statics::addScalars() {
  for (const RestoredScalar &scalar : context.solution.scalars) {
    Root root;
    root.variable = scalar.variable;
    root.fields = scalar.fields;
    root.path = scalar.path;
    Id type = facts.nodes[root.variable].type;
    for (size_t i = 0; i < scalar.fields.size(); ++i) {
      bool isNamed = i == 0 || !facts.fields[scalar.fields[i - 1]].name.empty();
      std::vector<Id> outer(scalar.fields.begin(), scalar.fields.begin() + i);
      if (isNamed && isRestored(root.variable, outer, type)) {
        root.fields = std::move(outer);
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

/// Where the registration of `variable` goes; otherwise says why it cannot.
std::optional<Statics::Place> Statics::placeFor(Id variable, StringRef what,
                                                bool canBeInFunction) {
  const Node &node = facts.nodes[variable];
  bool isFunction = node.kind == NodeKind::Function;
  Loc loc = isFunction ? facts.functions[node.function].loc : node.loc;
  bool isInFunction = node.isFunctionScope || node.kind == NodeKind::Local;
  bool isDefined = isFunction ? facts.functions[node.function].hasBody
                              : node.isDefined || isInFunction;
  auto refuse = [&](StringRef id, const Twine &why, const Twine &remedy) {
    context.refuse(id, loc, isFunction ? None : node.function,
                   "'" + Twine(node.name) + "' is " + why + ", so " + what +
                       "; " + remedy);
    return std::nullopt;
  };
  std::optional<uint32_t> inFunction;
  if (isInFunction && canBeInFunction && !node.isThreadLocal)
    inFunction = placeInFunction(node);
  if (isInFunction && !inFunction)
    return refuse("function-scope-static",
                  node.isFunctionScope ? "a static variable inside a function"
                                       : "a local variable",
                  "move it to file scope");
  if (node.isThreadLocal)
    return refuse("thread-local-static", "one for each thread",
                  "keep what it leads to in a static variable, too");
  if (!isDefined || loc.file == None)
    return refuse("no-definition",
                  "not defined in the files that were analysed",
                  "name the file that defines it");
  Id file = loc.file;
  if (!facts.files[file].editable)
    return refuse("uneditable-site",
                  "defined in a file that is not part of the program",
                  "register it by hand");
  bool isInSeveral = !context.includes.isSource(file) &&
                     context.includes.sourcesSeeing(file).size() != 1;
  if (isInSeveral && !isFunction && !isInFunction)
    if (std::optional<Place> place = placeOfOne(variable))
      return place;
  if (isInSeveral)
    return refuse("static-in-header",
                  "defined in a header that several files include",
                  "define it in one source file");
  if (inFunction) {
    declared.emplace(Place{file, *inFunction}, variable);
    return Place{file, *inFunction};
  }
  std::optional<uint32_t> offset =
      endOfRegion(context.content(file), isFunction ? endOf(node.function, loc)
                                                    : context.offsetOf(loc));
  if (!offset)
    return refuse("conditional-definition",
                  "defined inside an #if whose braces do not match",
                  "register it by hand");
  Place place{file, *offset};
  if (context.names.isShared(variable))
    shared.insert(place);
  return place;
}

/// Of a variable in a header that several sources see, one of which defines it:
/// `#define global extern`, or `#ifdef MAIN int x; #else extern int x; #endif`.
std::optional<Statics::Place> Statics::placeOfOne(Id variable) {
  const Node &node = facts.nodes[variable];
  Id file = node.loc.file, source = node.definedIn;
  if (node.isStatic || source == None || !context.includes.isSource(source) ||
      !context.includes.sees(source, file) || !facts.files[source].editable ||
      context.names.isShared(variable))
    return std::nullopt;
  StringRef header = context.content(file);
  std::optional<uint32_t> end = endOfRegion(header, context.offsetOf(node.loc));
  bool isAlwaysDeclared =
      end == endOfRegion(header, header.size()) ||
      isDeclaredExtern(header, context.lines(file), node.name);
  if (!isAlwaysDeclared)
    return std::nullopt;
  return Place{source, context.content(source).size()};
}

/// Of its definition there: its head may stand in an #if, and the body behind.
uint32_t Statics::endOf(Id function, Loc loc) const {
  uint32_t begin = context.offsetOf(loc);
  for (const Definition &d : facts.definitions)
    if (d.function == function && d.text.valid() && d.text.file == loc.file &&
        d.text.begin <= begin && begin < d.text.end)
      return d.text.end;
  return begin;
}

/// Behind its declaration, where it is written out in a block.
std::optional<uint32_t> Statics::placeInFunction(const Node &variable) {
  Id file = variable.loc.file;
  if (file == None || !facts.files[file].editable || variable.function == None)
    return std::nullopt;
  StringRef content = context.content(file);
  uint32_t begin = context.offsetOf(variable.loc);
  if (!content.substr(begin).starts_with(variable.name) ||
      context.lines(file).inDirective(begin))
    return std::nullopt;
  int depth = 0;
  std::optional<uint32_t> behind;
  for (const Token &token : tokens(content.substr(begin))) {
    depth += token.is("(") + token.is("[") + token.is("{");
    depth -= token.is(")") + token.is("]") + token.is("}");
    if (depth < 0) // not in the head of a for
      return token.is("}") ? behind : std::nullopt;
    if (depth == 0 && token.is(";") && !behind)
      behind = begin + token.offset + 1;
  }
  return behind;
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
    context.refuse("root-path", variable.loc, None,
                   "'" + Twine(shown) +
                       "' is reached through a pointer; register it with "
                       "nvm_root()");
  return std::nullopt;
}

void Statics::addRoot(const Root &root) {
  const Node &node = facts.nodes[root.variable];
  std::string shown = root.path.empty() ? node.name : root.path;
  std::vector<Id> fields = root.fields;
  bool isBits = !fields.empty() && facts.fields[fields.back()].width_bits;
  std::optional<Place> place =
      placeFor(root.variable, "the root '" + shown + "' is not kept",
               !isBits && (root.container == None || root.keepsValues));
  bool isFollowed = node.kind == NodeKind::Local &&
                    any_of(context.solution.twins, [&](const Twin &t) {
                      return t.variable == root.variable;
                    });
  if (place && isFollowed && !isBeforeStart(*place, node.function)) {
    context.refuse("root-in-local", node.loc, node.function,
                   "the root '" + Twine(shown) +
                       "' is not kept: pointers lead to '" + node.name +
                       "', a local variable, and main does something before "
                       "it is declared; declare it first, or make it a static "
                       "at file scope");
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

/// `lvalues`, of `type`, are roots.
void Statics::addRootLines(const Root &root, Place place,
                           const std::vector<std::string> &lvalues, Id type) {
  std::vector<Id> fields = root.fields, named;
  if (!fields.empty())
    named = context.namedFields(fields.back());
  if (fields.empty() || named == std::vector<Id>{fields.back()}) {
    std::string kind = kindOf(root, fields, type);
    for (const std::string &lvalue : lvalues)
      addRootLine(place, lvalue, kind);
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
    context.refuse("root-type-incomplete", node.loc, None,
                   "the type '" + facts.records[root.container].spelling +
                       "' is not visible where '" + node.name +
                       "' is defined, so the root '" + shown +
                       "' is not kept; include its header there");
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
  context.refuse("root-array-too-long", variable.loc, None,
                 "'" + shown +
                     "' stands for too many roots to name each; make the "
                     "array a single root with nvm_root()");
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
      context.refuse(field.flexible ? "flexible-root" : "bit-field-root",
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
                  exact = "NVM_ROOT_POINTERS_" + rest;
      bool pointers =
          StringRef(describeField(context, root.container, type, id, path))
              .starts_with("NVM_POINTER(");
      addLine(place, pointers ? exact : plain, pointers ? plain : exact);
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
        context.refuse("flexible-root", facts.nodes[root.variable].loc, None,
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
    context.refuse("bit-field-root", variable.loc, None,
                   "'" + Twine(name) + "' below '" + variable.name +
                       "' is a bit-field, and where its bytes begin and end "
                       "cannot be said; give it a type of its own");
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
    context.refuse("bit-fields-together", variable.loc, None,
                   Twine(join(others, ", ")) + " below '" + variable.name +
                       "' come back, since they share bytes with bit-fields "
                       "that do; give those that should start afresh a type of "
                       "their own");
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

/// Of a local of main that pointers follow: its place is where nvm_start() has
/// not opened the pool yet.
bool Statics::isBeforeStart(Place place, Id function) const {
  return any_of(facts.definitions, [&](const Definition &d) {
    return d.function == function && d.bodyStart.file == place.first &&
           place.second <= d.bodyStart.begin;
  });
}

void Statics::addFollowedLocal(const Twin &twin) {
  const Node &node = facts.nodes[twin.variable];
  std::optional<Place> place =
      placeFor(twin.variable, "pointers to it do not survive a restart", true);
  if (!place || !isBeforeStart(*place, node.function))
    return;
  if (std::optional<std::string> name = nameHere(*place, node.name)) {
    std::string line = "NVM_STATIC_HERE(\"" + *name + "\", " + node.name + ");";
    addLine(*place, line, line);
  }
}

void Statics::addTwin(const Twin &twin) {
  const Node &node = facts.nodes[twin.variable];
  if (node.kind == NodeKind::Local)
    return addFollowedLocal(twin);
  std::optional<Place> place = placeFor(
      twin.variable,
      "pointers to it in persistent objects do not survive a restart", false);
  if (!place)
    return;
  bool isFunction = node.kind == NodeKind::Function;
  // #define NAME(x) x##_index: the definition may be written with it, too.
  auto isFixed = [&](Id id) {
    const AddressUse &use = facts.addressUses[id];
    return !use.inHook &&
           (!use.span.valid() || context.text(use.span).contains("##"));
  };
  if (twin.isFollowed || any_of(twin.uses, isFixed)) {
    bool isArray =
        !isFunction && facts.types[node.type].kind == TypeKind::Array;
    StringRef form = isFunction ? "NVM_STATIC_FUNCTION("
                     : isArray  ? "NVM_STATIC_ARRAY("
                                : "NVM_STATIC(";
    std::string line = (form + node.name + ");").str();
    addLine(*place, line, line);
    return;
  }
  std::string hook = isFunction ? "nvm_code" : "nvm_twin";
  std::string line =
      (isFunction ? "NVM_CODE(" : "NVM_TWIN(") + node.name + ");";
  addLine(*place, line, line);
  for (Id id : twin.uses) {
    const AddressUse &use = facts.addressUses[id];
    if (use.inHook)
      continue;
    if (context.isMacroArgument(use.span, use.loc, use.function,
                                "the twin of '" + node.name +
                                    "' is not used here") &&
        context.edits.wrap(use.span, hook + "(", ")", Layer::Roots, Rank::Twin))
      ++context.counts["uses of twins"];
  }
}

void Statics::addKept(const KeptScalar &kept) {
  const std::string &name = facts.nodes[kept.variable].name;
  for (Id id : kept.writes) {
    const StaticWrite &write = facts.staticWrites[id];
    std::string lvalue = name;
    for (Id field : write.path)
      if (!facts.fields[field].name.empty())
        lvalue += "." + facts.fields[field].name;
    if (!context.isEditable(write.statement.span, write.loc, write.function,
                            "'" + lvalue + "' is not kept"))
      continue;
    std::string line = "NVM_KEEP(" + lvalue + ");";
    if (context.names.isShared(kept.variable))
      line = "nvm_keep(\"" + context.names.of(kept.variable) + "\", &" +
             lvalue + ", sizeof(" + lvalue + "));";
    StringRef all = context.content(write.statement.span.file);
    if (all.substr(skipTrivia(all, write.statement.span.end)).starts_with(line))
      continue;
    Bracket keep{"", line, false, false, Layer::Roots, Rank::Keep};
    // After the whole of an if, the value could have been used already.
    bool larger = leadingWord(context, write.statement) == "if" ||
                  leadingWord(context, write.statement) == "return";
    if (larger || !whyNotBracketed(context, write.statement).empty())
      context.refuse("kept-scalar-write", write.loc, write.function,
                     "'" + lvalue +
                         "' is written inside a larger statement; write it in "
                         "a statement of its own, followed by " +
                         line);
    else if (bracketStatement(context, write.statement, keep))
      ++context.counts["kept scalars"];
  }
}

/// NVM_ROOT, NVM_ROOT_POINTERS, or NVM_ROOT_VOLATILE.
std::string Statics::kindOf(const Root &root, const std::vector<Id> &fields,
                            Id type) const {
  if (!holdsPointers(context, root.variable, fields, type))
    return "NVM_ROOT";
  bool mayEnd = root.mayEnd ||
                (!fields.empty() &&
                 is_contained(context.solution.volatileFields, fields.back()));
  return mayEnd ? "NVM_ROOT_VOLATILE" : "NVM_ROOT_POINTERS";
}

void Statics::addRootLine(Place place, const std::string &lvalue,
                          const std::string &kind) {
  if (declared.count(place))
    addRootLineHere(place, lvalue, kind);
  else
    addRootLineOf(place, kind, "(" + lvalue + ");");
}

/// The root is kept already, in whatever form?
void Statics::addRootLineOf(Place place, const std::string &kind,
                            const std::string &rest) {
  std::string known = kind + rest;
  for (StringRef other : {"NVM_ROOT", "NVM_ROOT_POINTERS", "NVM_ROOT_VOLATILE"})
    if (other != kind && context.holds(place.first, (other + rest).str()))
      known = (other + rest).str();
  addLine(place, kind + rest, known);
}

/// In the pool it goes by "file.c:store():it.first".
std::optional<std::string> Statics::nameHere(Place place,
                                             const std::string &lvalue) {
  Id variable = declared.at(place);
  const Node &node = facts.nodes[variable];
  std::string name = facts.functions[node.function].name + "():" + lvalue;
  if (context.names.isShared(variable))
    name = context.names.prefix(place.first) + name;
  if (auto [at, fresh] = namesInPool.try_emplace(name, variable);
      !fresh && at->second != variable) {
    context.refuse("function-scope-static", node.loc, node.function,
                   "'" + Twine(lvalue) +
                       "' has the name of another static of its function, so "
                       "it is not kept; rename one of them");
    return std::nullopt;
  }
  return name;
}

void Statics::addRootLineHere(Place place, const std::string &lvalue,
                              const std::string &kind) {
  if (std::optional<std::string> name = nameHere(place, lvalue))
    addRootLineOf(place, kind, "_HERE(\"" + *name + "\", " + lvalue + ");");
}

/// Adds a line unless `known`, its beginning, is in the file already.
void Statics::addLine(Place place, const std::string &line,
                      const std::string &known) {
  if (StringRef(line).starts_with("NVM_ROOT"))
    (isScalar ? context.keepsScalars : context.keepsRoots) = true;
  std::vector<std::string> &lines = registrations[place];
  if (!context.holds(place.first, line))
    checkWritten(context, place.first, known, line);
  if (!context.holds(place.first, known) && !context.holds(place.first, line) &&
      !is_contained(lines, line)) {
    lines.push_back(line);
    ++context
          .counts[line.starts_with("NVM_ROOT") ? "roots"
                  : line.starts_with("NVM_STATIC") || line == "NVM_LITERALS();"
                      ? "statics followed"
                      : "twins"];
  }
}

void Statics::emit() {
  for (const auto &[place, lines] : registrations) {
    if (lines.empty())
      continue;
    if (declared.count(place)) {
      emitHere(place, lines);
      continue;
    }
    auto [file, offset] = place;
    // A header and the source of its name may be one unit.
    StringRef path = facts.files[file].path;
    std::string stem = asIdentifier(context.includes.isSource(file)
                                        ? sys::path::stem(path)
                                        : sys::path::filename(path)),
                tag = stem;
    for (unsigned n = 2; context.holds(file, "NVM_REGISTER(" + tag + ")") ||
                         !tags[file].insert(tag).second;
         ++n)
      tag = stem + "_" + std::to_string(n);
    std::string text = "NVM_REGISTER(" + tag + ") {\n";
    for (const std::string &line : lines)
      text += "    " + line + "\n";
    text += "}\n";
    if (shared.count(place))
      text = "#undef NVM_PREFIX\n#define NVM_PREFIX \"" +
             context.names.prefix(file) + "\"\n" + text +
             "#undef NVM_PREFIX\n#define NVM_PREFIX \"\"\n";
    context.edits.insert(file, offset, context.withoutMacros("\n" + text),
                         Layer::Roots, 0);
  }
}

void Statics::emitHere(Place place, const std::vector<std::string> &lines) {
  auto [file, offset] = place;
  const Node &node = facts.nodes[declared.at(place)];
  std::string newline = "\n" + context.lines(file).indentation(offset).str();
  std::string text = newline;
  if (node.kind == NodeKind::Local)
    text += "NVM_ROOTS_END_WITH(" + node.name + ");" + newline;
  // What it leads to is looked at from now on.
  StringRef behindName = context.content(file).substr(
      context.offsetOf(node.loc) + node.name.size());
  if (node.kind == NodeKind::Local &&
      !tokenAt(behindName, skipTrivia(behindName, 0)).is("=")) {
    std::set<StringRef> slots; // NVM_ROOT_BEHIND_HERE("name", slot, ..)
    for (StringRef line : lines)
      if (line.contains("BEHIND_HERE("))
        slots.insert(line.split("\", ").second.split(", ").first);
    for (StringRef slot : slots)
      text += (slot + " = 0;").str() + newline;
  }
  text += join(lines, newline);
  uint32_t behind = context.lines(file).endOfLineAfter(offset);
  if (behind == Lines::NoPlace) { // more stands on the line
    behind = offset;
    text += newline;
  }
  context.edits.insert(file, behind, context.withoutMacros(text), Layer::Roots);
}

} // namespace

void addStatics(Context &context) { Statics(context).run(); }

} // namespace nvmove
