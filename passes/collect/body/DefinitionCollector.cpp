//===- DefinitionCollector.cpp - Facts of one body ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"
#include "passes/collect/scans/PointerUses.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/facts/References.h"

using namespace clang;
using namespace nvmove;

void DefinitionCollector::begin() {
  d_.nodes.begin = u_.localNodes.size();
  forEachDefinitionList([&](auto list, auto range) {
    (d_.*range).begin = (u_.facts.*list).size();
  });
}

void DefinitionCollector::end() {
  d_.nodes.end = u_.localNodes.size();
  forEachDefinitionList([&](auto list, auto range) {
    (d_.*range).end = (u_.facts.*list).size();
  });
  u_.facts.definitions.push_back(d_);
}

Node &DefinitionCollector::node(Id id) {
  return id & LocalNode ? u_.localNodes[id & ~LocalNode] : u_.facts.nodes[id];
}

Id DefinitionCollector::addLocal(NodeKind kind, llvm::StringRef name,
                                 QualType type, SourceLocation at) {
  Node n;
  n.kind = kind;
  n.name = name;
  n.function = functionId_;
  n.type = u_.entities.type(type);
  n.loc = u_.map.loc(at);
  u_.localNodes.push_back(std::move(n));
  return LocalNode | Id(u_.localNodes.size() - 1);
}

Id DefinitionCollector::addressTemp(QualType pointee, SourceLocation at) {
  return temp(u_.ast.getPointerType(pointee), at);
}

Id DefinitionCollector::variable(const VarDecl *v) {
  if (v->hasGlobalStorage())
    return u_.entities.global(v);
  if (auto i = locals_.find(v); i != locals_.end())
    return i->second;
  Id id =
      addLocal(NodeKind::Local, v->getName(), v->getType(), v->getLocation());
  node(id).isConst = v->getType().isConstQualified();
  return locals_[v] = id;
}

void DefinitionCollector::flow(Flow flow, Id dst, Id src, SourceLocation at,
                               Id extra) {
  u_.facts.constraints.push_back(
      {flow, dst, src, extra, functionId_, u_.map.loc(at)});
}

void DefinitionCollector::copy(Id dst, Id src, SourceLocation at) {
  if (dst != None && src != None && dst != src)
    flow(Flow::Copy, dst, src, at);
}

void DefinitionCollector::store(Id address, Id what, QualType type,
                                SourceLocation at) {
  if (type->isRecordType())
    flow(Flow::CopyMemory, address, what, at, u_.entities.type(type));
  else
    flow(Flow::Store, address, what, at);
}

void DefinitionCollector::gap(Gap::Kind kind, SourceLocation at,
                              const std::string &what) {
  u_.facts.gaps.push_back({kind, u_.map.loc(at), functionId_, what});
}

namespace {

bool containsCall(const Stmt *s) {
  if (!s)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(s);
      call && !isRegistration(calleeName(call)))
    return true;
  return llvm::any_of(s->children(), containsCall);
}

/// A declaration that may stand before whatever is put first into main.
bool isPlainDeclaration(const Stmt *s) {
  const auto *declaration = dyn_cast<DeclStmt>(s);
  return declaration && llvm::none_of(declaration->decls(), [](const Decl *d) {
           const auto *v = dyn_cast<VarDecl>(d);
           return v && !v->hasGlobalStorage() && v->getInit() &&
                  containsCall(v->getInit());
         });
}

} // namespace

/// Some calls are not collected: of built-ins.
uint32_t DefinitionCollector::callsBefore(const FlowBlock &block,
                                          size_t count) const {
  return llvm::count_if(
      llvm::ArrayRef(block.calls).take_front(count),
      [&](const CallExpr *call) { return collected_.contains(call); });
}

/// What a block writes or tests: a variable's node, or a member.
std::pair<Id, Id> DefinitionCollector::idOf(const ValueDecl *place) {
  if (const auto *f = dyn_cast<FieldDecl>(place))
    return {None, u_.entities.field(f)};
  return {variable(cast<VarDecl>(place)), None};
}

/// Those that may still turn out to be dead ends, when it is known what the
/// functions of other files do; all of a function that never returns.
void DefinitionCollector::blocks(const FunctionDecl *f) {
  const auto &all = u_.deadEnds.blocks[f->getCanonicalDecl()];
  bool mayEnd = false;
  std::vector<uint32_t> position(all.size());
  uint32_t alive = 0;
  auto isKept = [&](size_t i) { return d_.isNoReturn || !all[i].dead; };
  for (size_t i = 0; i < all.size(); ++i) {
    mayEnd |= all[i].dead || !all[i].writes.empty() || all[i].tested;
    if (!isKept(i))
      continue;
    position[i] = alive++;
    for (const CallExpr *call : all[i].calls)
      if (const FunctionDecl *callee = calledFunction(call))
        mayEnd |= !callee->getBuiltinID();
  }
  if (!mayEnd || !isKept(0))
    return;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!isKept(i))
      continue;
    const FlowBlock &from = all[i];
    Block &block = d_.blocks.emplace_back();
    for (unsigned s : from.successors)
      if (isKept(s))
        block.successors.push_back(position[s]);
    for (const CallExpr *call : from.calls)
      if (auto at = collected_.find(call); at != collected_.end())
        block.calls.push_back(at->second - d_.calls.begin);
    for (const FlowBlock::Write &w : from.writes) {
      auto [variable, field] = idOf(w.place);
      block.writes.push_back(
          {variable, field, w.how, w.value, callsBefore(from, w.calls)});
    }
    for (auto [store, calls] : from.stores)
      if (auto at = storesOf_.find(store); at != storesOf_.end())
        block.stores.push_back(
            {at->second - d_.stores.begin, callsBefore(from, calls)});
    if (auto returned =
            from.returned ? constant(from.returned) : std::nullopt) {
      block.returnsConstant = true;
      block.returned = int64_t(*returned);
    }
    if (from.tested && isKept(from.whenZero)) {
      std::tie(block.tested, block.testedField) = idOf(from.tested);
      block.whenZero = position[from.whenZero];
    }
    if (auto at = collected_.find(from.testedCall);
        from.testedCall && at != collected_.end() && isKept(from.whenZero)) {
      block.tested = u_.facts.calls[at->second].result;
      block.whenZero = position[from.whenZero];
    }
  }
}

/// Calls that are not collected use nothing.
void DefinitionCollector::pointerUses(FunctionDecl *f) {
  for (const FoundPointerUse &found : findPointerUses(u_.ast, f, u_.deadEnds)) {
    PointerUse u;
    u.how = found.how;
    u.isTested = found.isTested;
    u.loc = u_.map.loc(found.at);
    if (const auto *field = dyn_cast_or_null<FieldDecl>(found.place))
      u.field = u_.entities.field(field);
    else if (found.place)
      u.param = variable(cast<VarDecl>(found.place));
    else if (auto at = collected_.find(found.call); at != collected_.end())
      u.result = u_.facts.calls[at->second].result;
    if (found.how == PointerUse::Handed) {
      auto at = collected_.find(found.to);
      if (at == collected_.end())
        continue;
      u.call = at->second - d_.calls.begin;
      u.arg = found.arg;
    }
    if (u.field != None || u.param != None || u.result != None)
      d_.pointerUses.push_back(std::move(u));
  }
  llvm::sort(d_.pointerUses, [](const PointerUse &a, const PointerUse &b) {
    auto key = [](const PointerUse &u) {
      return std::tie(u.loc, u.how, u.call, u.arg, u.field, u.param, u.result,
                      u.isTested);
    };
    return key(a) < key(b);
  });
}

Span DefinitionCollector::bodyStart(const CompoundStmt *body) {
  Span behind = u_.map.behind(body->getLBracLoc());
  for (const Stmt *s : body->body()) {
    // MARK; where the macro is nothing here, but may be something elsewhere.
    const auto *nothing = dyn_cast<NullStmt>(s);
    if (!isPlainDeclaration(s) &&
        !(nothing && nothing->hasLeadingEmptyMacro())) {
      Span before = u_.map.before(s->getBeginLoc());
      return before.file == None ? behind : before;
    }
    if (Span next = u_.map.behind(s->getEndLoc()); next.file != None)
      behind = next;
  }
  return behind;
}

void DefinitionCollector::blockHeads(const Stmt *function) {
  walk(function, [&](const Stmt *s) {
    const auto *block = dyn_cast<CompoundStmt>(s);
    if (!block)
      return true;
    Definition::Head head;
    head.block = u_.map.span(block->getSourceRange(),
                             u_.map.fileLevelOf(block->getBeginLoc()));
    head.statement = head.block.end;
    bool declares = true;
    for (const Stmt *inner : block->body()) {
      bool isDeclaration = isa<DeclStmt>(inner);
      d_.mixesCode |= isDeclaration && !declares;
      uint32_t begin = u_.map.before(inner->getBeginLoc()).begin;
      if (declares)
        (isDeclaration ? head.last : head.statement) = begin;
      declares &= isDeclaration;
    }
    if (head.block.valid())
      d_.heads.push_back(head);
    return true;
  });
}

/// As it stands in a file; a function that a macro defines has no text.
void DefinitionCollector::functionText(const FunctionDecl *f) {
  FileID level = u_.map.fileLevelOf(f->getBeginLoc());
  auto inFile = [&](SourceLocation l) { return l.isFileID(); };
  SourceRange body = f->getBody()->getSourceRange();
  if (!inFile(f->getBeginLoc()) || !inFile(body.getBegin()) ||
      !inFile(body.getEnd()))
    return;
  d_.text = u_.map.span(f->getSourceRange(), level);
  d_.body = u_.map.span(body, level);
}

void DefinitionCollector::beginFunction(const FunctionDecl *f) {
  begin();
  functionId_ = d_.function = u_.entities.function(f);
  d_.loc = u_.map.loc(f->getLocation());
  for (const ParmVarDecl *p : f->parameters())
    d_.params.push_back(variable(p));
  if (!f->getReturnType()->isVoidType())
    d_.result = addLocal(NodeKind::Return, f->getName(), f->getReturnType(),
                         f->getLocation());
}

void DefinitionCollector::collectFunction(FunctionDecl *f) {
  beginFunction(f);
  announcements_.emplace(u_.ast, f);
  findChanges(f->getBody());
  assignments_ = assignedIn(f->getBody());
  for (const ParmVarDecl *p : f->parameters())
    ++assignments_[p];
  for (const ParmVarDecl *p : f->parameters())
    node(variable(p)).isUnchanged =
        p->getType()->isIntegralOrEnumerationType() && !changed_.contains(p);
  gotoLoops_ = findGotoLoops(f->getBody());
  statement(f->getBody());
  d_.isNoReturn =
      f->isNoReturn() || u_.deadEnds.functions.contains(f->getCanonicalDecl());
  blocks(f);
  pointerUses(f);
  Loc first = u_.map.loc(f->getBeginLoc()), last = u_.map.loc(f->getEndLoc());
  d_.lines = last.line >= first.line ? last.line - first.line + 1 : 1;
  if (f->isMain())
    d_.bodyStart = bodyStart(cast<CompoundStmt>(f->getBody()));
  functionText(f);
  blockHeads(f->getBody());
  nameSurroundings();
  end();
}

void DefinitionCollector::collectStatic(const VarDecl *v) {
  begin();
  constant_ = true;
  d_.variable = u_.entities.global(v);
  d_.loc = u_.map.loc(v->getLocation());
  initialise(v, v->getInit());
  if (v->getType()->isIntegralOrEnumerationType())
    writtenOtherwise(v, v->getInit());
  textOtherThanEmpty(v, v->getInit());
  end();
}
