//===- DefinitionCollector.h - Facts of one body ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions are evaluated to nodes: value() gives the node that holds an
// expression's value, address() the node that holds an lvalue's address. A
// variable of scalar type is its own node; everything else in memory is loaded
// and stored through an address. The value of a record is its address.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_DEFINITIONCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_DEFINITIONCOLLECTOR_H

#include "passes/collect/entities/Entities.h"
#include "passes/collect/scans/Announcements.h"
#include "passes/collect/scans/ChildCode.h"
#include "passes/collect/scans/DeadEnds.h"
#include "passes/collect/scans/GotoLoops.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/facts/IdSet.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace nvmove {

/// What the collectors of all definitions of a translation unit share.
struct UnitState {
  clang::ASTContext &ast;
  Facts &facts;
  SourceMap &map;
  Entities &entities;
  DeadEnds deadEnds;
  ChildCode childCode;
  std::vector<Node> localNodes; ///< their ids carry LocalNode
  std::vector<const clang::VarDecl *>
      pendingStatics; ///< statics of functions, with initialisers
};

/// The memory that an lvalue names, as it is reached.
struct Place {
  enum class Root : uint8_t {
    Pointer,  ///< through the value of `pointer`
    Variable, ///< a declared variable
    Other,    ///< a temporary or literal
  } root = Root::Other;
  const clang::Expr *pointer = nullptr;
  const clang::VarDecl *variable = nullptr;
  llvm::SmallVector<const clang::FieldDecl *, 4>
      path;            ///< from the root inwards
  bool hooked = false; ///< an announcing macro of the runtime is on the way
};

class DefinitionCollector {
public:
  explicit DefinitionCollector(UnitState &unit) : u_(unit) {}

  void collectFunction(clang::FunctionDecl *f);
  /// A declaration that makes a function another name of one.
  void collectAlias(const clang::FunctionDecl *f);
  void collectStatic(const clang::VarDecl *v);

private:
  using Expr = clang::Expr;
  using Stmt = clang::Stmt;
  using QualType = clang::QualType;
  using SourceLocation = clang::SourceLocation;

  // DefinitionCollector.cpp
  void begin();
  void beginFunction(const clang::FunctionDecl *f);
  void end();
  Id addLocal(NodeKind kind, llvm::StringRef name, QualType type,
              SourceLocation at);
  Id temp(QualType type, SourceLocation at) {
    return addLocal(NodeKind::Temp, "", type, at);
  }
  Id addressTemp(QualType pointee, SourceLocation at);
  Id variable(const clang::VarDecl *v);
  Node &node(Id id);
  void flow(Flow flow, Id dst, Id src, SourceLocation at, Id extra = None);
  void copy(Id dst, Id src, SourceLocation at);
  /// What has this type, to the address: a record is copied.
  void store(Id address, Id what, QualType type, SourceLocation at);
  void gap(Gap::Kind kind, SourceLocation at, const std::string &what);
  void blocks(const clang::FunctionDecl *f);
  void pointerUses(clang::FunctionDecl *f);
  std::pair<Id, Id> idOf(const clang::ValueDecl *place);
  uint32_t callsBefore(const FlowBlock &block, size_t count) const;
  Span bodyStart(const clang::CompoundStmt *body);
  void blockHeads(const clang::Stmt *function);
  void functionText(const clang::FunctionDecl *f);

  /// Of a call, a function or va_arg; of a record: its address.
  Id valueOfResult(Id result, QualType type, SourceLocation at);
  void returned(Id what, QualType type, SourceLocation at);
  const clang::VarDecl *answering(const Expr *lvalue) const;
  void answer(const Expr *e, Id value, const Stmt *at,
              const clang::VarDecl *local = nullptr);

  // Aliases.cpp
  Id passOn(Id callee, Id target, std::vector<Id> args, QualType result,
            SourceLocation at);

  // Statements.cpp
  void statement(const Stmt *s);
  /// A statement that can be bracketed, unless it is a block.
  void child(const Stmt *s, bool inCompound);
  void unbracketed(llvm::function_ref<void()> walk);
  /// Enters or leaves those that begin before, or end behind, a statement of
  /// the block.
  void enterGotoLoop(const clang::CompoundStmt *block, size_t statement);
  void leaveGotoLoop(const clang::CompoundStmt *block, size_t statement);
  void loop(const Stmt *s, const Stmt *body, llvm::function_ref<void()> walk);
  void loopBody(const Stmt *body, Loop &loop);
  Span textOf(const Stmt *s);
  void declaration(const clang::Decl *d, const Stmt *s);
  void returnStatement(const clang::ReturnStmt *s);
  void assembly(const clang::AsmStmt *s);
  void ifStatement(const clang::IfStmt *s);
  void doStatement(const clang::DoStmt *s);
  void otherStatement(const Stmt *s);
  bool isLine(const Expr *e) const;
  StatementSpan statementSpan(const Expr *e, const Stmt **found = nullptr);
  /// Of a store that cannot be edited in place, what to announce before.
  void announceBefore(const Expr *store, const Expr *lvalue, StoreSite &s);

  // Conditions.cpp
  /// Walks what runs only where `condition` evaluates to `holds`.
  void where(const Expr *condition, bool holds,
             llvm::function_ref<void()> walk);
  struct Known {
    size_t nonNull, different, zero, flags, statics, tests, arms;
  };
  Known known() const {
    return {nonNull_.size(), different_.size(), zero_.size(), flags_.size(),
            statics_.size(), tests_.size(),     arms_.size()};
  }
  void forget(Known since) {
    nonNull_.truncate(since.nonNull);
    different_.truncate(since.different);
    zero_.truncate(since.zero);
    flags_.truncate(since.flags);
    statics_.truncate(since.statics);
    tests_.truncate(since.tests);
    arms_.truncate(since.arms);
  }
  void assume(const Expr *condition, bool holds);
  Id testedPointer(const Expr *pointer);
  PointerPair compared(const clang::BinaryOperator *comparison);
  void assumeNonNull(const Expr *pointer);
  /// An array of characters.
  bool isText(QualType type) const {
    const clang::ArrayType *array = u_.ast.getAsArrayType(type);
    return array && array->getElementType()->isCharType();
  }
  const Expr *textBehind(const Expr *e) const;
  void assumeFlag(const Expr *e, FlagTest test);
  void assumeStatic(const Expr *e, bool isZero);
  void assumeNonZero(const Expr *e) {
    assumeFlag(e, {None, None, ~uint64_t(0), 0, false});
  }
  bool isNaturalConstant(const Expr *e) const;
  bool isNatural(const Expr *e) const;
  void assumeOrder(const clang::BinaryOperator *e, bool holds);
  void assumeInteger(const Expr *e, const Expr *value, bool equal);
  std::optional<uint64_t> constant(const Expr *e) const;
  const clang::ParmVarDecl *unchangedParameter(const Expr *e) const;
  bool keepsTruth(const Expr *e, QualType type) const;
  bool fits(const Expr *constant, QualType type) const;
  void chosen(const Stmt *block, const Stmt *s);
  bool neverFallsThrough(const Stmt *s) const;
  /// `s` can be entered other than at its beginning.
  static bool hasEntry(const Stmt *s, bool inSwitch = false);
  void compound(const clang::CompoundStmt *s);
  void behind(const Stmt *s);

  // Versions.cpp
  using Versions = llvm::DenseMap<const clang::VarDecl *, Id>;
  void findChanges(const Stmt *body);
  bool hasVersions(const clang::VarDecl *v) const;
  Id current(const clang::VarDecl *v);
  void assigned(const clang::VarDecl *v, Id what, bool known,
                SourceLocation at);
  void perhaps(llvm::function_ref<void()> walk);
  void keepCommon(const Versions &other);
  void forgetAssignedIn(const Stmt *s);
  void forgetReachedFrom(const Stmt *s, bool inSwitch = false);
  void forgetShared();
  bool mayWriteShared(const clang::CallExpr *e) const;
  bool isOrdered(const Expr *e) const;
  using Assigned = llvm::MapVector<const clang::VarDecl *, unsigned>;
  void eachAssigned(
      const Stmt *s,
      llvm::function_ref<void(const clang::VarDecl *, bool)> see) const;
  Assigned assignedIn(const Stmt *s) const;
  using LoopNodes = llvm::SmallVector<std::pair<const clang::VarDecl *, Id>, 2>;
  LoopNodes enterLoop(const Stmt *s);
  void leaveLoop(const Stmt *s, const LoopNodes &nodes);

  // Expressions.cpp
  /// `as` is the pointer type that the value is on its way to.
  Id value(const Expr *e, QualType as = {});
  Id valueOf(const Expr *e, QualType as);
  Id valueOfCast(const clang::CastExpr *e, QualType as);
  Id explicitCast(const clang::CastExpr *e, QualType as);
  Id throughHook(const Hook &hook, QualType as);
  Id valueOfUnary(const clang::UnaryOperator *e);
  Id valueOfBinary(const clang::BinaryOperator *e, QualType as);
  Id valueOfConditional(const clang::AbstractConditionalOperator *e,
                        QualType as);
  Id valueOfStatementExpression(const clang::StmtExpr *e, QualType as);
  Id valueOfOther(const Expr *e, QualType as);
  Id arithmetic(std::initializer_list<Id> operands, QualType type,
                SourceLocation at);
  Id indexed(Id pointer, Id index, QualType type, SourceLocation at);
  Id decayed(const Expr *array);
  Id functionAddress(const clang::FunctionDecl *f, const Expr *spelled);
  void evaluate(const Expr *e) { value(e); }
  /// The value, which a comparison or a condition looks at.
  Id judge(const Expr *e);
  void evaluateChildren(const Stmt *s);
  void sizeofUse(const clang::UnaryExprOrTypeTraitExpr *e);
  void offsetUse(const Expr *e);
  void variableSizes(QualType t);

  // Lvalues.cpp
  Id address(const Expr *e);
  Id addressOfVariable(const clang::VarDecl *v, SourceLocation at);
  Id addressOfMember(const clang::MemberExpr *e);
  Id addressOfTemporary(const Expr *e);
  Id load(const Expr *lvalue);
  void writtenOtherwise(const clang::ValueDecl *place, const Expr *value);
  void addOtherWrite(FlowWrite w);
  void textOtherThanEmpty(const clang::ValueDecl *place, const Expr *text);
  Place place(const Expr *lvalue) const;
  /// The variable that `lvalue` is, when its value is a node of its own.
  const clang::VarDecl *scalarVariable(const Expr *lvalue) const;
  Id assign(const clang::BinaryOperator *e);
  Id increment(const clang::UnaryOperator *e);
  /// Flow of a write; `target` is the address, None for a scalar variable.
  void write(const Expr *lvalue, Id target, Id what, SourceLocation at,
             bool isNull = false);
  bool isNullPointer(const Expr *e) const {
    return nvmove::isNullPointer(u_.ast, e);
  }
  /// `store`: the operator, null where there is none.
  void writeSite(const Expr *lvalue, Id target, Id what, SourceLocation op,
                 bool readModifyWrite, const Expr *store = nullptr);
  void atomicSite(const Expr *pointer, Id target, Id what,
                  bool readModifyWrite);
  void storeSite(const Expr *lvalue, const Place &p, Id target,
                 SourceLocation op, bool readModifyWrite, const Expr *store);
  /// What surrounds the store: its value, and the hooks before it.
  void surroundings(const Expr *store, StoreSite &s);
  Stored storedBy(const Expr *store) const;
  /// Names the calls that only the end of the function shows.
  void nameSurroundings();
  Callees calleesOf(const CallList &calls) const;
  StaticWrite writeTo(Id variable, const Place &p, const Expr *lvalue,
                      Id target, Id what, SourceLocation at,
                      bool readModifyWrite, const Expr *store);
  void initialised(Id local, SourceLocation at);
  void addressUse(const Place &p, const Expr *spelled, Id result);
  void fillRecordAndField(const Place &p, StoreSite &s);

  // Calls.cpp
  Id call(const clang::CallExpr *e, QualType as);
  Id ordinaryCall(const clang::CallExpr *e, const clang::FunctionDecl *callee,
                  QualType as);
  void callSpans(const clang::CallExpr *e, Call &c);
  bool pointsToZeros(const Expr *argument);
  void callBuffers(const clang::CallExpr *e, const clang::FunctionDecl *callee,
                   Call &c);
  void callSizes(const Stmt *s, Call &c);
  void libraryCall(llvm::StringRef name, const clang::CallExpr *e,
                   const Call &c);
  void link(const clang::CallExpr *e, const Call &c, bool inserts);
  void handOverBlocks(llvm::StringRef name, const clang::CallExpr *e, Call &c);
  void variadicFlow(llvm::StringRef name, const clang::CallExpr *e);
  Id syncBuiltin(llvm::StringRef name, const clang::CallExpr *e);
  Id overflowBuiltin(const clang::CallExpr *e);
  Id atomicUpdate(const Expr *pointer, Id target, llvm::ArrayRef<Id> operands,
                  bool reads, bool combines, QualType type);
  Id variableArgument(const clang::VAArgExpr *e);
  Id atomic(const clang::AtomicExpr *e);

  // Initialisers.cpp
  void initialise(const clang::VarDecl *v, const Expr *init);
  void initialiseMemory(llvm::function_ref<Id()> target, QualType type,
                        const Expr *init);
  void initialiseRecord(llvm::function_ref<Id()> target,
                        const clang::RecordDecl *r,
                        const clang::InitListExpr *list);
  void initialiseArray(llvm::function_ref<Id()> target, QualType element,
                       const clang::InitListExpr *list);

  struct Enclosing {
    const Stmt *stmt = nullptr; ///< statement that can be bracketed, or null
    bool inCompound = false;
  };

  UnitState &u_;
  Definition d_;
  Id functionId_ = None;
  bool constant_ = false; ///< in a static initialiser
  unsigned inHook_ = 0, inTwin_ = 0;
  /// With the casts and parentheses around it.
  llvm::DenseMap<const clang::CallExpr *, const clang::Expr *> whole_;
  Id loop_ = None;
  GotoLoops gotoLoops_;
  // What is known at the point that is walked.
  llvm::SmallVector<Id, 8> nonNull_;
  std::vector<Id> *judged_ = nullptr; ///< in the value that is being assigned
  llvm::SmallVector<PointerPair, 2> different_;
  llvm::SmallVector<Id, 2> zero_;
  llvm::SmallVector<FlagTest, 4> flags_;
  llvm::SmallVector<StaticTest, 4> statics_;
  llvm::SmallVector<ParamTest, 4> tests_;
  llvm::DenseSet<const clang::ValueDecl *> changed_,
      addressTaken_, ///< anywhere in the body
      answers_,      ///< local integers that are returned
      uncounted_;    ///< given more than constants, and counted up
  /// Local records of which a part may be given more than zeros.
  std::optional<llvm::DenseSet<const clang::VarDecl *>> nonZeros_;
  bool parallel_ = false; ///< holds a parallel region
  Versions versions_;     ///< that a read would see at the point that is walked
  /// What is walked does nothing that may write a variable through its address
  /// but in the end.
  bool ordered_ = false;
  unsigned inStatementExpression_ = 0;
  /// Of loops that are walked, innermost last: what a read sees where it has no
  /// version.
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<Id, 2>> ofLoops_;
  Assigned assignments_;                      ///< in the function
  const clang::SwitchStmt *switch_ = nullptr; ///< the innermost
  llvm::SmallVector<uint32_t, 8> arms_;
  uint32_t conditions_ = 0; ///< if statements so far
  SourceLocation block_;    ///< of the innermost, or the last label in it
  llvm::DenseMap<const Expr *, Id> tested_;   ///< pointers that were evaluated
  llvm::SmallVector<Enclosing, 8> enclosing_; ///< innermost last
  llvm::DenseMap<const clang::VarDecl *, Id> locals_;
  IdMap<Id> addressOf_; ///< variable -> the temp that holds its address
  llvm::DenseMap<const Expr *, Id> opaque_, literals_;
  llvm::DenseMap<const Stmt *, StatementSpan> statementSpans_;
  std::optional<Announcements> announcements_;
  llvm::DenseMap<const clang::CallExpr *, Id> collected_; ///< index of the call
  llvm::DenseMap<const clang::Expr *, Id> storesOf_;      ///< likewise
  struct Surroundings {
    Id store;
    CallList within, since;
  };
  std::vector<Surroundings> surroundings_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_DEFINITIONCOLLECTOR_H
