//===- SystemMacros.cpp - Macros of system headers, defined anew ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TAILQ_INSERT_TAIL(&all, item, link), of <sys/queue.h>: no patch can edit the
// header. But a macro is looked up where it is used: a file that uses it gets a
// definition of its own, the header's text with the edits in it.
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/files/FileEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/Support/Path.h"

REPORTS(UneditableSite)

using namespace llvm;

namespace nvmove {

namespace {

class SystemMacros {
public:
  SystemMacros(Context &context, const std::vector<Edit> &edits)
      : context(context), edits(edits) {}

  void define() {
    for (const Context::SystemUse &use : context.systemUses)
      if (Span macro = around(use.span); isEdited(macro)) {
        macros[use.loc.file].insert(macro);
        uses[use.loc.file].push_back(&use);
      }
    for (const auto &[file, users] : uses)
      defineIn(file, users);
  }

private:
  /// The definition that the text is part of; invalid if there is none.
  Span around(Span span) {
    auto [all, isNew] = directivesOf.try_emplace(span.file);
    if (isNew)
      all->second = directives(context.content(span.file));
    for (const Directive &d : all->second)
      if (d.name == "define" && d.begin < span.begin && span.end <= d.end)
        return {span.file, d.begin, d.end};
    return {};
  }

  static bool isIn(const Edit &edit, Span macro) {
    return edit.file == macro.file && macro.begin < edit.offset &&
           edit.offset <= macro.end;
  }
  bool isEdited(Span macro) const {
    return macro.valid() &&
           any_of(edits, [&](const Edit &e) { return isIn(e, macro); });
  }

  /// Its text, and the first layer that edits it.
  std::pair<std::string, Layer> edited(Span macro) const {
    std::string text;
    Layer layer = Layer::Serialization;
    uint32_t done = macro.begin;
    for (const Edit &e : edits)
      if (isIn(e, macro)) {
        text += context.text({macro.file, done, e.offset}).str() + e.text;
        done = e.offset + e.removed;
        layer = std::min(layer, e.layer);
      }
    return {text + context.text({macro.file, done, macro.end}).str(), layer};
  }

  void defineIn(Id file, const std::vector<const Context::SystemUse *> &users) {
    std::vector<uint32_t> offsets;
    for (const Context::SystemUse *use : users)
      offsets.push_back(context.offsetOf(use->loc));
    std::optional<uint32_t> at = placeForMacros(context.content(file), offsets);
    if (!at) {
      for (const Context::SystemUse *use : users)
        context.refuse(
            FindingId::UneditableSite, use->loc, use->function,
            "this macro of a system header stores, allocates or frees, and "
            "cannot be redefined, because an #include is too close to its use",
            "move that #include to the top of the file");
      return;
    }
    for (Span macro : macros[file]) {
      auto [text, layer] = edited(macro);
      StringRef header = context.facts.files[macro.file].path,
                folder = sys::path::filename(sys::path::parent_path(header)),
                name = tokens(text)[2].text; // # define NAME
      context.edits.insert(file, *at,
                           ("/* From <" + folder + "/" +
                            sys::path::filename(header) +
                            ">, for the persistent heap. */\n#undef " + name +
                            "\n" + text + "\n")
                               .str(),
                           layer);
      ++context.counts["macros of system headers redefined"];
      for (const auto &[type, first] : context.typesOfFile[macro.file])
        if (StringRef(text).contains(type))
          context.needType(file, type, first);
    }
  }

  Context &context;
  const std::vector<Edit> &edits; ///< of system headers, in order
  std::map<Id, std::vector<Directive>> directivesOf;
  std::map<Id, std::set<Span>> macros; ///< by the file that uses them
  std::map<Id, std::vector<const Context::SystemUse *>> uses;
};

} // namespace

Error addSystemMacros(Context &context) {
  auto isSystems = [&](Id file) { return !context.facts.files[file].editable; };
  auto edits =
      context.edits.take(isSystems).finish(context.facts, context.contents);
  if (!edits)
    return edits.takeError();
  SystemMacros(context, *edits).define();
  for (Id file = 0; file < context.facts.files.size(); ++file)
    if (isSystems(file))
      context.typesOfFile.erase(file);
  return Error::success();
}

} // namespace nvmove
