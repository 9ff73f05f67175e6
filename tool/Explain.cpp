//===- Explain.cpp - Why a type is or is not persistent -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Explain.h"
#include "tool/Diagnostics.h"
#include "tool/NearNames.h"
#include "tool/Report.h"
#include "tool/TextTable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

namespace {

std::string text(const Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

ArrayRef<Value> items(const Object &object, StringRef key) {
  const Array *array = object.getArray(key);
  return array && !array->empty()
             ? ArrayRef<Value>(&array->front(), array->size())
             : ArrayRef<Value>();
}

std::string place(const Object &object, StringRef key) {
  const Object *l = object.getObject(key);
  if (!l)
    return "";
  return text(*l, "file") + ":" + itostr(l->getInteger("line").value_or(0)) +
         ":" + itostr(l->getInteger("column").value_or(0));
}

/// How the type is spelled, unless that is only its place in another type.
std::string title(const Object &type) {
  std::string spelling = text(type, "spelling");
  return StringRef(spelling).contains("__typeof__") ? text(type, "name")
                                                    : spelling;
}

bool isNamed(const Object &type, StringRef subject) {
  return type.getString("name") == subject ||
         type.getString("spelling") == subject;
}

Error unknownType(const Object &report, StringRef subject) {
  std::vector<std::string> names;
  for (StringRef list : {"types", "otherTypes"})
    for (const Value &value : items(report, list))
      if (const Object *type = value.getAsObject())
        names.push_back(text(*type, "name"));
  return makeError(MessageId::UnknownType,
                   ("the program has no type '" + subject + "'").str() +
                       didYouMean(subject, names));
}

Error unknownField(const Object &report, StringRef typeName,
                   StringRef fieldName) {
  std::vector<std::string> names;
  for (const Value &value : items(report, "types"))
    if (const Object *type = value.getAsObject())
      if (isNamed(*type, typeName))
        for (const Value &field : items(*type, "fields"))
          if (const Object *f = field.getAsObject())
            names.push_back(text(*f, "name"));
  return makeError(
      MessageId::UnknownType,
      (typeName + " has no field '" + fieldName + "' with a verdict").str() +
          didYouMean(fieldName, names));
}

class Explainer {
public:
  Explainer(const Object &report, raw_ostream &os) : report(report), os(os) {}

  void persistent(const Object &type) {
    os << title(type) << " is persistent\n";
    TextTable head;
    head.add({"defined", place(type, "location")});
    head.print(os);
    if (const Object *w = type.getObject("witness"))
      witness(*w);
    TextTable ranks;
    ranks.add({"holds data from the file", yesNo(type, "carriesFileData")});
    ranks.add({"read by more than load", yesNo(type, "readOutsideLoad")});
    ranks.print(os);
    fields(type, "");
    cuts(text(type, "name"));
  }

  void other(const Object &type) {
    os << title(type) << " is not persistent\n";
    TextTable table;
    table.add({"defined", place(type, "location")});
    table.add({"why", text(type, "why")});
    table.print(os);
  }

  /// Whether there is such a field.
  bool fields(const Object &type, StringRef only) {
    TextTable table;
    for (const Value &value : items(type, "fields"))
      if (const Object *field = value.getAsObject())
        if (only.empty() || field->getString("name") == only)
          table.add({text(*field, "name"), text(*field, "verdict"),
                     text(*field, "evidence")});
    if (table.empty())
      return false;
    os << (only.empty() ? "fields\n" : title(type) + "\n");
    table.print(os);
    return true;
  }

private:
  static std::string yesNo(const Object &type, StringRef key) {
    return type.getBoolean(key).value_or(false) ? "yes" : "no";
  }

  void witness(const Object &w) {
    os << "how the load phase gets there\n";
    TextTable path;
    for (const Value &value : items(w, "callPath"))
      if (const Object *call = value.getAsObject()) {
        std::string callee = text(*call, "callee");
        path.add({place(*call, "location"),
                  text(*call, "caller") + " calls " +
                      (callee.empty() ? "through a pointer" : callee)});
      }
    path.add({place(w, "site"), text(w, "function") + " " + text(w, "action")});
    path.print(os);
    os << "how it hangs from static memory\n";
    std::string indent = "  ";
    for (const Value &link : items(w, "chain")) {
      os << indent << link.getAsString().value_or("") << '\n';
      indent += "  ";
    }
  }

  /// The calls without which this verdict would not be: where to use --stop.
  void cuts(StringRef name) {
    TextTable table;
    for (const Value &value : items(report, "cuts")) {
      const Object *cut = value.getAsObject();
      if (!cut)
        continue;
      for (const Value &type : items(*cut, "types"))
        if (type.getAsString() == name)
          table.add({place(*cut, "location"),
                     text(*cut, "caller") + " calls " + text(*cut, "callee"),
                     itostr(items(*cut, "types").size()) +
                         " types hang on this call"});
    }
    if (table.empty())
      return;
    os << "would not be persistent without (see --stop)\n";
    table.print(os);
  }

  const Object &report;
  raw_ostream &os;
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
  auto [typeName, fieldName] = subject.split('.');
  Explainer explainer(report, os);
  bool known = false, shown = false;
  for (StringRef list : {"types", "otherTypes"})
    for (const Value &value : items(report, list)) {
      const Object *type = value.getAsObject();
      if (!type || !isNamed(*type, typeName))
        continue;
      if (known && fieldName.empty())
        os << '\n';
      known = true;
      if (list == "otherTypes")
        explainer.other(*type);
      else if (fieldName.empty())
        explainer.persistent(*type);
      else if (!explainer.fields(*type, fieldName))
        continue;
      shown = true;
    }
  if (!known)
    return unknownType(report, typeName);
  if (!shown)
    return unknownField(report, typeName, fieldName);
  return Error::success();
}

} // namespace nvmove
