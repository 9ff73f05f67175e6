//===- Facts.h - What one translation unit says -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   source.c --collect--> Facts --merge--> Facts (whole program) --solve-->
//   Solution
//                                   |                                |
//                                   +------------ rewrite <----------+-->
//                                   patches
//
// Facts hold everything that later passes need: the pointer and value flow, the
// calls, the stores, and for each place that might be edited the bytes it
// covers in the file. No Clang type appears here; the AST is dropped as soon as
// a translation unit's facts are complete.
//
// All cross references are indices (`Id`) into the vectors of one Facts object.
// merge() renumbers. Entities that the linker or the language makes one over
// several translation units carry a `key`; equal keys are one entity.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_FACTS_H
#define NVMOVE_PASSES_FACTS_FACTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

using Id = uint32_t;
inline constexpr Id None = ~Id(0);

/// A half-open range of bytes in a file as it lies on disk. `file == None`
/// means that the text cannot be edited in place (token pasting, built-in
/// macro, a system header): the site is then listed as not covered.
struct Span {
  Id file = None; ///< index into Facts::files
  uint32_t begin = 0, end = 0;
  bool valid() const { return file != None && begin < end; }
  bool holds(const Span &inner) const {
    return valid() && inner.valid() && file == inner.file &&
           begin <= inner.begin && inner.end <= end;
  }
  bool operator==(const Span &) const = default;
  auto operator<=>(const Span &) const = default;
};

/// A position for people: where the construct is spelled, or, inside a macro,
/// where the macro is used. Lines and columns start at 1.
struct Loc {
  Id file = None;
  uint32_t line = 0, column = 0;
  bool operator==(const Loc &) const = default;
  auto operator<=>(const Loc &) const = default;
};

struct File {
  std::string path;  ///< canonical absolute path; also the key
  uint64_t hash = 0; ///< xxh3 of the content that was analysed
  uint64_t size_bytes = 0;
  bool editable = false; ///< part of the program, i.e. not a system header
};

//===-- Types -------------------------------------------------------------===//

enum class TypeKind : uint8_t {
  Void,
  Byte,    ///< char, signed char, unsigned char, int8_t, uint8_t, _Bool
  Integer, ///< every other integer and enum
  Floating,
  Pointer, ///< inner = pointee type
  Array,   ///< inner = element type
  Record,  ///< inner = index into Facts::records
  Function,
};

/// A canonical type without qualifiers. Interned: equal types have equal ids
/// within one Facts object.
///
/// A record type that was incomplete where it was used keeps size 0, even after
/// merge() joined it to its definition: compare pointees by their record, not
/// by type id.
struct Type {
  TypeKind kind = TypeKind::Void;
  Id inner = None;
  uint64_t size_bytes = 0; ///< 0 where incomplete
  bool operator==(const Type &) const = default;
};

struct Field {
  std::string name;
  Id record = None;
  Id type = None;
  uint64_t offset_bits = 0;
  uint32_t width_bits = 0; ///< of a bit-field; else 0
  bool flexible =
      false; ///< flexible array member, or trailing array of length 0
  /// Fields of one union, and fields of an anonymous record inside it, share
  /// memory. `cell` is the field that represents all of these in points-to
  /// sets: the first one; the field itself outside unions.
  Id cell = None;
};

struct Record {
  /// External or header-defined: "tag@canonical path of the definition".
  /// Incomplete everywhere in this translation unit: "tag@"; merge joins it to
  /// the definition when the program has exactly one of that tag.
  std::string key;
  std::string name;     ///< tag, or the typedef's name for an untagged record
  std::string spelling; ///< as C wants it: "struct dict" or "dict"
  /// Other names by typedef, in units that see its definition; in order.
  std::vector<std::string> aliases;
  Loc loc;
  bool isUnion = false;
  bool complete = false;
  bool packed = false;
  uint64_t size_bytes = 0;
  std::vector<Id> fields; ///< in order of declaration
};

//===-- Values and memory -------------------------------------------------===//

enum class NodeKind : uint8_t {
  Global,   ///< variable with static storage duration (file or function scope)
  Local,    ///< automatic variable or parameter
  Return,   ///< a function's return value
  Function, ///< a function as a value: the target of its address
  Literal,  ///< string literal, compound literal at file scope, or label whose
            ///< address is taken: &&label
  /// Result of an expression. Defined by one constraint or one call; a phi
  /// (?:) and Arith have one constraint for each operand. A Temp of record type
  /// is the result of a call and is memory too: AddressOf takes its address.
  Temp,
};

/// A value (what a variable holds) and, for variables, also the memory that
/// holds it: AddressOf takes the memory's address.
struct Node {
  NodeKind kind = NodeKind::Temp;
  std::string key; ///< Global and Function only: "name" or "name@path"; else ""
  std::string name;   ///< for people; "" for Temp
  Id function = None; ///< enclosing function (for kind Function: itself); None
                      ///< at file scope
  Id type = None;
  Loc loc;
  bool isStatic = false;        ///< Global with internal linkage
  bool isFunctionScope = false; ///< Global declared inside a function
  bool isThreadLocal = false;   ///< Global: each thread has its own
  bool isDefined = false; ///< Global: a definition was seen (else extern only)
  Id definedIn = None; ///< Global: the only unit that defines it, wherever that
                       ///< is written; None where several do
  bool isText = false; ///< Global: char[] as long as its initial text
  bool isConst = false; ///< Global whose memory is never written by definition
  bool isUnchanged =
      false; ///< integer parameter that its function never writes
};

/// How values flow. `dst` and `src` are nodes.
enum class Flow : uint8_t {
  /// dst = src; implicit casts; the arms of ?:. Comparisons, ! and && carry
  /// nothing. The value of a record is represented by its address.
  Copy,
  Arith, ///< dst depends on src by an operation other than pointer arithmetic
  AddressOf,  ///< dst = &src           (src Global, Local, Function or Literal;
              ///< arrays decay)
  Member,     ///< dst = &src->field    (src a pointer value)
  Load,       ///< dst = *src
  Store,      ///< *dst = src
  CopyMemory, ///< *dst = *src for whole records or bytes: struct assignment,
              ///< memcpy
  Index,      ///< dst = &src[...]: like Copy; `extra` is the node of the index
  Cast, ///< explicit C cast with a pointer on either side: dst = (T)src; like
        ///< Copy
};

struct Constraint {
  Flow flow;
  Id dst = None, src = None;
  /// Member: field. Index: index node, may be None. CopyMemory: the type of the
  /// record that is copied, None for a number of bytes. Else None.
  Id extra = None;
  Id function = None; ///< where; None for static initialisers
  Loc loc;
};

//===-- Functions, calls, loops -------------------------------------------===//

struct Function {
  std::string key; ///< "name", or "name@path" with internal linkage
  std::string name;
  Id node = None;         ///< its Function node
  std::vector<Id> params; ///< Local nodes; empty without a body
  /// Local node that represents all arguments after `params` of a variadic
  /// function that reads them; None else. va_start stores it, va_arg loads it.
  Id variadic = None;
  /// Return node; None for void and without a body. Of record type: memory that
  /// `return r` fills by CopyMemory.
  Id result = None;
  Loc loc;
  bool hasBody = false;
  bool isStatic = false;
  bool isVariadic = false;
  /// Defined with its parameters' types: not in the manner of K&R.
  bool hasPrototype = false;
  bool isNoReturn = false; ///< by attribute, or every path ends in such a call
  bool declaredNoReturn = false; ///< only by an attribute
  bool hasInlineAsm = false;     ///< that may do more than is known of it
  bool isInline = false;
  bool isConstructor = false; ///< runs before main
  /// Declared with the attribute malloc or alloc_size, and returns bytes.
  bool allocates = false;
  bool reallocates = false; ///< and takes a block
  /// main only: first byte after the last leading declaration or, with C99
  /// mixed declarations, first byte of the first statement.
  Span bodyStart; ///< empty range is allowed here: begin == end
  uint32_t lines = 0;
};

struct Loop {
  Id function = None;
  Id parent = None; ///< enclosing loop in the same function
  Loc loc;
  /// The statements of its body, or the one that is its body; none where one of
  /// them cannot be edited in place.
  std::vector<Span> body;
  bool isCompound = false; ///< the body is in braces
  bool isEntered = false;  ///< a label in the body may be jumped to
};

/// The statement around a call, for putting code before and after it.
struct StatementSpan {
  Span span;                      ///< whole statement with its semicolon
  bool isDeclaration = false;     ///< int x = f(); cannot be put into braces
  bool inCompound = false;        ///< directly inside { }
  bool isWholeExpression = false; ///< the statement is the call, result unused
  bool mayLeave = false; ///< holds return, break, continue or goto: code put
                         ///< after it may be skipped
};

/// What is known of an integer parameter that its function never changes:
/// (param & mask) == value, or != value.
struct ParamTest {
  Id param = None;
  uint64_t mask = 0, value = 0;
  bool equal = false;
};

/// The same of a global integer or of a member, an integer of some object; of
/// an array of characters, of the first one or the length of the text.
struct FlagTest {
  Id variable = None; ///< Global node
  Id field = None;    ///< instead
  uint64_t mask = 0, value = 0;
  bool equal = false;
};

/// What a static, a member or an element of one was when it was tested on the
/// way: if (!ready), if (table[1]), if (!cache.made++), if (log == NULL)
struct StaticTest {
  Id variable = None;   ///< Global node
  std::vector<Id> path; ///< fields from there
  bool isZero = false;  ///< zero or null; or neither
  bool operator==(const StaticTest &) const = default;
};

/// Two values that are compared.
struct PointerPair {
  Id first = None, second = None; ///< nodes
};

/// An argument of integer type that is a constant, as the parameter sees it, or
/// a parameter that the caller never changes.
struct ArgValue {
  uint32_t arg = 0;
  uint64_t value = 0;
  Id param = None;
};

/// An argument through which a function of scanf's family, or one of a library
/// of which only the declaration is known, writes, and how much at most.
struct ScannedArg {
  uint32_t arg = 0;
  enum Extent : uint8_t {
    Object, ///< no more than what it points to
    Array,  ///< it is an array: no more than that
    Bytes,
    Block, ///< a pointer to a block that the call makes: %ms
    Rest,  ///< some of its block, from there on
    Sized, ///< as many bytes as the argument with the number `bytes` says
  } extent = Bytes;
  uint64_t bytes = 0;
};

/// How a call opens a file, as the text of it says.
enum class FileMode : uint8_t { Unknown, Read, Write, Append };

struct Call {
  Id function = None; ///< the caller; None in a static initialiser
  Id callee = None;   ///< index into functions; None when indirect
  Id target = None;   ///< node of the called pointer when indirect
  /// Value nodes; None for an argument without flow (a literal number). For an
  /// argument of record type: its address; the parameter is a copy
  /// (CopyMemory).
  std::vector<Id> args;
  /// Temp node; None for void. Of a library function that puts a new block
  /// where an argument points, asprintf(), that block.
  Id result = None;
  Loc loc;
  Span span;       ///< the whole call expression
  Span calleeSpan; ///< the callee's name
  std::vector<Span> argSpans;
  std::vector<bool> argIsZeroOrNull; ///< literal 0 or NULL
  std::vector<ArgValue> argValues;   ///< one for an argument at most
  std::optional<uint64_t> constantAt(uint32_t arg) const {
    for (const ArgValue &a : argValues)
      if (a.arg == arg && a.param == None)
        return a.value;
    return std::nullopt;
  }
  /// Arguments without a value there that are one of several constants: one
  /// entry for each of these.
  std::vector<ArgValue> argChoices;
  /// Arguments that point to a local record that holds nothing but zeros.
  std::vector<uint32_t> argsOfZeros;
  /// Arguments that are words for people: "cannot open %s".
  std::vector<uint32_t> phrases;
  FileMode mode = FileMode::Unknown; ///< fopen(name, "a"), open(name, O_APPEND)
  /// NVM_BUF(..) of a size that another argument bounds.
  std::vector<bool> argIsHooked;
  std::vector<ScannedArg> scanned;
  const ScannedArg *scannedAt(uint32_t arg) const {
    for (const ScannedArg &s : scanned)
      if (s.arg == arg)
        return &s;
    return nullptr;
  }
  /// No memory is written through it: not a pointer, or one to const, or
  /// beyond the parameters of a function that does not scan.
  std::vector<bool> argIsReadOnly;
  StatementSpan statement;
  Id loop = None; ///< innermost enclosing loop
  bool deadEnd =
      false; ///< every path from here ends in a call that cannot return
  std::vector<Id> sizeofRecords; ///< records R in sizeof(R), sizeof(*p) within
                                 ///< the arguments
  std::vector<Id> sizeofTypes;   ///< every type T in sizeof(T), sizeof expr
                                 ///< within the arguments
  Id resultRecord = None; ///< record that the result is cast, assigned or
                          ///< initialised to point to
  Id resultType =
      None; ///< the pointer type it is converted to, where not void*; else None
  bool inHook = false; ///< spelled inside NVM_ALLOC(...) or nvm_twin(...):
                       ///< already rewritten
  /// Nodes of pointers that are not null wherever the call is made: it is
  /// in if (p) .., after if (!p) return; and the like.
  std::vector<Id> nonNull;
  /// Of pointers that are not equal there: after if (list.next != &list).
  std::vector<PointerPair> different;
  /// Results of calls, integers, that are zero: after if (!is_empty(&list)).
  std::vector<Id> zero;
  /// Results of calls that may fork, of which one is zero there, in a child:
  /// made while the parent goes on, too.
  std::vector<Id> inChildOf;
  /// Likewise, of which one is above zero there, in the process that forked.
  std::vector<Id> inParentOf;
  /// It may fork, and the process where it gives more than zero ends.
  bool goesOnInChild = false;
  /// What holds of global integers, and held of members when they were tested
  /// on the way.
  std::vector<FlagTest> flags;
  std::vector<StaticTest> statics;
  /// What holds of the caller's parameters wherever the call is made.
  std::vector<ParamTest> tests;
  /// The arms of if statements that it is in, outermost first: twice the
  /// number of the statement within the function, plus one for the arm that is
  /// taken when the condition does not hold.
  std::vector<uint32_t> arms;
};

//===-- Places that may be edited -----------------------------------------===//

/// What may run between two points of a function.
struct Callees {
  std::vector<Id> functions; ///< called by name
  std::vector<Id> pointers;  ///< nodes of the pointers that are called
};

/// What a store puts there, as far as counting goes.
enum class Stored : uint8_t {
  Other,
  Constant,
  Step, ///< ++, --, += 1, -= 1
};

enum class StoreForm : uint8_t {
  Lvalue,   ///< =, op=, ++, --, struct assignment: NVM(lvalue)
  BitField, ///< NVM_OBJ(base)->f or NVM(base).f
  Atomic,   ///< __atomic_*, __sync_*: the pointer argument is announced
};

/// One expression that writes memory through a pointer. Writes to a declared
/// variable itself (x = .., x.f = .., a[i] = .. for an array a that is not a
/// parameter) are not stores in this sense: see StaticWrite.
struct StoreSite {
  StoreForm form = StoreForm::Lvalue;
  Id function = None;
  Loc loc;
  Id address = None; ///< node of the address written
  Id record = None;  ///< outermost record reached by the last pointer: T in
                     ///< p->a.b[i] = ..
  Id field =
      None; ///< the member of `record` that is written, None for *p, p[i]
  Id valueType = None; ///< type of the lvalue
  Span span; ///< Lvalue: the lvalue. BitField: the base (p in p->f, x in x.f).
             ///< Atomic: the pointer argument
  Span base; ///< Lvalue, a member that a macro writes: p in p->f, x in x.f
  /// Where a macro makes text of what is to be edited: a pointer to what is
  /// written, as C, that is the same before `statement`. Else empty.
  std::string before;
  StatementSpan statement;
  bool baseIsPointer = false; ///< BitField: `->` was used
  Stored stored = Stored::Other;
  bool readModifyWrite = false; ///< op=, ++, --, atomic add
  /// All bytes written are announced by the hook that the store is spelled in.
  bool hooked = false;
  /// A hook before it announces them on every path that leads here.
  bool announcedBefore = false;
  Callees within; ///< what computes the value: may run after the hook around
                  ///< the store
  Callees since;  ///< what runs between the hook before it, or the beginning
                  ///< of `statement`, and the store
  std::vector<Id> nonNull;         ///< as a call's
  std::vector<Id> judged;          ///< as a static write's
  std::vector<StaticTest> statics; ///< as a call's
};

/// A write to a variable with static storage: x = .., x.f = .., x += .. Or to a
/// local that is a record or an array, or a member of one.
struct StaticWrite {
  Id variable = None;   ///< Global node; of Facts::localWrites a Local one
  std::vector<Id> path; ///< fields from the variable to what is written; [] for
                        ///< the variable itself
  Id function = None;
  Loc loc;
  Id address = None; ///< node of where it goes: of an array's element, a member
  Id value = None;   ///< node of the value written, None for a constant
  bool readModifyWrite = false; ///< op=, ++, --, atomic add
  bool isScalar = false;
  bool isZero = false; ///< the constant 0 is written, or that of no function
  StatementSpan statement;
  Id loop = None;          ///< innermost enclosing loop
  std::vector<Id> nonNull; ///< as a call's
  std::vector<Id> judged;  ///< what comparisons in the value look at: n in
                           ///< x = n > 0 ? 1 : 0
  std::vector<StaticTest> statics; ///< as a call's
};

/// A use of a variable's address or of an array's decayed name, as it is
/// spelled.
struct AddressUse {
  Id variable = None; ///< Global or Function node
  Id function = None;
  Span span; ///< `&x`, or `x` for arrays
  Loc loc;
  bool inConstantInitialiser = false; ///< cannot be made a run-time expression
  bool inHook = false;
  bool interior = false; ///< the address of a part: &x.f
  Id value = None;       ///< the node that holds the address
};

/// sizeof of a record, anywhere: a type whose members are never named may still
/// lay out memory. And a record within another that the initialiser of a static
/// names for where a member lies: offsetof(struct net, eap.cert.ca) names both.
struct SizeofUse {
  Id record = None;
  Id function = None;
  Loc loc;
};

/// Something that the collector could not follow. Never dropped silently.
struct Gap {
  enum class Kind : uint8_t {
    InlineAsm,
    UneditableStore,
    SkippedFile,
    ParseError,
    MissingHeader,
    Variadic,
    Unfollowed,
    /// A part of an #if in a file of the program, by its directive. A file that
    /// several units read is not parsed there if no unit has a ParsedBranch.
    ParsedBranch,
    SkippedBranch,
    /// A macro writes a variable that has no address, at `span`.
    RegisterWrite,
    /// A macro writes a bit-field of a variable; `span` is x in x.f.
    BitFieldWrite,
  } kind;
  Loc loc;
  Id function = None;
  std::string what;
  Span span = {};
  /// SkippedBranch: the macros that its condition, and that of its #if, name;
  /// each once.
  std::vector<std::string> macros = {};
  /// InlineAsm: the pointers that it reads and no hook announces.
  std::vector<Id> handed = {};
};

/// Positions [begin, end) in one of the vectors of Facts.
struct Range {
  Id begin = 0, end = 0;
  bool operator==(const Range &) const = default;
};

/// A write to a pointer, a Global node or a parameter, or to an integer, a
/// Global node or a member.
struct FlowWrite {
  Id variable = None;
  Id field = None; ///< instead, of some object
  enum How : uint8_t {
    Anything,
    Constant, ///< = value; null is 0
    SetsBits, ///< |= value
    ClearsBits,
    Through, ///< instead, *variable = .., a parameter's; value 0: null
  } how = Anything;
  uint64_t value = 0; ///< as a number of the type that is written
  uint32_t calls = 0; ///< in a block: so many of its calls come before
  bool isZero() const { return how == Constant && value == 0; }
};

/// Where in a block a store, or a static write, is made.
struct BlockStore {
  uint32_t store = 0; ///< within Definition::stores, or staticWrites
  uint32_t calls = 0; ///< so many of the block's calls come before
};

/// A basic block from which some path returns, as far as its file tells: a call
/// of a function of another file may turn out never to.
struct Block {
  std::vector<uint32_t> successors; ///< such blocks, by position
  std::vector<uint32_t> calls;      ///< within Definition::calls
  std::vector<FlowWrite> writes;
  std::vector<BlockStore> stores;       ///< none of built-ins and initialisers
  std::vector<BlockStore> staticWrites; ///< likewise
  /// Such a variable or member, or the result of a call of the block, that is
  /// zero where control goes from here to the block `whenZero`, and is not
  /// where it goes elsewhere.
  Id tested = None;
  Id testedField = None;
  uint32_t whenZero = 0;
  bool returnsConstant = false;
  int64_t returned = 0; ///< that constant
};

/// An integer that a function returns, or puts into a local that it returns.
struct ReturnedValue {
  bool isConstant = false;
  int64_t constant = 0;
  Id value = None;        ///< node, if it is not a constant
  Id local = None;        ///< node of the local that it is put into
  bool isInitial = false; ///< where that local is declared
  bool counts = false;    ///< or it is increased by one
  Loc from; ///< calls from here to `at` are made before it in its block
  Loc at;
  std::vector<uint32_t> arms; ///< as a call's
  PointerPair equal; ///< it says whether these are, where there are two
};

/// What a body does with a pointer that it reads from a member, that is a
/// parameter, or that a call returns: whether a null pointer is allowed.
struct PointerUse {
  Id field = None;  ///< either the member
  Id param = None;  ///< or the parameter
  Id result = None; ///< or what the call returns, a Temp node
  enum How : uint8_t {
    Followed, ///< what it points to is read, written or pointed to
    Compared, ///< with another pointer
    Handed,   ///< to a call
    Returned,
  } how = Followed;
  /// On every path that leads here it was found not to be null, or was given
  /// something else in this body.
  bool isTested = false;
  uint32_t call = 0; ///< Handed: within Definition::calls
  uint32_t arg = 0;  ///< and the number of the argument
  Loc loc;
};

/// What one definition contributes: the body of a function or the initialiser
/// of a static variable. Everything that belongs to it is consecutive in the
/// vectors of Facts. This is the unit of merging: a definition in a header that
/// several translation units include is kept once. A function has several only
/// where several programs share a name; merge() joins their parameters and
/// results by Copy constraints after the last range.
struct Definition {
  /// A block, and where it declares things before it does anything.
  struct Head {
    Span block;        ///< from brace to brace
    uint32_t last = 0; ///< where the last of these declarations begins
    uint32_t statement =
        0; ///< where the first statement does, or the block ends
    bool operator==(const Head &) const = default;
  };
  Id function = None; ///< either this
  Id variable = None; ///< or this Global node
  Loc loc;
  std::vector<Id> params;
  Id variadic = None, result = None;
  bool isNoReturn = false;
  /// The first is where it returns, the last the entry; none where it ends
  /// nowhere else and calls no function but what the compiler knows.
  std::vector<Block> blocks;
  Span bodyStart;
  Span text; ///< of a function: from its first token to the closing brace
  Span body; ///< from brace to brace
  std::vector<Head> heads;            ///< of its blocks
  bool mixesCode = false;             ///< it has declarations after statements
  std::vector<ReturnedValue> answers; ///< in order
  /// What integers may be given otherwise than in a block: by an initialiser,
  /// or through the address of a member; and texts by an initialiser.
  std::vector<FlowWrite> otherWrites;
  std::vector<PointerUse> pointerUses;
  uint32_t lines = 0;
  Range nodes; ///< Local, Return, Temp and Literal
  Range constraints, calls, loops, stores, staticWrites, localWrites,
      addressUses, sizeofUses, gaps;
};

struct Facts {
  std::vector<File> files;
  std::vector<Type> types;
  std::vector<Record> records;
  std::vector<Field> fields;
  std::vector<Node> nodes;
  std::vector<Function> functions;
  std::vector<Constraint> constraints;
  std::vector<Call> calls;
  std::vector<Loop> loops;
  std::vector<StoreSite> stores;
  std::vector<StaticWrite> staticWrites;
  /// Of locals that are records or arrays; an initialiser writes the whole.
  std::vector<StaticWrite> localWrites;
  std::vector<AddressUse> addressUses;
  std::vector<SizeofUse> sizeofUses;
  std::vector<Gap> gaps; ///< those of definitions first, those of files last
  std::vector<Definition> definitions; ///< in the order of their ranges
  /// Main files of the translation units in here, in merge order.
  std::vector<Id> units;
};

/// Joins the facts of translation units into those of a program.
///
/// Entities with equal keys become one. Definitions of one entity at one place
/// that say the same are kept once (a header seen from two units); those that
/// differ, by #if or because two programs share a name, are all kept. Facts
/// that belong to no definition are dropped, except gaps of files. The result
/// is sorted canonically, hence independent of order and grouping: merge({a,
/// b}) == merge({b, a}) and merge({merge({a, b}), c}) == merge({a, merge({b,
/// c})}).
Facts merge(std::vector<Facts> parts);

/// One line per fact, for tests and for `--print facts`. Deterministic.
std::string dump(const Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_FACTS_H
