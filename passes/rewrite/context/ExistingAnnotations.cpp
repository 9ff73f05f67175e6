//===- ExistingAnnotations.cpp - What is there already, compared ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewriter writes nothing twice, hence a registration that somebody changed
// would never be seen again. What is there is compared, token by token, with
// what would be written now. A hand may say more than the analysis is sure of,
// that a member holds pointers, or counts; it may not say less.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/ExistingAnnotations.h"

REPORTS(WrittenOtherwise)

using namespace llvm;

namespace nvmove {

namespace {

/// An argument of a macro, which may be a macro with its own.
struct Use {
  std::string name; ///< first token
  std::string rest; ///< the other ones, each behind a blank
  uint32_t begin = 0, end = 0;
};

/// The arguments of the macro that `code` begins with.
std::vector<Use> argumentsOf(StringRef code) {
  std::vector<Use> result;
  int depth = 0;
  bool begins = false;
  for (const Token &token : tokens(code)) {
    depth -= token.is(")") || token.is("}");
    bool separates = depth == 1 && token.is(",");
    if (depth == 0 && token.is(")"))
      break;
    if (depth >= 1 && !separates) {
      if (begins)
        result.push_back({token.text.str(), "", token.offset});
      else
        result.back().rest += " " + token.text.str();
      result.back().end = token.offset + token.text.size();
      begins = false;
    }
    depth += token.is("(") || token.is("{");
    begins |= separates || (depth == 1 && token.is("("));
  }
  return result;
}

/// What a hand wrote says as much as `expected`, the name of a macro.
bool isAsExact(StringRef written, StringRef expected) {
  bool isVague =
      expected == "NVM_FIELD" || expected == "NVM_FLEXIBLE" ||
      (expected.starts_with("NVM_ROOT") && !expected.contains("POINTERS") &&
       !expected.contains("VOLATILE"));
  bool isComputed = expected.contains("COMPUTED");
  return written == expected || isVague ||
         (expected == "NVM_POINTER" && written == "NVM_VOLATILE") ||
         (expected.starts_with("NVM_ROOT_POINTERS") &&
          written.starts_with("NVM_ROOT_VOLATILE")) ||
         (isComputed &&
          (written.contains("COMPUTED") || written.contains("POINTER")));
}

} // namespace

void checkRegistration(Context &context, Id file, StringRef known,
                       StringRef line) {
  std::optional<uint32_t> at = context.find(file, known);
  if (!at)
    return;
  StringRef text = context.content(file).substr(*at);
  StringRef there = tokenAt(text, 0).text, wanted = tokenAt(line, 0).text;
  auto report = [&](uint32_t offset, const std::string &what) {
    context.refuse(FindingId::WrittenOtherwise,
                   context.locOf(file, *at + offset), None, what);
  };
  if (!isAsExact(there, wanted))
    report(0, (there + " is here, but nvmove would write " + wanted).str());
  if (wanted != "NVM_LAYOUT" && wanted != "NVM_ROOT_ARRAY")
    return;
  std::vector<Use> written = argumentsOf(text), members = argumentsOf(line);
  for (const Use &member : ArrayRef(members).drop_front(2)) {
    if (StringRef(member.rest).ends_with(", nvm_line_log )"))
      continue; // NVM_LINE_LOG() has it
    // NVM_RECORD() has the record's name behind, NVM_FIELD() has not.
    std::string way = StringRef(member.rest).drop_back(2).str();
    if (StringRef(member.name).ends_with("RECORD"))
      way.erase(way.rfind(" ,"));
    auto same = find_if(written, [&](const Use &w) {
      return w.rest == way + " )" || StringRef(w.rest).starts_with(way + " ,");
    });
    std::string spelled = onOneLine(line.slice(member.begin, member.end));
    if (same == written.end())
      report(0, spelled + " is not in this list");
    else if (!isAsExact(same->name, member.name))
      report(same->begin,
             same->name + " is here, but nvmove would write " + spelled);
  }
}

void checkAllocation(Context &context, const Call &call,
                     const std::set<std::string> &names) {
  // Of several types, or of none that is known, a hand may know more.
  if (names.size() != 1 || names.count("bytes"))
    return;
  StringRef before =
      context.content(call.span.file).take_front(call.span.begin);
  for (size_t at = before.rfind("NVM_ALLOC"); at != StringRef::npos;
       at = before.take_front(at).rfind("NVM_ALLOC")) {
    int depth = 0;
    std::vector<Token> all = tokens(before.drop_front(at));
    for (const Token &token : all)
      depth += token.is("(") - token.is(")");
    if (depth < 1 || all.size() < 3)
      continue;
    if (StringRef name = all[2].text; !names.count(name.str()))
      context.refuse(FindingId::WrittenOtherwise, call.loc, call.function,
                     "the block is allocated as '" + name +
                         "', but nvmove would write NVM_ALLOC(" +
                         *names.begin() + ", ..)");
    return;
  }
}

} // namespace nvmove
