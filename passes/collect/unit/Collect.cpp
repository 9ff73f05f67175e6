//===- Collect.cpp - From one C source file to its facts ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Collect.h"
#include "passes/collect/body/Definitions.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/unit/Frontend.h"
#include "passes/facts/References.h"
#include "clang/AST/Attr.h"

using namespace clang;
using namespace nvmove;

namespace {

/// Walks the declarations at file scope.
class UnitCollector {
public:
  UnitCollector(ASTContext &ast, Facts &facts)
      : map_(ast.getSourceManager(), ast.getLangOpts(), facts),
        entities_(ast, map_, facts),
        state_{ast, facts, map_, entities_, DeadEnds(), ChildCode(), {}, {}} {}

  uint32_t run(const Branches &branches);

private:
  void declarations();
  void includedFiles();
  void numberLocalNodes();

  SourceMap map_;
  Entities entities_;
  UnitState state_;
  std::vector<FunctionDecl *> functions_;
  std::vector<const FunctionDecl *> aliases_;
  std::vector<const VarDecl *> variables_;
  std::vector<const TypedefNameDecl *> typedefs_;
};

void UnitCollector::declarations() {
  for (Decl *d : state_.ast.getTranslationUnitDecl()->decls()) {
    if (map_.isForeign(d->getLocation()))
      continue;
    if (auto *f = dyn_cast<FunctionDecl>(d)) {
      if (f->hasDefiningAttr())
        aliases_.push_back(f);
      else if (f->isThisDeclarationADefinition() && !f->hasSkippedBody() &&
               !registersOnly(*f))
        functions_.push_back(f);
    } else if (const auto *v = dyn_cast<VarDecl>(d);
               v && !isTableOfLayout(*v)) {
      if (const auto *alias = v->getAttr<AliasAttr>())
        state_.facts.gaps.push_back(
            {Gap::Kind::Unfollowed, map_.loc(v->getLocation()), None,
             (v->getName() + " is another name of " + alias->getAliasee() +
              ": its use in other files is not followed")
                 .str()});
      // What is only declared counts where it is used, as for a linker.
      if (v->isThisDeclarationADefinition() != VarDecl::DeclarationOnly)
        entities_.global(v);
      if (v->getInit())
        variables_.push_back(v);
    } else if (const auto *r = dyn_cast<RecordDecl>(d)) {
      if (r->isThisDeclarationADefinition())
        entities_.record(r);
    } else if (const auto *t = dyn_cast<TypedefNameDecl>(d)) {
      typedefs_.push_back(t);
    } else if (isa<FileScopeAsmDecl>(d)) {
      state_.facts.gaps.push_back(
          {Gap::Kind::InlineAsm, map_.loc(d->getLocation()), None,
           "assembly outside of functions is not followed"});
    }
  }
}

/// Files without a definition of their own count too: a change in them may
/// change everything else.
void UnitCollector::includedFiles() {
  const SourceManager &sm = state_.ast.getSourceManager();
  state_.facts.units.push_back(map_.file(sm.getMainFileID()));
  for (unsigned i = 0; i < sm.local_sloc_entry_size(); ++i) {
    const SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(i);
    if (entry.isFile() && !isSystem(entry.getFile().getFileCharacteristic()))
      map_.file(
          sm.getFileID(SourceLocation::getFromRawEncoding(entry.getOffset())));
  }
}

void UnitCollector::numberLocalNodes() {
  Facts &facts = state_.facts;
  Id first = facts.nodes.size();
  auto number = [&](Table table, Id &id) {
    if (table == Table::Node && id != None && (id & LocalNode))
      id = first + (id & ~LocalNode);
  };
  forEachDefinitionList([&](auto list, auto) {
    for (auto &fact : facts.*list)
      forEachReference(fact, number);
  });
  for (Definition &d : facts.definitions) {
    forEachReference(d, number);
    d.nodes.begin += first;
    d.nodes.end += first;
  }
  facts.nodes.insert(facts.nodes.end(),
                     std::make_move_iterator(state_.localNodes.begin()),
                     std::make_move_iterator(state_.localNodes.end()));
}

uint32_t UnitCollector::run(const Branches &branches) {
  includedFiles();
  declarations();
  branches.addGaps(map_, state_.facts.gaps);
  std::vector<Gap> fileGaps = std::move(state_.facts.gaps);
  state_.facts.gaps.clear();
  state_.deadEnds = findDeadEnds(state_.ast, functions_);
  state_.childCode = findChildCode(state_.ast, functions_, state_.deadEnds);
  for (FunctionDecl *f : functions_)
    collectFunction(state_, f);
  for (const FunctionDecl *f : aliases_)
    collectAlias(state_, f);
  for (const VarDecl *v : variables_)
    collectStatic(state_, v);
  // The initialiser of a static may hold a statement expression only in
  // functions, so no new statics turn up here.
  for (size_t i = 0; i < state_.pendingStatics.size(); ++i)
    collectStatic(state_, state_.pendingStatics[i]);
  for (const TypedefNameDecl *t : typedefs_)
    entities_.alias(t);
  state_.facts.gaps.insert(state_.facts.gaps.end(), fileGaps.begin(),
                           fileGaps.end());
  numberLocalNodes();
  return functions_.size();
}

} // namespace

CollectResult
nvmove::collect(const CompileJob &job,
                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  CollectResult result;
  Facts facts;
  ParseOutcome outcome = parse(
      job, std::move(files), [&](ASTContext &ast, const Branches &branches) {
        result.functionCount = UnitCollector(ast, facts).run(branches);
      });
  // A flag that the driver refuses is an error too, although parsing goes on.
  if (!outcome.parsed || !outcome.messages.empty()) {
    result.failure = CompileFailure{job.file, std::move(outcome.messages),
                                    std::move(outcome.missingHeaders)};
    return result;
  }
  for (const std::string &header : outcome.missingHeaders)
    facts.gaps.push_back({Gap::Kind::MissingHeader,
                          {facts.units.front(), 1, 1},
                          None,
                          "header not found: " + header});
  result.missingHeaders = std::move(outcome.missingHeaders);
  std::vector<Facts> parts;
  parts.push_back(std::move(facts));
  result.facts = merge(std::move(parts)); // canonical order
  return result;
}
