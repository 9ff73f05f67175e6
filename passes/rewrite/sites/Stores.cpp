//===- Stores.cpp - Announced stores and buffers --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Statements.h"
#include "passes/rewrite/sites/SiteEdits.h"
#include "llvm/ADT/StringSwitch.h"

REPORTS(MacroExpansionsDiffer, StoreAcrossOutput, UneditableSite,
        UneditableStore)

using namespace llvm;

namespace nvmove {

namespace {

struct Hook {
  Span span;
  std::string open, close;
};

/// `text` is one pair of parentheses around what may be a macro's argument.
bool isParenthesised(StringRef text) {
  if (!text.consume_front("(") || !text.consume_back(")") || hasBareComma(text))
    return false;
  int depth = 0;
  for (const Token &token : tokens(text)) {
    depth += token.is("(") - token.is(")");
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

Hook hookAround(StringRef macro, Span span, StringRef text) {
  if (isParenthesised(text))
    return {span, macro.str(), ""};
  bool comma = hasBareComma(text);
  return {span, (macro + (comma ? "((" : "(")).str(), comma ? "))" : ")"};
}

/// A member of a packed record may be misaligned, which a pointer to the
/// member's own type must not be: the object is announced instead, and the
/// access to the member stays as it was. None when the text has another form.
std::optional<Hook> hookPackedMember(const Context &context, Span span) {
  std::vector<Token> all = tokens(context.text(span));
  if (all.size() < 3 || !all.back().isIdentifier())
    return std::nullopt;
  const Token &access = all[all.size() - 2];
  Span base{span.file, span.begin,
            span.begin + all[all.size() - 3].offset +
                uint32_t(all[all.size() - 3].text.size())};
  // In `*p->f` and `&p->f` the operator does not belong to the base.
  bool unary = all.front().is("*") || all.front().is("&");
  if (unary || (!access.is("->") && !access.is(".")))
    return std::nullopt;
  return hookAround(access.is("->") ? "NVM_OBJ" : "NVM", base,
                    context.text(base));
}

Hook hookFor(const Context &context, const StoreSite &store) {
  StringRef text = context.text(store.span);
  switch (store.form) {
  case StoreForm::BitField:
    return hookAround(store.baseIsPointer ? "NVM_OBJ" : "NVM", store.span,
                      text);
  case StoreForm::Atomic:
    return hookAround("NVM_OBJ", store.span, text);
  case StoreForm::Lvalue:
    break;
  }
  if (store.record != None && context.facts.records[store.record].packed)
    if (std::optional<Hook> packed = hookPackedMember(context, store.span))
      return *packed;
  return hookAround("NVM", store.span, text);
}

/// The assignment to an lvalue of which the value is to be computed first.
struct Assignment {
  Span whole;
  Span sign; ///< from behind the lvalue to behind the operator
  StringRef spelling;
};
std::optional<Assignment> assignmentTo(const Context &context,
                                       const StoreSite &store) {
  const Span to = store.span;
  StringRef content = context.content(to.file);
  uint32_t at = skipTrivia(content, to.end);
  if (store.form != StoreForm::Lvalue || store.base.valid() ||
      (store.record != None && context.facts.records[store.record].packed) ||
      context.lines(to.file).inDirective(to.begin) || at >= content.size())
    return std::nullopt;
  Token sign = tokenAt(content, at);
  if (!StringSwitch<bool>(sign.text)
           .Cases("=", "+=", "-=", "*=", "/=", "%=", true)
           .Cases("&=", "|=", "^=", "<<=", ">>=", true)
           .Default(false))
    return std::nullopt;
  const uint32_t value = at + sign.text.size();
  uint32_t end = value;
  int depth = 0, questions = 0;
  for (uint32_t next = end; (next = skipTrivia(content, next)) < content.size();
       next = end) {
    Token token = tokenAt(content, next);
    questions += depth == 0 && token.is("?");
    if (depth == 0 &&
        (token.is(",") || token.is(";") || token.is(")") || token.is("]") ||
         token.is("}") || (token.is(":") && --questions < 0)))
      break;
    depth += token.is("(") || token.is("[") || token.is("{");
    depth -= token.is(")") || token.is("]") || token.is("}");
    end = next + token.text.size();
  }
  return Assignment{
      {to.file, to.begin, end}, {to.file, to.end, value}, sign.text};
}

/// x->f = make(file), where make() may commit: announced behind that.
bool announceBehind(Context &context, const StoreSite &store) {
  std::optional<Assignment> a = assignmentTo(context, store);
  if (!a || containsDirective(context.text(a->whole)) ||
      hasBareComma(context.text(store.span)))
    return false;
  bool sets = a->spelling == "=";
  context.edits.replace(a->sign, sets ? "," : (", " + a->spelling + ",").str(),
                        Layer::Stores);
  if (context.edits.wrap(a->whole, sets ? "NVM_SET(" : "NVM_CHANGE(", ")",
                         Layer::Stores, Rank::Store))
    ++context.counts["stores announced"];
  return true;
}

/// What else is written where a store stands: a macro's text.
struct Written {
  std::map<Span, std::set<StoreForm>> formsOf;
  std::set<Span> registers;
  std::map<Span, Id> behind; ///< AnnouncedStore::behind
  /// p in p->f where f is a bit-field, by where it begins.
  std::multimap<std::pair<Id, uint32_t>, Span> bases;

  void addBase(Span base) {
    if (base.valid())
      bases.emplace(std::pair(base.file, base.begin), base);
  }
  /// The base of a bit-field that stands where the whole lvalue does elsewhere.
  Span bitFieldIn(Span lvalue) const {
    auto [first, last] = bases.equal_range({lvalue.file, lvalue.begin});
    for (auto at = first; at != last; ++at)
      if (at->second.end < lvalue.end)
        return at->second;
    return {};
  }
};

/// o->have_##name = 1, where some members of such names are bit-fields: the
/// object is announced.
Hook hookBase(const Context &context, Span base) {
  StringRef content = context.content(base.file);
  return hookAround(
      content.substr(skipTrivia(content, base.end)).starts_with("->")
          ? "NVM_OBJ"
          : "NVM",
      base, context.text(base));
}

/// Of what a macro makes text of, before the statement.
void announceBefore(Context &context, const AnnouncedStore &announced) {
  const StoreSite &store = context.facts.stores[announced.store];
  StringRef what = "this store is not announced";
  std::string objection = whyNotPreceded(context, store.statement);
  if (announced.behind != None)
    return context.refuse(
        FindingId::StoreAcrossOutput, store.loc, store.function,
        acrossOutput(context.facts.functions[announced.behind]));
  if (!objection.empty())
    return context.refuse(FindingId::UneditableStore, store.loc, store.function,
                          Twine(what) + ": " + objection);
  if (!context.isMacroArgument(store.statement.span, store.loc, store.function,
                               what))
    return;
  Bracket bracket{.before = "(void)NVM_OBJ(" + store.before + ");",
                  .beforeOnOwnLine = true,
                  .layer = Layer::Stores,
                  .rank = Rank::Store};
  if (bracketStatement(context, store.statement, bracket))
    ++context.counts["stores announced"];
}

void announce(Context &context, const StoreSite &store,
              const Written &written) {
  if (!context.isMacroArgument(store.span, store.loc, store.function,
                               "this store is not announced"))
    return;
  bool isRegister = written.registers.count(store.span);
  Span base =
      store.form == StoreForm::Lvalue ? written.bitFieldIn(store.span) : Span();
  if (isRegister || written.formsOf.at(store.span).size() > 1 ||
      (base.valid() && !(base == store.base))) {
    context.refuse(
        FindingId::MacroExpansionsDiffer, store.loc, store.function,
        (isRegister
             ? Twine("a macro that stores here writes a register variable "
                     "elsewhere, which has no address")
             : Twine("a macro stores here to bit-fields and to other members, "
                     "which take different hooks")) +
            ", so this store is not announced",
        "write out the macro's body for one of the two");
    return;
  }
  if (auto at = written.behind.find(store.span); at != written.behind.end()) {
    if (announceBehind(context, store))
      return;
    context.refuse(FindingId::StoreAcrossOutput, store.loc, store.function,
                   acrossOutput(context.facts.functions[at->second]));
  }
  Hook hook = base.valid() ? hookBase(context, base) : hookFor(context, store);
  if (context.edits.wrap(hook.span, hook.open, hook.close, Layer::Stores,
                         Rank::Store))
    ++context.counts["stores announced"];
}

/// Of two arguments of a call: one of them may be text of a system header's
/// macro, with its parameters, and the other stand where the macro is used.
bool standTogether(const Context &context, Span a, Span b) {
  if (a.file != b.file)
    return false;
  if (b.begin < a.begin)
    std::swap(a, b);
  int depth = 0;
  return b.begin < a.end ||
         all_of(
             tokens(context.text({a.file, a.end, b.begin})),
             [&](const Token &token) {
               depth += token.is("(") - token.is(")");
               return depth >= 0 && !token.is(";") && !token.is("{");
             });
}

void wrapBuffer(Context &context, const WrappedBuffer &wrapped) {
  const Call &call = context.facts.calls[wrapped.call];
  StringRef what = "this buffer is not announced before it is filled";
  if (wrapped.buffer < call.argIsHooked.size() &&
      call.argIsHooked[wrapped.buffer])
    return;
  bool hasSize = wrapped.size != None;
  if (wrapped.buffer >= call.argSpans.size() ||
      (hasSize && wrapped.size >= call.argSpans.size())) {
    context.refuse(FindingId::UneditableSite, call.loc, call.function, what,
                   "announce it with NVM_BUF()");
    return;
  }
  Span buffer = call.argSpans[wrapped.buffer];
  if (!context.isMacroArgument(buffer, call.loc, call.function, what))
    return;
  // sizeof evaluates nothing.
  std::string text = onOneLine(context.text(buffer));
  std::string sizeText = "sizeof *(" + text + ")";
  if (const ScannedArg *s = call.scannedAt(wrapped.buffer);
      s && s->extent != ScannedArg::Object && s->extent != ScannedArg::Block)
    sizeText = s->extent == ScannedArg::Array ? "sizeof (" + text + ")"
                                              : std::to_string(s->bytes);
  const char *macro = wrapped.macro;
  if (hasSize) {
    Span size = call.argSpans[wrapped.size];
    if (!context.isMacroArgument(size, call.loc, call.function, what))
      return;
    // Not evaluated twice.
    if (mayHaveSideEffects(context.text(size)) ||
        !standTogether(context, buffer, size))
      macro = "NVM_REST";
    sizeText = asMacroArgument(onOneLine(context.text(size)));
  }
  std::string open = "NVM_BUF(", close = ", " + sizeText + ")";
  if (macro) {
    open = macro + std::string("(");
    close = ")";
  }
  if (hasBareComma(context.text(buffer))) {
    open += "(";
    close.insert(0, ")");
  }
  if (context.edits.wrap(buffer, open, close, Layer::Stores, Rank::Store))
    ++context.counts["buffers announced"];
}

} // namespace

void addStores(Context &context) {
  Written written;
  for (const StoreSite &store : context.facts.stores) {
    written.formsOf[store.span].insert(store.form);
    if (store.form == StoreForm::BitField)
      written.addBase(store.span);
  }
  for (const Gap &gap : context.facts.gaps) {
    if (gap.kind == Gap::Kind::RegisterWrite)
      written.registers.insert(gap.span);
    if (gap.kind == Gap::Kind::BitFieldWrite)
      written.addBase(gap.span);
  }
  for (const AnnouncedStore &announced : context.solution.sites.stores)
    if (announced.behind != None)
      written.behind.emplace(context.facts.stores[announced.store].span,
                             announced.behind);
  for (const AnnouncedStore &announced : context.solution.sites.stores)
    if (const StoreSite &store = context.facts.stores[announced.store];
        !announced.done && !store.before.empty())
      announceBefore(context, announced);
    else if (!announced.done)
      announce(context, store, written);
  for (const WrappedBuffer &wrapped : context.solution.sites.wrapped)
    wrapBuffer(context, wrapped);
}

} // namespace nvmove
