//===- Entities.cpp - Types, records, variables and functions -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/entities/Entities.h"
#include "passes/facts/LibraryHandles.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace nvmove;

Id Entities::intern(TypeKind kind, Id inner, uint64_t size_bytes) {
  auto [at, fresh] =
      interned_.try_emplace({kind, inner, size_bytes}, facts_.types.size());
  if (fresh)
    facts_.types.push_back({kind, inner, size_bytes});
  return at->second;
}

Id Entities::scalar(const clang::Type *t, uint64_t size_bytes) {
  if (t->isAnyCharacterType() || t->isBooleanType())
    return intern(size_bytes > 1 ? TypeKind::Integer : TypeKind::Byte, None,
                  size_bytes);
  if (t->isRealFloatingType() || t->isAnyComplexType())
    return intern(TypeKind::Floating, None, size_bytes);
  return intern(TypeKind::Integer, None, size_bytes);
}

/// typedef void *list_handle;
static const TypedefNameDecl *handleName(QualType q) {
  const TypedefNameDecl *name = nullptr;
  while (const auto *t = q->getAs<TypedefType>()) {
    name = t->getDecl();
    q = name->getUnderlyingType();
  }
  return name && q->isVoidPointerType() &&
                 !q->getPointeeType().isConstQualified()
             ? name
             : nullptr;
}

Id Entities::handle(const TypedefNameDecl *name) {
  auto [at, fresh] = handles_.try_emplace(name->getName(), None);
  if (!fresh)
    return at->second;
  Record r;
  r.name = handleRecordName(name->getNameAsString());
  r.key = r.name + "@";
  r.spelling = name->getName();
  Id record = facts_.records.size();
  facts_.records.push_back(std::move(r));
  QualType pointer = ast_.VoidPtrTy;
  return handles_[name->getName()] =
             intern(TypeKind::Pointer, intern(TypeKind::Record, record, 0),
                    ast_.getTypeSizeInChars(pointer).getQuantity());
}

Id Entities::type(QualType q) {
  if (q.isNull())
    return None;
  if (const TypedefNameDecl *name = handleName(q))
    return handle(name);
  const clang::Type *t = q->getCanonicalTypeUnqualified().getTypePtr();
  if (auto *atomic = dyn_cast<AtomicType>(t))
    return type(atomic->getValueType());
  if (auto i = types_.find(t); i != types_.end())
    return i->second;
  bool sized = !t->isIncompleteType() && !t->isFunctionType() &&
               !t->isVariableArrayType() && !t->isDependentType() &&
               !t->isVoidType();
  uint64_t size_bytes = sized ? ast_.getTypeSizeInChars(t).getQuantity() : 0;
  Id id;
  if (t->isVoidType()) {
    id = intern(TypeKind::Void, None, 0);
  } else if (t->isFunctionType()) {
    id = intern(TypeKind::Function, None, 0);
  } else if (auto *array = dyn_cast<clang::ArrayType>(t)) {
    id = intern(TypeKind::Array, type(array->getElementType()), size_bytes);
  } else if (auto *vector = dyn_cast<VectorType>(t)) {
    id = intern(TypeKind::Array, type(vector->getElementType()), size_bytes);
  } else if (auto *r = t->getAs<RecordType>()) {
    id = intern(TypeKind::Record, record(r->getDecl()), size_bytes);
  } else if (t->isNullPtrType()) {
    id = intern(TypeKind::Pointer, type(ast_.VoidTy), size_bytes);
  } else if (t->isAnyPointerType() || t->isBlockPointerType()) {
    id = intern(TypeKind::Pointer, type(t->getPointeeType()), size_bytes);
  } else {
    id = scalar(t, size_bytes);
  }
  types_[t] = id;
  return id;
}

Id Entities::recordOf(QualType q) {
  if (q.isNull())
    return None;
  while (const clang::ArrayType *a = ast_.getAsArrayType(q))
    q = a->getElementType();
  const auto *r = q->getAs<RecordType>();
  return r ? record(r->getDecl()) : None;
}

/// "main." for what is declared inside main, so that two functions of one file
/// may use a name.
std::string Entities::scopeOf(const Decl *d) const {
  std::string scope;
  for (const DeclContext *c = d->getDeclContext(); c; c = c->getParent())
    if (const auto *f = dyn_cast<FunctionDecl>(c))
      scope = f->getNameAsString() + "." + scope;
  return scope;
}

std::string Entities::uniqueKey(const std::string &key, const void *owner) {
  std::string tried = key;
  for (unsigned n = 2;
       keyOwner_.try_emplace(tried, owner).first->second != owner; ++n)
    tried = key + "#" + std::to_string(n);
  return tried;
}

static bool declares(const ValueDecl *v, const RecordDecl *r) {
  const clang::Type *t = v->getType()->getBaseElementTypeUnsafe();
  const auto *type = t->getAs<RecordType>();
  return type && type->getDecl() == r;
}

/// Named after the member or variable that is declared with it: "dict.ht".
void Entities::nameUntagged(Record &r, const RecordDecl *definition) {
  if (const auto *parent =
          dyn_cast<RecordDecl>(definition->getLexicalDeclContext())) {
    const Record &outer = facts_.records[record(parent)];
    unsigned unnamed = 0;
    for (const FieldDecl *f : parent->fields()) {
      if (declares(f, definition)) {
        if (f->getName().empty()) {
          r.name = outer.name + ".<" + std::to_string(unnamed) + ">";
          return;
        }
        r.name = outer.name + "." + f->getNameAsString();
        if (!outer.spelling.empty())
          r.spelling = "__typeof__(((" + outer.spelling + " *)0)->" +
                       f->getNameAsString() +
                       (f->getType()->isArrayType() ? "[0])" : ")");
        return;
      }
      unnamed += f->getName().empty();
    }
  }
  for (const Decl *d = definition->getNextDeclInContext(); d;
       d = d->getNextDeclInContext()) {
    const auto *v = dyn_cast<VarDecl>(d);
    if (!v || !declares(v, definition))
      break;
    r.name = v->getNameAsString();
    r.spelling =
        "__typeof__(" + r.name + (v->getType()->isArrayType() ? "[0])" : ")");
    return;
  }
  Loc l = map_.loc(definition->getLocation());
  r.name =
      "anonymous:" + std::to_string(l.line) + ":" + std::to_string(l.column);
}

void Entities::nameRecord(Record &r, const RecordDecl *d) {
  const RecordDecl *definition = d->getDefinition();
  const RecordDecl *shown = definition ? definition : d;
  std::string tagKind = d->isUnion() ? "union " : "struct ";
  if (!shown->getName().empty()) {
    r.name = shown->getName();
    r.spelling = tagKind + r.name;
  } else if (const TypedefNameDecl *t = shown->getTypedefNameForAnonDecl()) {
    r.name = r.spelling = t->getName();
  } else {
    nameUntagged(r, shown);
  }
  r.isUnion = d->isUnion();
  if (!definition) {
    r.key = r.name + "@";
    return;
  }
  r.loc = map_.loc(definition->getLocation());
  r.key = uniqueKey(scopeOf(definition) + r.name + "@" +
                        map_.path(definition->getLocation()),
                    definition);
}

Id Entities::record(const RecordDecl *any) {
  const auto *d = cast<RecordDecl>(any->getCanonicalDecl());
  if (auto i = records_.find(d); i != records_.end())
    return i->second;
  // An untagged record takes its name, and inside a union its cell, from the
  // record around it, which leads back here.
  const RecordDecl *body = d->getDefinition();
  if (body && body->getName().empty())
    if (const auto *parent =
            dyn_cast<RecordDecl>(body->getLexicalDeclContext())) {
      record(parent);
      if (auto i = records_.find(d); i != records_.end())
        return i->second;
    }
  Record r;
  nameRecord(r, d);
  Id id = facts_.records.size();
  records_[d] = id;
  facts_.records.push_back(std::move(r));
  if (const RecordDecl *definition = d->getDefinition();
      definition && !definition->isInvalidDecl())
    fillRecord(id, definition);
  return id;
}

void Entities::alias(const TypedefNameDecl *name) {
  const auto *type = name->getUnderlyingType()->getAs<RecordType>();
  auto i = type ? records_.find(type->getDecl()->getCanonicalDecl())
                : records_.end();
  if (i == records_.end())
    return;
  Record &r = facts_.records[i->second];
  // What a file knows by its declaration alone may turn out to be several.
  if (!r.complete)
    return;
  std::string text = name->getNameAsString();
  auto at = std::lower_bound(r.aliases.begin(), r.aliases.end(), text);
  if (text != r.name && (at == r.aliases.end() || *at != text))
    r.aliases.insert(at, text);
}

void Entities::fillRecord(Id id, const RecordDecl *definition) {
  const ASTRecordLayout &layout = ast_.getASTRecordLayout(definition);
  {
    Record &r = facts_.records[id];
    r.complete = true;
    r.size_bytes = layout.getSize().getQuantity();
    r.packed = definition->hasAttr<PackedAttr>() ||
               definition->hasAttr<MaxFieldAlignmentAttr>();
  }
  const FieldDecl *last = nullptr;
  std::vector<std::pair<Id, const FieldDecl *>> made;
  for (const FieldDecl *f : definition->fields()) {
    // An unnamed bit-field is padding: nothing can read or write it.
    if (f->isUnnamedBitField())
      continue;
    Id n = facts_.fields.size();
    fields_[f] = n;
    Field d;
    d.name = f->getName();
    d.record = id;
    d.offset_bits = layout.getFieldOffset(f->getFieldIndex());
    d.width_bits = f->isBitField() ? f->getBitWidthValue(ast_) : 0;
    d.cell = definition->isUnion() && !made.empty() ? made.front().first : n;
    facts_.fields.push_back(std::move(d));
    facts_.records[id].fields.push_back(n);
    facts_.records[id].packed |= f->hasAttr<PackedAttr>();
    made.push_back({n, f});
    last = f;
  }
  for (auto [n, f] : made) {
    Id t = type(f->getType());
    facts_.fields[n].type = t;
  }
  if (last && !definition->isUnion()) {
    QualType t = last->getType();
    const auto *constant = ast_.getAsConstantArrayType(t);
    facts_.fields[made.back().first].flexible =
        t->isIncompleteArrayType() || (constant && constant->getSize() == 0);
  }
  // Members of an anonymous record inside a union overlay the union's others.
  for (auto [n, f] : made)
    if (f->isAnonymousStructOrUnion() &&
        (definition->isUnion() || facts_.fields[n].cell != n)) {
      Id cell = facts_.fields[n].cell;
      std::vector<Id> inner = facts_.records[recordOf(f->getType())].fields;
      while (!inner.empty()) {
        Id m = inner.back();
        inner.pop_back();
        facts_.fields[m].cell = cell;
        if (facts_.fields[m].name.empty() &&
            facts_.types[facts_.fields[m].type].kind == TypeKind::Record)
          for (Id k :
               facts_.records[facts_.types[facts_.fields[m].type].inner].fields)
            inner.push_back(k);
      }
    }
}

Id Entities::field(const FieldDecl *f) {
  record(f->getParent());
  auto i = fields_.find(f);
  if (i == fields_.end())
    i = fields_.find(f->getCanonicalDecl());
  return i == fields_.end() ? None : i->second;
}

/// char usage[] = "..";
bool Entities::isFilledByText(const VarDecl *v) const {
  const auto *text = v->getInit()
                         ? dyn_cast<StringLiteral>(v->getInit()->IgnoreParens())
                         : nullptr;
  const auto *array = ast_.getAsConstantArrayType(v->getType());
  return text && array && array->getZExtSize() <= text->getLength() + 1 &&
         text->getLength() > 0;
}

Id Entities::global(const VarDecl *v) {
  const VarDecl *first = v->getCanonicalDecl();
  if (auto i = globals_.find(first); i != globals_.end())
    return i->second;
  if (const auto *alias = v->getAttr<AliasAttr>())
    if (const auto *other = declarationOf<VarDecl>(ast_, alias->getAliasee());
        other && other->getCanonicalDecl() != first)
      return globals_[first] = global(other);
  const VarDecl *shown = v->getMostRecentDecl();
  for (const VarDecl *d : v->redecls())
    if (d->isThisDeclarationADefinition() != VarDecl::DeclarationOnly)
      shown = d;
  Node n;
  n.kind = NodeKind::Global;
  n.name = v->getName();
  n.isStatic = v->getFormalLinkage() != Linkage::External;
  n.isFunctionScope = v->isStaticLocal();
  n.isThreadLocal = v->getTLSKind() != VarDecl::TLS_None;
  n.isDefined =
      shown->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
  if (n.isDefined)
    n.definedIn = map_.file(map_.sources().getMainFileID());
  n.isConst = ast_.getBaseElementType(v->getType()).isConstQualified();
  n.isText = isFilledByText(shown);
  n.loc = map_.loc(shown->getLocation());
  n.type = type(shown->getType());
  if (n.isFunctionScope)
    if (const auto *f =
            dyn_cast_or_null<FunctionDecl>(v->getParentFunctionOrMethod()))
      n.function = function(f);
  n.key = n.name;
  if (n.isStatic)
    n.key = uniqueKey(
        scopeOf(v) + n.name + "@" + map_.path(shown->getLocation()), first);
  // An extern at block scope need not be a redeclaration for Clang, but it
  // names the same object.
  auto [at, fresh] = globalByKey_.try_emplace(n.key, facts_.nodes.size());
  if (fresh)
    facts_.nodes.push_back(std::move(n));
  return globals_[first] = at->second;
}

static void describeAllocator(const FunctionDecl *declaration, Function &f) {
  QualType type = declaration->getReturnType();
  bool givesBytes =
      type->isPointerType() && (type->getPointeeType()->isVoidType() ||
                                type->getPointeeType()->isCharType());
  bool hasSize = declaration->hasAttr<AllocSizeAttr>();
  if (!givesBytes || (!hasSize && !declaration->hasAttr<RestrictAttr>()))
    return;
  f.allocates = true;
  f.reallocates |=
      hasSize && llvm::any_of(declaration->parameters(), [](ParmVarDecl *p) {
        QualType to = p->getType()->getPointeeType();
        return !to.isNull() && to->isVoidType() && !to.isConstQualified();
      });
}

Id Entities::function(const FunctionDecl *f) {
  const FunctionDecl *first = f->getCanonicalDecl();
  if (auto i = functions_.find(first); i != functions_.end())
    return i->second;
  const FunctionDecl *definition = nullptr;
  bool hasBody = f->isDefined(definition) && !definition->hasSkippedBody() &&
                 !map_.isForeign(definition->getLocation());
  const FunctionDecl *shown = definition ? definition : first;
  Function r;
  r.name = f->getName();
  r.isStatic = f->getFormalLinkage() != Linkage::External;
  r.key = r.name;
  // Programs that share a folder have one main each.
  if (r.isStatic || r.name == "main")
    r.key += "@" + map_.path(shown->getLocation());
  auto [at, fresh] = functionByKey_.try_emplace(r.key, facts_.functions.size());
  functions_[first] = at->second;
  if (!fresh)
    return at->second;
  r.loc = map_.loc(shown->getLocation());
  r.hasBody = hasBody;
  r.isVariadic = f->isVariadic();
  r.hasPrototype = hasBody && definition->hasWrittenPrototype();
  r.isInline = f->isInlineSpecified();
  for (const FunctionDecl *d : f->redecls()) {
    r.declaredNoReturn |= d->isNoReturn();
    r.isConstructor |= d->hasAttr<ConstructorAttr>();
    describeAllocator(d, r);
  }
  r.isNoReturn = r.declaredNoReturn;
  Node n;
  n.kind = NodeKind::Function;
  n.key = r.key;
  n.name = r.name;
  n.function = at->second;
  n.loc = r.loc;
  r.node = facts_.nodes.size();
  facts_.functions.push_back(std::move(r));
  facts_.nodes.push_back(std::move(n));
  Id t = type(f->getType());
  facts_.nodes[facts_.functions[at->second].node].type = t;
  return at->second;
}
