//===- LineLogs.cpp - Room in a record for the copy of a word -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solver says of which records the facts allow it. What is left is the
// text: what sizes are made of, whatever names sizeof of the record, and where
// its members end.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/LayoutEdits.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(NoLineLog)

using namespace llvm;

namespace nvmove {

namespace {

/// Where the definition of a record stands.
struct Braces {
  Id file = None;
  uint32_t open = 0, close = 0;
};

class LineLogWriter {
public:
  explicit LineLogWriter(Context &context) : c_(context), f_(context.facts) {}

  void run() {
    for (const LineLog &log : c_.solution.contents.lineLogs) {
      if (!log.refused.empty())
        continue;
      std::string why = whyNot(log);
      if (why.empty()) {
        write(log);
        continue;
      }
      const Record &r = f_.records[log.record];
      c_.refuse(FindingId::NoLineLog, r.loc, None,
                "'" + r.spelling + "' gets no line log: " + why);
      if (log.asked)
        c_.withoutLineLog.emplace(log.record, why);
    }
  }

private:
  std::string whyNot(const LineLog &log) {
    const Record &r = f_.records[log.record];
    if (!c_.isSpellable(log.record))
      return "it has no name at file scope";
    if (c_.anyHolds("NVM_LAYOUT(" + c_.typeName(log.record) + ","))
      return "its layout is already described";
    if (std::string why = findBraces(r); !why.empty())
      return why;
    for (size_t i = 0; i < log.sites.size(); ++i)
      if (!isProduct(log, i))
        return "an allocation is not a multiple of its size, according to the "
               "text [" +
               placeOf(f_.calls[log.sites[i]].loc) + "]";
    for (Id param : log.sizes)
      if (isAssigned(param))
        return "'" + f_.functions[f_.nodes[param].function].name +
               "' changes the size that it is given";
    return otherSizeof(log);
  }

  std::string placeOf(Loc loc) const {
    return StringRef(f_.files[loc.file].path).rsplit('/').second.str() + ":" +
           std::to_string(loc.line);
  }

  /// From its name to the end of the declaration.
  std::string findBraces(const Record &r) {
    StringRef content = c_.content(r.loc.file);
    std::vector<Token> all =
        tokens(content.substr(c_.offsetOf(r.loc), 1 << 16));
    uint32_t start = c_.offsetOf(r.loc), depth = 0;
    std::set<StringRef> seen;
    braces_ = {r.loc.file, 0, 0};
    for (const Token &token : all) {
      if (token.isIdentifier())
        seen.insert(token.text);
      if (token.is("{") && depth++ == 0 && !braces_.open)
        braces_.open = start + token.offset;
      if (token.is("}") && --depth == 0 && !braces_.close)
        braces_.close = start + token.offset;
      if (token.is(";") && depth == 0)
        break;
    }
    bool isWritten = braces_.open < braces_.close &&
                     !c_.lines(r.loc.file).inDirective(braces_.open) &&
                     all_of(
                         r.fields,
                         [&](Id field) {
                           return f_.fields[field].name.empty() ||
                                  seen.count(f_.fields[field].name);
                         });
    if (!isWritten || !f_.files[r.loc.file].editable)
      return "the text of its members is not in one place";
    for (StringRef word :
         {"__attribute__", "__attribute", "_Alignas", "alignas", "__declspec"})
      if (seen.count(word))
        return "it, or a member of it, has attributes";
    if (containsDirective(content.slice(braces_.open, braces_.close)))
      return "there is an #if among its members";
    return "";
  }

  /// sizeof times something, in one of the factors.
  bool isProduct(const LineLog &log, size_t site) const {
    const Call &call = f_.calls[log.sites[site]];
    unsigned sizes = 0;
    for (uint32_t factor : log.factors[site]) {
      if (factor >= call.argSpans.size() || !call.argSpans[factor].valid() ||
          !f_.files[call.argSpans[factor].file].editable)
        return false;
      std::vector<Token> all = tokens(c_.text(call.argSpans[factor]));
      if (none_of(all, [](const Token &t) { return t.is("sizeof"); }))
        continue;
      ++sizes;
      if (!all_of(all, [&](const Token &t) { return isFactor(t); }))
        return false;
      if (auto known = call.constantAt(factor);
          known && *known % f_.records[log.record].size_bytes)
        return false;
    }
    return sizes == 1;
  }

  /// Macros might hold a sum.
  bool isFactor(const Token &t) const {
    if (t.isIdentifier())
      return !c_.macros().count(t.text.str());
    return t.kind == Token::Kind::Number || t.is("*") || t.is("(") ||
           t.is(")") || t.is("->") || t.is(".") || t.is("[") || t.is("]");
  }

  bool isAssigned(Id param) const {
    const Node &node = f_.nodes[param];
    bool any = false;
    for (const Definition &d : f_.definitions) {
      if (d.function != node.function || !d.text.valid())
        continue;
      std::vector<Token> all = tokens(c_.text(d.body));
      any = true;
      for (size_t i = 0; i < all.size(); ++i)
        if (all[i].is(node.name) &&
            ((i && changesNext(all[i - 1])) ||
             (i + 1 < all.size() && changes(all[i + 1]))))
          return true;
    }
    return !any;
  }
  static bool changesNext(const Token &t) {
    return t.is("&") || t.is("++") || t.is("--");
  }
  static bool changes(const Token &t) {
    return t.is("++") || t.is("--") ||
           (t.text.ends_with("=") && !t.is("==") && !t.is("!=") &&
            !t.is("<=") && !t.is(">="));
  }

  /// Whoever names sizeof of it elsewhere may rely on what it is now.
  std::string otherSizeof(const LineLog &log) const {
    auto isOfACall = [&](Id file, uint32_t offset) {
      auto holds = [&](Id call) {
        Span span = f_.calls[call].span;
        return span.file == file && span.begin <= offset && offset < span.end;
      };
      return any_of(log.sites, holds) || any_of(log.others, holds);
    };
    for (const SizeofUse &use : f_.sizeofUses)
      if (use.record == log.record &&
          (use.loc.file == None || !f_.files[use.loc.file].editable ||
           !isOfACall(use.loc.file, c_.offsetOf(use.loc))))
        return "its size is used [" +
               (use.loc.file == None ? "?" : placeOf(use.loc)) + "]";
    const Record &r = f_.records[log.record];
    for (Id file = 0; file < f_.files.size(); ++file)
      for (uint32_t offset : sizesIn(file, tokens(r.spelling)))
        if (!isOfACall(file, offset))
          return "its size is used in " +
                 StringRef(f_.files[file].path).rsplit('/').second.str();
    return "";
  }

  /// sizeof(struct node), also where no code is: in macros, assertions.
  std::vector<uint32_t> sizesIn(Id file, ArrayRef<Token> name) const {
    std::vector<uint32_t> result;
    if (!f_.files[file].editable || !c_.content(file).contains("sizeof"))
      return result;
    std::vector<Token> all = tokens(c_.content(file));
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      if (!all[i].is("sizeof") || !all[i + 1].is("("))
        continue;
      ArrayRef<Token> rest = ArrayRef(all).drop_front(i + 2);
      if (rest.size() > name.size() &&
          equal(name, rest.take_front(name.size()),
                [](const Token &a, const Token &b) { return a.is(b.text); }) &&
          !rest[name.size()].is("*"))
        result.push_back(all[i].offset);
    }
    return result;
  }

  void write(const LineLog &log) {
    const Record &r = f_.records[log.record];
    StringRef content = c_.content(braces_.file);
    Lines lines = c_.lines(braces_.file);
    std::string member =
        (r.size_bytes <= 16 ? "NVM_LINE_LOG_32(" : "NVM_LINE_LOG_64(") +
        std::to_string(r.size_bytes) + ");";
    uint32_t at = braces_.close;
    if (lines.isFirstOnLine(at)) {
      StringRef indentation = lines.indentation(lastMember(content, at));
      at = lines.start(at);
      member = indentation.str() + member + "\n";
    } else {
      member += " ";
    }
    c_.edits.insert(braces_.file, at, member, Layer::Roots);
    c_.lineLogs.insert(log.record);
    ++c_.counts["line logs"];
  }

  /// In the line of the last token before the brace.
  static uint32_t lastMember(StringRef content, uint32_t brace) {
    return content.take_front(brace).find_last_not_of(" \t\r\n");
  }

  Context &c_;
  const Facts &f_;
  Braces braces_; ///< of the record that is looked at
};

} // namespace

void addLineLogs(Context &context) {
  if (!context.solution.contents.lineLogs.empty())
    LineLogWriter(context).run();
}

} // namespace nvmove
