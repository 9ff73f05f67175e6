//===- AssemblyOperands.cpp - What assembly writes by operands ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/AssemblyOperands.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace nvmove;
using llvm::StringRef;

namespace {

/// Begins the place of an operand in the text; its number follows, from '0' on.
constexpr char Mark = '\1';

/// An instruction's name, without the size of what it works on.
struct Mnemonic {
  enum Effect : uint8_t {
    Unknown,
    Reads,      ///< only registers are written
    WritesLast, ///< its last operand
    WritesAll,  ///< xchg: each of them
    WritesBit,  ///< of the memory from its last operand on: bts
  } effect = Unknown;
  unsigned bytes = 0; ///< that it writes; 0: as many as its operands have
};

/// Nothing is here that writes memory which is no operand of it, as movsb and
/// push do.
Mnemonic::Effect effectOf(StringRef name) {
  static const llvm::StringSet<> last = {
      "mov", "add", "sub",     "adc", "sbb", "and",   "or",
      "xor", "not", "neg",     "inc", "dec", "shl",   "shr",
      "sal", "sar", "cmpxchg", "rol", "ror", "movnti"};
  static const llvm::StringSet<> reads = {
      "cmp",    "test",   "lea",    "bt",    "bswap",  "bsf",  "bsr",
      "imul",   "popcnt", "lzcnt",  "tzcnt", "pause",  "nop",  "lock",
      "mfence", "lfence", "sfence", "rdtsc", "rdtscp", "cpuid"};
  static const llvm::StringSet<> bits = {"bts", "btr", "btc"};
  return name == "xchg" || name == "xadd" ? Mnemonic::WritesAll
         : last.contains(name)            ? Mnemonic::WritesLast
         : reads.contains(name)           ? Mnemonic::Reads
         : bits.contains(name)            ? Mnemonic::WritesBit
                                          : Mnemonic::Unknown;
}

Mnemonic mnemonic(StringRef name) {
  if (name == "cmpxchg8b" || name == "cmpxchg16b")
    return {Mnemonic::WritesLast, name == "cmpxchg8b" ? 8u : 16u};
  if (name.starts_with("set"))
    return {Mnemonic::WritesLast, 1};
  if (name.starts_with("j") || name.starts_with("cmov") ||
      name.starts_with("movz"))
    return {Mnemonic::Reads};
  if (Mnemonic::Effect effect = effectOf(name))
    return {effect};
  constexpr StringRef sizes = "bwlq";
  size_t size = name.empty() ? StringRef::npos : sizes.find(name.back());
  if (size == StringRef::npos)
    return {};
  return {effectOf(name.drop_back()), 1u << size};
}

/// Part of an instruction, between commas that are in no parentheses.
llvm::SmallVector<StringRef, 4> operandsOf(StringRef text) {
  llvm::SmallVector<StringRef, 4> result;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += (c == '(') - (c == ')');
    if (c != ',' || depth > 0)
      continue;
    if (StringRef one = text.slice(begin, i).trim(); !one.empty())
      result.push_back(one);
    begin = i + 1;
  }
  return result;
}

class AssemblyReader {
public:
  AssemblyReader(const ASTContext &ast, const GCCAsmStmt *s)
      : ast_(ast), s_(s) {}

  /// Nothing is left that could write anything else.
  bool read();
  AssemblyWrites writes;

private:
  bool spell();
  bool instruction(StringRef text);
  bool operand(StringRef text, const Mnemonic &name, bool isWritten,
               unsigned bytes);
  bool writesInput(unsigned number);
  bool writesBehind(unsigned number, unsigned bytes);

  bool isInput(unsigned number) const {
    return number >= s_->getNumOutputs() &&
           number < s_->getNumOutputs() + s_->getNumInputs();
  }
  const Expr *input(unsigned number) const {
    return s_->getInputExpr(number - s_->getNumOutputs());
  }
  StringRef constraint(unsigned number) const {
    return isInput(number)
               ? s_->getInputConstraint(number - s_->getNumOutputs())
               : s_->getOutputConstraint(number);
  }
  /// It is never a register, nor a constant.
  bool isMemory(unsigned number) const {
    return constraint(number).find_first_not_of("moV=+&%") == StringRef::npos;
  }
  unsigned bytesOf(StringRef operand) const;

  const ASTContext &ast_;
  const GCCAsmStmt *s_;
  std::string text_; ///< of all instructions, with marks for the operands
};

/// The operand's number; nullopt where the text is more than one operand.
std::optional<unsigned> numberOf(StringRef text) {
  if (text.size() != 2 || text[0] != Mark)
    return std::nullopt;
  return text[1] - '0';
}

bool AssemblyReader::spell() {
  llvm::SmallVector<GCCAsmStmt::AsmStringPiece, 8> pieces;
  unsigned offset = 0;
  if (s_->AnalyzeAsmString(pieces, ast_, offset))
    return false;
  for (const GCCAsmStmt::AsmStringPiece &piece : pieces) {
    if (piece.isString()) {
      text_ += piece.getString();
      continue;
    }
    // %b1 is the lowest byte of a register; %a1 and others are no operands as
    // they stand.
    const char as = piece.getModifier();
    if (as && !StringRef("bwkq").contains(as))
      return false;
    text_ += Mark;
    text_ += char('0' + piece.getOperandNo());
  }
  return true;
}

bool AssemblyReader::read() {
  if (!ast_.getTargetInfo().getTriple().isX86() || s_->isAsmGoto() || !spell())
    return false;
  llvm::SmallVector<StringRef> lines;
  llvm::SplitString(text_, lines, "\n;");
  return llvm::all_of(lines,
                      [&](StringRef line) { return instruction(line.trim()); });
}

unsigned AssemblyReader::bytesOf(StringRef operand) const {
  std::optional<unsigned> number = numberOf(operand);
  if (!number)
    return operand.starts_with("%") ? sizeof(uint64_t) : 0;
  const Expr *e = isInput(*number)
                      ? input(*number)
                      : s_->getOutputExpr(std::min(
                            *number, std::max(s_->getNumOutputs(), 1u) - 1));
  return ast_.getTypeSizeInChars(e->getType()).getQuantity();
}

bool AssemblyReader::instruction(StringRef text) {
  if (size_t colon = text.find(':'); colon != StringRef::npos) { // a label
    if (text.take_front(colon).contains('%'))
      return false;
    text = text.drop_front(colon + 1).trim();
  }
  text.consume_front("lock ");
  auto [name, rest] = text.trim().split(' ');
  if (size_t tab = name.find('\t'); tab != StringRef::npos)
    std::tie(name, rest) = text.trim().split('\t');
  if (name.empty())
    return true;
  const Mnemonic known = mnemonic(name);
  llvm::SmallVector<StringRef, 4> operands = operandsOf(rest);
  if (known.effect == Mnemonic::Unknown)
    return false;
  if (name.starts_with("j")) // through a register or memory: anywhere
    return !rest.contains('*');
  // A bit's number in a register may lead anywhere.
  if (known.effect == Mnemonic::WritesBit &&
      (operands.empty() || !operands[0].starts_with("$")))
    return false;
  unsigned bytes = known.bytes;
  if (!bytes)
    for (StringRef one : operands)
      bytes = std::max(bytes, bytesOf(one));
  for (size_t i = 0; i < operands.size(); ++i)
    if (!operand(
            operands[i], known,
            known.effect == Mnemonic::WritesAll ||
                (known.effect != Mnemonic::Reads && i + 1 == operands.size()),
            bytes ? bytes : sizeof(uint64_t)))
      return false;
  return true;
}

bool AssemblyReader::operand(StringRef text, const Mnemonic &name,
                             bool isWritten, unsigned bytes) {
  if (!isWritten ||
      (text.starts_with("%") && !text.contains('(') && !text.contains(':')))
    return true;
  if (std::optional<unsigned> number = numberOf(text))
    return !isInput(*number) || writesInput(*number);
  if (text.consume_front("(") && text.consume_back(")"))
    if (std::optional<unsigned> number = numberOf(text))
      return name.effect != Mnemonic::WritesBit && writesBehind(*number, bytes);
  return false;
}

bool AssemblyReader::writesInput(unsigned number) {
  const Expr *e = input(number);
  if (isMemory(number) && !llvm::is_contained(writes.inMemory, e))
    writes.inMemory.push_back(e);
  return true; // what may be a register must not be written
}

bool AssemblyReader::writesBehind(unsigned number, unsigned bytes) {
  if (!isInput(number) || isMemory(number) ||
      llvm::any_of(constraint(number), llvm::isDigit))
    return false;
  const Expr *e = input(number);
  QualType to = e->getType()->getPointeeType();
  if (to.isNull() || !to->isScalarType() ||
      ast_.getTypeSizeInChars(to).getQuantity() < int64_t(bytes))
    return false;
  if (!llvm::is_contained(writes.behind, e))
    writes.behind.push_back(e);
  return true;
}

} // namespace

std::optional<AssemblyWrites> nvmove::writtenByInputs(const ASTContext &ast,
                                                      const GCCAsmStmt *s) {
  AssemblyReader reader(ast, s);
  if (s->isSimple() || !reader.read())
    return std::nullopt;
  return std::move(reader.writes);
}
