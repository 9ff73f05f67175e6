//===- Serialization.cpp - The load and the save, left out on demand ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With NVMOVE_NO_SERIALIZATION defined, the functions that only loading and
// saving need are gone, and those that were named with --load and --save say
// that they failed: live code may still call them.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/sites/SiteEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(SerializationKept)

using namespace llvm;

namespace nvmove {

namespace {

constexpr StringRef Switch = "NVMOVE_NO_SERIALIZATION";
/// Outside of what the other layers put at the same place.
constexpr int Outermost = -100, Innermost = 100;

class SerializationWriter {
public:
  explicit SerializationWriter(Context &context)
      : context(context), facts(context.facts) {
    for (const Definition &d : facts.definitions)
      if (d.function != None)
        definitions[d.function].push_back(&d);
  }

  void run() {
    choose();
    for (const SerializationFunction &s :
         context.solution.serialization.functions) {
      if (kept.count(s.function))
        continue;
      for (const Definition *d : definitions[s.function])
        s.entry ? stub(s, *d) : guard(*d);
    }
  }

private:
  std::string whyNotGuarded(const Definition &d) const {
    if (!d.text.valid() || !d.body.valid() ||
        !facts.files[d.text.file].editable)
      return "a part of it is in a macro or a system header";
    StringRef content = context.content(d.text.file);
    Lines lines = context.lines(d.text.file);
    if (!lines.isFirstOnLine(d.text.begin) ||
        lines.endOfLineAfter(d.text.end) == Lines::NoPlace)
      return "it shares a line with something else";
    // An attribute before the declaration would be left behind.
    StringRef before = content.take_front(d.text.begin);
    std::vector<Token> all = tokens(before.drop_front(
        before.size() > 4096 ? lines.start(before.size() - 4096) : 0));
    bool begins = all.empty() || all.back().is(";") || all.back().is("}") ||
                  endsWithDirective(content, d.text.begin);
    if (!begins)
      return "the text before it may belong to it";
    if (!conditionalsMatch(content, d.text.begin, d.text.end) ||
        !isBalanced(content, d.text))
      return "an #if splits it";
    return "";
  }

  static bool isBalanced(StringRef content, Span text) {
    int depth = 0;
    for (const Directive &d : directives(content.slice(text.begin, text.end))) {
      depth += d.name.starts_with("if") - (d.name == "endif");
      if (depth < 0 || (depth == 0 && d.name.starts_with("el")))
        return false;
    }
    return depth == 0;
  }

  /// The last thing before `offset`, comments left out, is a directive.
  static bool endsWithDirective(StringRef content, uint32_t offset) {
    for (const Directive &d : directives(content.take_front(offset)))
      if (skipTrivia(content, d.end) >= offset)
        return true;
    return false;
  }

  std::optional<std::string> failure(const Definition &d) const {
    if (d.result == None)
      return "return;";
    const Type &type = facts.types[facts.nodes[d.result].type];
    if (type.kind == TypeKind::Pointer)
      return "return 0;";
    if (type.kind != TypeKind::Integer && type.kind != TypeKind::Byte)
      return std::nullopt;
    auto negative = find_if(d.answers, [](const ReturnedValue &a) {
      return a.isConstant && a.constant < 0;
    });
    if (negative == d.answers.end())
      return std::nullopt;
    return "return " + std::to_string(negative->constant) + ";";
  }

  /// What cannot be left out stays, and so does all that it needs.
  void choose() {
    std::set<Id> candidates;
    std::vector<Id> open;
    for (const SerializationFunction &s :
         context.solution.serialization.functions)
      candidates.insert(s.function);
    auto keep = [&](Id function) {
      if (candidates.count(function) && kept.insert(function).second)
        open.push_back(function);
    };
    for (const SerializationFunction &s :
         context.solution.serialization.functions)
      for (const Definition *d : definitions[s.function]) {
        const Function &f = facts.functions[s.function];
        std::string why = whyNotGuarded(*d);
        if (!why.empty())
          context.refuse(FindingId::SerializationKept, f.loc, s.function,
                         f.name + " cannot be left out: " + why);
        else if (s.entry && (f.isNoReturn || d->isNoReturn))
          context.refuse(
              FindingId::SerializationKept, f.loc, s.function,
              f.name + " never returns, so it cannot report a failure, and its "
                       "callers do not expect it to return: it has no stub");
        else if (s.entry && !failure(*d))
          context.refuse(
              FindingId::SerializationKept, f.loc, s.function,
              "what " + f.name +
                  " returns when it fails is unknown (only a negative "
                  "number or a null pointer is recognised), so it has no stub");
        else
          continue;
        keep(s.function);
      }
    std::multimap<Id, Id> needs;
    for (const Call &c : facts.calls)
      if (c.function != None && c.callee != None)
        needs.emplace(c.function, c.callee);
    std::map<Id, Id> functionOf;
    for (Id i = 0; i < facts.functions.size(); ++i)
      functionOf[facts.functions[i].node] = i;
    for (const AddressUse &use : facts.addressUses)
      if (auto at = functionOf.find(use.variable);
          at != functionOf.end() && use.function != None)
        needs.emplace(use.function, at->second);
    while (!open.empty()) {
      auto [first, last] = needs.equal_range(open.back());
      open.pop_back();
      for (; first != last; ++first)
        keep(first->second);
    }
  }

  void insert(const Definition &d, uint32_t offset, std::string text,
              int order) {
    context.edits.insert(d.text.file, offset, std::move(text),
                         Layer::Serialization, order);
  }

  /// The edit was made by an earlier run.
  bool follows(Id file, uint32_t offset, StringRef text) const {
    return context.content(file).drop_front(offset).ltrim().starts_with(text);
  }
  bool precedes(Id file, uint32_t offset, StringRef text) const {
    return context.content(file).take_front(offset).rtrim().ends_with(text);
  }

  void guard(const Definition &d) {
    std::string open = ("#ifndef " + Switch).str();
    if (precedes(d.text.file, d.text.begin, open))
      return;
    Lines lines = context.lines(d.text.file);
    insert(d, lines.start(d.text.begin), open + "\n", Innermost);
    uint32_t end = lines.endOfLineAfter(d.text.end);
    insert(d, end, "\n#endif", Outermost);
    ++context.counts["functions left out without serialization"];
  }

  void stub(const SerializationFunction &s, const Definition &d) {
    std::string open = ("#ifdef " + Switch).str();
    if (follows(d.text.file, d.body.begin + 1, open))
      return;
    StringRef content = context.content(d.text.file);
    Lines lines = context.lines(d.text.file);
    bool includesErrors =
        any_of(directives(content), [](const Directive &directive) {
          return includedName(directive) == "errno.h";
        });
    if (!includesErrors && knowsErrors.insert(d.text.file).second)
      insert(d, lines.start(d.text.begin),
             open + "\n#include <errno.h>\n#endif\n", Innermost);
    std::string body = "\n" + open + "\n";
    for (Id p : d.params)
      if (!facts.nodes[p].name.empty())
        body += "    (void)" + facts.nodes[p].name + ";\n";
    body += std::string("    errno = ") + (s.forSave ? "ENOTSUP" : "ENOENT") +
            ";\n    " + *failure(d) + "\n#else";
    uint32_t begin = d.body.begin + 1;
    bool restIsBlank = content.slice(begin, lines.end(begin)).trim().empty();
    insert(d, begin, body + (restIsBlank ? "" : "\n"), Outermost);
    uint32_t end = d.body.end - 1;
    if (lines.isFirstOnLine(end))
      insert(d, lines.start(end), "#endif\n", Innermost);
    else
      insert(d, end, "\n#endif\n", Innermost);
    ++context.counts["stubs without serialization"];
  }

  Context &context;
  const Facts &facts;
  std::map<Id, std::vector<const Definition *>> definitions;
  std::set<Id> kept, knowsErrors;
};

} // namespace

void addSerialization(Context &context) { SerializationWriter(context).run(); }

} // namespace nvmove
