//===- Explain.cpp - Why a type is or is not persistent -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Explain.h"
#include "tool/Diagnostics.h"
#include "tool/ExplainText.h"
#include "tool/NearNames.h"
#include "tool/Report.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using json::Object;

namespace nvmove {

namespace {

bool isNamed(const Object &type, StringRef subject) {
  return type.getString("name") == subject ||
         type.getString("spelling") == subject;
}

Error unknown(const Object &report, StringRef subject) {
  std::vector<std::string> names;
  for (StringRef list : {"types", "otherTypes", "sections"})
    for (const Object *item : objects(report, list))
      names.push_back(text(*item, "name"));
  for (const Object *root : objects(report, "roots"))
    names.push_back(text(*root, "path"));
  return makeError(MessageId::UnknownType,
                   ("the program has no type '" + subject + "'").str() +
                       didYouMean(subject, names));
}

Error unknownField(const Object &report, StringRef typeName,
                   StringRef fieldName) {
  std::vector<std::string> names;
  for (const Object *type : objects(report, "types"))
    if (isNamed(*type, typeName))
      for (const Object *field : objects(*type, "fields"))
        names.push_back(text(*field, "name"));
  return makeError(
      MessageId::UnknownType,
      (typeName + " has no field '" + fieldName + "' with a verdict").str() +
          didYouMean(fieldName, names));
}

/// Prints all that goes by one name.
class Subject {
public:
  Subject(const Object &report, StringRef subject, raw_ostream &os)
      : report(report), subject(subject), os(os), words(report, os) {}

  Error explain() {
    if (site())
      return shown ? Error::success()
                   : makeError(
                         MessageId::UnknownSite,
                         ("the report says nothing about " + subject).str());
    for (const Object *root : objects(report, "roots"))
      if (root->getString("path") == subject)
        show([&] { words.root(*root); });
    type();
    for (const Object *section : objects(report, "sections"))
      if (section->getString("name") == subject)
        show([&] { words.section(*section); });
    if (shown)
      return Error::success();
    return field();
  }

private:
  template <typename Print> void show(Print print) {
    if (shown)
      os << '\n';
    shown = true;
    print();
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
    shown = words.site(file, number);
    return true;
  }

  void type() {
    for (const Object *type : objects(report, "types"))
      if (isNamed(*type, subject))
        show([&] { words.persistentType(*type); });
    for (const Object *type : objects(report, "otherTypes"))
      if (isNamed(*type, subject))
        show([&] { words.otherType(*type); });
  }

  Error field() {
    auto [typeName, fieldName] = subject.split('.');
    bool known = false;
    for (const Object *type : objects(report, "otherTypes"))
      if (!fieldName.empty() && isNamed(*type, typeName))
        show([&] { words.otherType(*type); });
    for (const Object *type : objects(report, "types"))
      if (isNamed(*type, typeName)) {
        known = true;
        for (const Object *field : objects(*type, "fields"))
          if (field->getString("name") == fieldName)
            show([&] { words.field(*type, *field); });
      }
    if (shown)
      return Error::success();
    return known ? unknownField(report, typeName, fieldName)
                 : unknown(report, fieldName.empty() ? subject : typeName);
  }

  const Object &report;
  const StringRef subject;
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
