//===- Explain.cpp - Why a type is or is not persistent -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/explain/Explain.h"
#include "tool/explain/ExplainText.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "tool/message/NearNames.h"
#include "tool/report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using json::Object;

namespace nvmove {

namespace {

bool isNamed(const Object &type, StringRef subject) {
  return type.getString("name") == subject ||
         type.getString("spelling") == subject ||
         is_contained(strings(type, "aliases"), subject);
}

/// As people may spell it: server.db[0].dict, server.db.dict, db->dict.
std::string withoutPunctuation(StringRef path) {
  std::string result;
  unsigned depth = 0;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '[')
      ++depth;
    else if (path[i] == ']')
      depth -= depth > 0;
    else if (path.substr(i).starts_with("->"))
      result += '.', ++i;
    else if (!depth)
      result += path[i];
  }
  return result;
}

/// "server.db" of "server.db.dict".
bool isPart(StringRef path, StringRef of) {
  return path.consume_front(of) && (path.empty() || path[0] == '.');
}

/// "struct dictht" of "array of struct dictht".
StringRef recordIn(StringRef type) {
  while (type.consume_front("pointer to ") || type.consume_front("array of "))
    ;
  return type;
}

Error unknown(const Object &report, StringRef subject) {
  std::vector<std::string> names;
  for (StringRef list :
       {"types", "otherTypes", "sections", "threads", "statics", "functions"})
    for (const Object *item : objects(report, list))
      names.push_back(text(*item, "name"));
  for (StringRef list : {"types", "otherTypes"})
    for (const Object *item : objects(report, list))
      for (std::string &alias : strings(*item, "aliases"))
        names.push_back(std::move(alias));
  for (StringRef list : {"roots", "restoredScalars"})
    for (const Object *item : objects(report, list))
      names.push_back(text(*item, "path"));
  return makeError(
      MessageId::UnknownType,
      ("the program has no type, static or function '" + subject + "'").str() +
          didYouMean(subject, names));
}

Error unknownMember(StringRef owner, StringRef member, bool verdicts,
                    ArrayRef<std::string> names) {
  return makeError(MessageId::UnknownType,
                   (owner + " has no field '" + member + "'" +
                    (verdicts ? " with a verdict" : ""))
                           .str() +
                       didYouMean(member, names));
}

/// Prints all that goes by one name.
class Subject {
public:
  Subject(const Object &report, StringRef subject, raw_ostream &os)
      : report(report), subject(subject), path(withoutPunctuation(subject)),
        os(os), words(report, os) {}

  Error explain() {
    if (site())
      return shown ? Error::success()
                   : makeError(
                         MessageId::UnknownSite,
                         ("the report says nothing about " + subject).str());
    auto [owner, part] = StringRef(path).split('.');
    roots(/*behind=*/false);
    scalars();
    if (!shown && part.empty())
      statics(owner, part);
    types();
    each("sections", "name", [&](auto &s) { words.section(s); });
    each("threads", "name", [&](auto &t) { words.thread(t); });
    each("functions", "name", [&](auto &f) { words.function(f); });
    if (!shown && !part.empty() && !isPersistent(owner)) {
      roots(/*behind=*/true);
      if (!shown)
        statics(owner, part);
    }
    return shown ? Error::success() : member();
  }

private:
  template <typename Print> void show(Print print) {
    if (shown)
      os << '\n';
    shown = true;
    print();
  }

  template <typename Print>
  void each(StringRef list, StringRef key, Print print) {
    for (const Object *item : objects(report, list))
      if (item->getString(key) == subject)
        show([&] { print(*item); });
  }

  /// The ways in which the report may spell the file.
  std::vector<std::string> spellings(StringRef file) const {
    SmallString<256> given(file);
    sys::path::remove_dots(given, /*remove_dot_dot=*/true);
    std::string root = text(report, "root");
    std::vector<std::string> result;
    if (sys::fs::exists(file))
      result.push_back(relativePath(canonicalPath(file), root));
    if (sys::path::is_absolute(given))
      result.push_back(relativePath(given, root));
    result.push_back(std::string(given));
    return result;
  }

  /// "file.c:12" or "file.c:12:7".
  bool site() {
    auto [file, line] = subject.rsplit(':');
    unsigned number = 0, column = 0;
    if (line.empty() || line.getAsInteger(10, number))
      return false;
    if (auto [before, inner] = file.rsplit(':');
        !inner.empty() && !inner.getAsInteger(10, column)) {
      file = before;
      number = column;
    }
    for (const std::string &spelling : spellings(file))
      if (!shown)
        shown = words.site(spelling, number);
    return true;
  }

  /// The root of that path; or the one that the path leads on from.
  void roots(bool behind) {
    for (const Object *root : objects(report, "roots"))
      if (std::string known = withoutPunctuation(text(*root, "path"));
          behind ? isPart(path, known) : path == known)
        show([&] { words.root(*root); });
  }

  void scalars() {
    each("restoredScalars", "path", [&](auto &s) { words.restoredScalar(s); });
    each("keptScalars", "path", [&](auto &k) { words.keptScalar(k); });
    for (const Object *twin : objects(report, "twins"))
      if (const Object *variable = twin->getObject("variable");
          variable && variable->getString("name") == subject)
        show([&] { words.twin(*twin); });
  }

  /// What of a static, or of a member of one, has an explanation of its own.
  std::vector<ExplainText::Kept> keptOf(StringRef part) const {
    std::vector<ExplainText::Kept> result;
    for (const Object *root : objects(report, "roots"))
      if (std::string p = text(*root, "path");
          isPart(withoutPunctuation(p), part)) {
        std::string no = text(*root, "notKept");
        result.push_back({p, no.empty() ? "a root" : "listed only: " + no});
      }
    for (const Object *scalar : objects(report, "restoredScalars"))
      if (std::string p = text(*scalar, "path");
          isPart(withoutPunctuation(p), part))
        result.push_back({p, text(*scalar, "why")});
    return result;
  }

  /// A static, or a member of one that is a record.
  void statics(StringRef name, StringRef part) {
    for (const Object *variable : objects(report, "statics"))
      if (variable->getString("name") == name &&
          (part.empty() ||
           is_contained(membersOf(*variable), part.split('.').first)))
        show([&] { words.variable(*variable, path, keptOf(path)); });
  }

  std::vector<std::string> membersOf(const Object &variable) const {
    std::string type = text(variable, "type");
    std::vector<std::string> names;
    for (const Object *t : objects(report, "otherTypes"))
      if (isNamed(*t, recordIn(type)))
        names = strings(*t, "members");
    for (const Object *t : objects(report, "types"))
      if (isNamed(*t, recordIn(type)))
        for (const Object *field : objects(*t, "fields"))
          names.push_back(text(*field, "name"));
    return names;
  }

  bool isPersistent(StringRef name) const {
    return any_of(objects(report, "types"),
                  [&](const Object *type) { return isNamed(*type, name); });
  }

  void types() {
    for (const Object *type : objects(report, "types"))
      if (isNamed(*type, subject))
        show([&] { words.persistentType(*type); });
    for (const Object *type : objects(report, "otherTypes"))
      if (isNamed(*type, subject))
        show([&] { words.otherType(*type); });
  }

  /// "dict.ht.table": the field `table` of the type of the field `ht`.
  Error member() {
    auto [owner, rest] = StringRef(path).split('.');
    for (const Object *variable : objects(report, "statics"))
      if (variable->getString("name") == owner && !isPersistent(owner))
        if (auto names = membersOf(*variable); !names.empty())
          return unknownMember(owner, rest.split('.').first, false, names);
    std::string typeName = owner.str();
    while (!rest.empty()) {
      auto [name, behind] = rest.split('.');
      if (Error error = fieldOf(typeName, name, behind))
        return error;
      if (shown)
        return Error::success();
      rest = behind;
    }
    return unknown(report, subject);
  }

  /// Shows the field, or the type where that is not persistent; with more
  /// behind it, leads on to the field's type.
  Error fieldOf(std::string &typeName, StringRef name, StringRef behind) {
    for (const Object *type : objects(report, "otherTypes"))
      if (isNamed(*type, typeName)) {
        std::vector<std::string> members = strings(*type, "members");
        if (!is_contained(members, name))
          return unknownMember(text(*type, "name"), name, false, members);
        show([&] { words.otherType(*type); });
      }
    std::vector<std::string> names;
    const Object *inner = nullptr;
    for (const Object *type : objects(report, "types"))
      if (isNamed(*type, typeName))
        for (const Object *field : objects(*type, "fields")) {
          names.push_back(text(*field, "name"));
          if (names.back() != name)
            continue;
          if (behind.empty())
            show([&] { words.field(*type, *field); });
          else
            inner = field;
        }
    if (shown)
      return Error::success();
    if (inner) {
      typeName = recordIn(text(*inner, "type")).str();
      return Error::success();
    }
    return names.empty() ? unknown(report, subject)
                         : unknownMember(typeName, name, true, names);
  }

  const Object &report;
  const StringRef subject;
  const std::string path;
  raw_ostream &os;
  ExplainText words;
  bool shown = false;
};

} // namespace

Expected<Object> readReport(StringRef folder) {
  SmallString<256> file(folder);
  sys::path::append(file, "report.json");
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return makeError(MessageId::NoReport, "no report to read",
                     {file.str().str()});
  auto value = json::parse((*buffer)->getBuffer());
  if (!value)
    return makeError(MessageId::BadReport, toString(value.takeError()),
                     {file.str().str()});
  Object *top = value->getAsObject();
  const Object *tool = top ? top->getObject("tool") : nullptr;
  if (!tool || tool->getString("name") != "nvmove")
    return makeError(MessageId::BadReport, "not a report of nvmove",
                     {file.str().str()});
  if (top->getInteger("schemaVersion") != reportSchemaVersion)
    return makeError(MessageId::BadReport,
                     "written by another version of nvmove",
                     {file.str().str()});
  return std::move(*top);
}

Error explain(const Object &report, StringRef subject, raw_ostream &os) {
  return Subject(report, subject, os).explain();
}

} // namespace nvmove
