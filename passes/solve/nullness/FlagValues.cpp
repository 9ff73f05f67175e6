//===- FlagValues.cpp - Integers that say what has happened ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/FlagValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

FlagValues::FlagValues(const Program &program, const Allocators &allocators,
                       const FieldFlow &flow, const EventLoop &loop,
                       const ProgramPhases &phases)
    : p_(program), f_(program.facts), a_(allocators), flow_(flow), loop_(loop),
      phases_(phases) {
  findCandidates();
}

bool FlagValues::DefinitionIndex::add(const FlowWrite &w) {
  if (anything)
    return false;
  switch (w.how) {
  case FlowWrite::Through:
  case FlowWrite::Anything:
    return anything = true;
  case FlowWrite::Constant:
    if (!combined) {
      if (llvm::is_contained(constants, w.value))
        return false;
      bits |= w.value;
      constants.push_back(w.value);
      combined = constants.size() > 32;
      return true;
    }
    break;
  case FlowWrite::SetsBits:
  case FlowWrite::ClearsBits:
    break;
  }
  uint64_t more = w.how == FlowWrite::ClearsBits ? 0 : w.value & ~bits;
  bool any = more || !combined;
  bits |= more;
  combined = true;
  return any;
}

/// Each test by itself: two may be of different objects, or of one before and
/// after a change.
bool FlagValues::DefinitionIndex::allow(const FlagTest &test) const {
  if (anything)
    return true;
  if (!combined)
    return llvm::any_of(constants, [&](uint64_t v) {
      return ((v & test.mask) == test.value) == test.equal;
    });
  return test.equal ? !(test.value & ~bits)
                    : test.value != 0 || (test.mask & bits);
}

void FlagValues::findCandidates() {
  auto consider = [&](Id variable, Id field) {
    if (field == None && (f_.nodes[variable].kind != NodeKind::Global ||
                          p_.isPointer(f_.nodes[variable].type)))
      return;
    values_.try_emplace(flagOf(variable, field));
  };
  for (const Call &c : f_.calls)
    for (const FlagTest &t : c.flags)
      consider(t.variable, t.field);
  for (const Definition &d : f_.definitions)
    for (const Block &b : d.blocks)
      if (b.tested != None || b.testedField != None)
        consider(b.tested, b.testedField);
  findBytes();
  IdSet initialised;
  for (const Definition &d : f_.definitions)
    if (d.variable != None)
      for (const FlowWrite &w : d.otherWrites) {
        auto at = values_.find(flagOf(w.variable, w.field));
        if (at == values_.end())
          continue;
        at->second.add(w);
        if (w.field == None)
          initialised.insert(at->first);
        if (!w.isZero())
          setAtStart_.insert(at->first);
      }
  IdSet inUnions;
  for (Id r = 0; r < f_.records.size(); ++r)
    if (f_.records[r].isUnion)
      for (Id inner : p_.nested(r))
        inUnions.insert(inner);
  std::vector<Id> gone;
  for (auto &[flag, values] : values_) {
    if (!initialised.contains(flag))
      values.add({None, None, FlowWrite::Constant, 0});
    bool counts = false;
    if (!isField(flag)) {
      const Node &n = f_.nodes[flag];
      counts = n.isDefined && !n.isThreadLocal &&
               (!p_.isAddressTaken(flag) || isText(flag));
    } else {
      Id record = recordOf(flag);
      counts = p_.isProgramRecord(record) && !inUnions.contains(record) &&
               llvm::none_of(overwritten_,
                             [&](Id r) { return p_.contains(r, record); });
    }
    if (!counts)
      gone.push_back(flag);
  }
  for (Id flag : gone)
    values_.erase(flag);
  findTexts();
}

/// Memory with contents that the program did not put there.
static bool givesItsOwn(llvm::StringRef function) {
  return hasTrait(function, LibraryFunction::OwnContents) ||
         readsFiles(function) || mayReadFiles(function);
}

/// Records whose members are written by what does not name them.
void FlagValues::findBytes() {
  auto isBytes = [&](Id node) {
    Id to = p_.element(p_.pointee(f_.nodes[node].type));
    return to != None && p_.kind(to) != TypeKind::Record &&
           p_.kind(to) != TypeKind::Pointer &&
           p_.kind(to) != TypeKind::Function;
  };
  auto recordBehind = [&](Id node) {
    return node == None ? None : p_.pointeeRecord(f_.nodes[node].type);
  };
  // Where a pointer to bytes may come from, and what becomes of it; what is
  // made of what a function allocates that fills it. Behind the nodes stand the
  // fields.
  using Edges = IdMap<llvm::SmallVector<Id, 2>>;
  Edges from, into, givenBack;
  auto copy = [&](Id to, Id source) {
    if (to == None || source == None)
      return;
    if (to >= f_.nodes.size() || isBytes(to))
      from[to].push_back(source);
    if (source >= f_.nodes.size() || isBytes(source))
      into[source].push_back(to);
  };
  auto fieldBehind = [&](Id address) -> Id {
    Id d = f_.nodes[address].kind == NodeKind::Temp ? p_.definition(address)
                                                    : None;
    return d != None && f_.constraints[d].flow == Flow::Member &&
                   p_.isPointer(f_.fields[f_.constraints[d].extra].type) &&
                   p_.pointeeRecord(f_.fields[f_.constraints[d].extra].type) ==
                       None
               ? flagOf(None, f_.constraints[d].extra)
               : None;
  };
  std::vector<Id> bytes, zeros, given, input;
  auto written = [&](Id address, std::vector<Id> &by) {
    if (address == None)
      return;
    if (isBytes(address) || recordBehind(address) != None)
      by.push_back(address);
  };
  for (const Constraint &c : f_.constraints) {
    switch (c.flow) {
    case Flow::Cast:
      if (Id a = recordBehind(c.src), b = recordBehind(c.dst);
          a != None && b != None &&
          ((!p_.contains(a, b) && !p_.contains(b, a)) ||
           !p_.isProgramRecord(a))) {
        overwritten_.insert(a);
        overwritten_.insert(b);
      }
      [[fallthrough]];
    case Flow::Copy:
    case Flow::Index:
    case Flow::Arith:
      copy(c.dst, c.src);
      break;
    case Flow::Load:
      copy(c.dst, fieldBehind(c.src));
      break;
    case Flow::Store:
      copy(fieldBehind(c.dst), c.src);
      break;
    case Flow::CopyMemory:
      if (recordBehind(c.src) == None ||
          recordBehind(c.src) != recordBehind(c.dst))
        written(c.dst, bytes);
      break;
    case Flow::AddressOf: // char header[64]
      if (isBytes(c.dst)) {
        from[c.dst].push_back(c.src);
        into[c.src].push_back(c.dst);
      }
      break;
    case Flow::Member:
      break;
    }
  }
  for (const StoreSite &s : f_.stores)
    if (s.address != None && isBytes(s.address))
      bytes.push_back(s.address);
  for (Id k = 0; k < f_.calls.size(); ++k) {
    const Call &c = f_.calls[k];
    for (Id callee : flow_.callees(k)) {
      const Function &fn = f_.functions[callee];
      for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i)
        copy(fn.params[i], c.args[i]);
      if (!a_.allocates(c)) // each has memory of its own
        copy(c.result, fn.result);
      else if (fn.result != None && c.result != None && isBytes(fn.result))
        givenBack[fn.result].push_back(c.result);
    }
    if (c.callee == None || f_.functions[c.callee].hasBody)
      continue;
    const Function &fn = f_.functions[c.callee];
    const LibraryFunction *l = p_.library(c);
    llvm::StringRef name = fn.name;
    if (c.result != None &&
        (p_.mapsFile(c, c.callee) ||
         (!a_.allocates(c) &&
          (givesItsOwn(name) || recordBehind(c.result) != None))))
      given.push_back(c.result);
    // One of the program's own that was not given.
    bool isMissing = fn.loc.file != None && f_.files[fn.loc.file].editable;
    if (p_.clears(c)) {
      if (!c.args.empty() && recordBehind(c.args[0]) == None)
        written(c.args[0], zeros);
    } else if (l && l->destination >= 0 && l->kind != LibraryFunction::Output) {
      const bool copies = l->lines == LineEffect::Copies;
      for (size_t i = l->destination; i < c.args.size() && !copies; ++i)
        if (i == size_t(l->destination) || l->isInput())
          written(c.args[i], l->isInput() ? input : bytes);
    } else if (!l) {
      // What is told how large the record is may fill it.
      for (size_t i = 0; i < c.args.size(); ++i)
        if (Id r = recordBehind(c.args[i]); r != None && !c.argIsReadOnly[i])
          if (isMissing || llvm::is_contained(c.sizeofRecords, r))
            bytes.push_back(c.args[i]);
    }
  }
  auto trace = [&](std::vector<Id> work, llvm::ArrayRef<const Edges *> along,
                   IdSet &records) {
    std::vector<Id> visited;
    IdSet seen;
    while (!work.empty()) {
      Id n = work.back();
      work.pop_back();
      if (!seen.insert(n).second)
        continue;
      visited.push_back(n);
      if (n < f_.nodes.size())
        if (Id r = recordBehind(n); r != None) {
          records.insert(r);
          continue;
        }
      for (const Edges *edges : along)
        if (auto at = edges->find(n); at != edges->end())
          work.insert(work.end(), at->second.begin(), at->second.end());
    }
    return visited;
  };
  // read(fd, bytes, n); header = (struct header *)bytes;
  auto origins = [&](std::vector<Id> &bytes) {
    std::vector<Id> result = trace(std::move(bytes), {&from}, overwritten_);
    llvm::erase_if(result, [&](Id n) {
      return n < f_.nodes.size() && recordBehind(n) != None;
    });
    return result;
  };
  trace(origins(bytes), {&into}, overwritten_);
  // header = (struct header *)slurp(path);
  llvm::append_range(given, origins(input));
  trace(std::move(given), {&into, &givenBack}, overwritten_);
  trace(std::move(zeros), {&from}, cleared_);
}

/// What writes flags in a function before the load has ended.
void FlagValues::forEachWrite(
    Id function, const Early &early,
    llvm::function_ref<void(const FlowWrite &)> visit) const {
  bool goesOn =
      loop_.startUp.contains(function) && !early.loading.contains(function);
  for (const Definition *d : p_.definitionsOf(function)) {
    llvm::for_each(d->otherWrites, visit);
    // What leads to the load writes others after it.
    std::vector<bool> ahead(d->blocks.size(), !goesOn);
    auto isLate = [&](uint32_t call) {
      return early.late.contains(d->calls.begin + call);
    };
    for (bool changed = goesOn; changed;) {
      changed = false;
      for (size_t b = 0; b < ahead.size(); ++b) {
        const Block &block = d->blocks[b];
        bool is = llvm::any_of(block.successors, [&](uint32_t s) {
          return ahead[s] || !llvm::all_of(d->blocks[s].calls, isLate);
        });
        changed |= is != ahead[b];
        ahead[b] = is;
      }
    }
    for (size_t b = 0; b < ahead.size(); ++b) {
      const Block &block = d->blocks[b];
      for (const FlowWrite &w : block.writes)
        if (ahead[b] ||
            !llvm::all_of(llvm::drop_begin(block.calls, w.calls), isLate))
          visit(w);
    }
  }
}

bool FlagValues::addValues(const Early &early) {
  bool any = false;
  auto add = [&](const FlowWrite &w) {
    if (auto at = values_.find(flagOf(w.variable, w.field));
        at != values_.end())
      any |= at->second.add(w);
  };
  auto addOf = [&](const IdSet &functions) {
    for (Id fn : functions)
      forEachWrite(fn, early, add);
  };
  addOf(early.functions);
  addOf(early.others);
  for (const StaticWrite &w : f_.staticWrites) // where there is no graph
    if (w.path.empty() && w.function != None &&
        (early.functions.contains(w.function) ||
         early.others.contains(w.function)) &&
        (f_.functions[w.function].hasInlineAsm ||
         llvm::any_of(p_.definitionsOf(w.function),
                      [](const Definition *d) { return d->blocks.empty(); })))
      add({w.variable});
  any |= addTexts(early);
  if (any)
    answers_.clear();
  return any;
}

bool FlagValues::keepBack(Id call) const {
  if (answers_.empty())
    answers_.resize(f_.calls.size(), Unknown);
  Answer &answer = answers_[call];
  if (answer == Unknown)
    answer = isKeptBack(call) ? Yes : No;
  return answer == Yes;
}

bool FlagValues::isKeptBack(Id call) const {
  return keptBack_.contains(call) ||
         llvm::any_of(f_.calls[call].flags, [&](const FlagTest &t) {
           auto at = values_.find(flagOf(t.variable, t.field));
           return at != values_.end() && !at->second.allow(t);
         });
}
