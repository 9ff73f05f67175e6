//===- MacroNames.cpp - Names that macros of the program have, too --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct { int level; } app;
//   #define level app.level
//
// NVM_ROOT(app.level) would become app.app.level.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Context.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

const std::map<std::string, bool> &Context::macros() const {
  if (macroNames)
    return *macroNames;
  macroNames.emplace();
  for (Id file = 0; file < contents.size(); ++file)
    if (facts.files[file].editable)
      for (const Directive &d : directives(content(file))) {
        StringRef name =
            d.rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
        if (d.name == "define")
          (*macroNames)[name.str()] |=
              !d.rest.drop_front(name.size()).starts_with("(");
      }
  return *macroNames;
}

bool Context::hidesBraces(Span span) const {
  if (!bracedMacros) {
    bracedMacros.emplace();
    for (Id file = 0; file < contents.size(); ++file)
      if (facts.files[file].editable)
        for (const Directive &d : directives(content(file)))
          if (d.name == "define" && !bracesMatch(d.rest))
            bracedMacros->insert(
                d.rest.take_while([](char c) { return isAlnum(c) || c == '_'; })
                    .str());
  }
  return !bracedMacros->empty() &&
         any_of(tokens(text(span)), [&](const Token &token) {
           return token.isIdentifier() && bracedMacros->count(token.text.str());
         });
}

std::string Context::withoutMacros(const std::string &code) const {
  std::set<StringRef> names;
  for (const Token &token : tokens(code))
    if (token.isIdentifier() && !token.text.starts_with("NVM_"))
      // #define level app.level; #define level(n) needs a parenthesis.
      if (auto at = macros().find(token.text.str());
          at != macros().end() && at->second)
        names.insert(token.text);
  if (names.empty())
    return code;
  std::string before = "\n", after;
  for (StringRef name : names) {
    before +=
        ("#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n").str();
    after += ("#pragma pop_macro(\"" + name + "\")\n").str();
  }
  StringRef body = code;
  body.consume_front("\n");
  return before + body.str() + (body.ends_with("\n") ? "" : "\n") + after;
}

} // namespace nvmove
