//===- Containers.cpp - Where the records lie that roots lead through -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record that each start makes, and of which the load restores some fields,
// may be a block of its own: then all of the block is such records, and the
// runtime counts them (NVM_ROOT_ARRAY). It may as well be cut from an arena, or
// be a member of something larger: then nothing may be said of what lies behind
// it, and only the fields of that one record are kept, by value.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ContainerInBlock)

using namespace nvmove;

namespace {

using ContainersParts = View<FinalStatics>;

class ContainerFinder {
public:
  explicit ContainerFinder(const ContainersParts &a)
      : p_(a.context.program), f_(p_.facts), a_(a.context.allocators),
        flow_(a.context.flow), restored_(a.statics.restored()),
        out_(a.findings) {}

  void run() {
    restored_.changeRoots([&](Root &root) {
      if (root.kept() && root.container != None && !root.keepsValues &&
          isBehindPointer(root))
        place(root);
    });
  }

private:
  using Token = FieldFlow::Token;

  bool isBehindPointer(const Root &root) const {
    return p_.isPointer(p_.element(root.slotType));
  }

  const FieldFlow::Set &heldBy(const Root &root) const {
    return flow_.inSlot(root.variable, root.fields);
  }

  void place(Root &root) {
    std::string part = partOf(root);
    if (part.empty())
      return;
    if (!root.hasElements && !isFreed(root)) {
      root.keepsValues = true;
      return;
    }
    root.notKept = "in memory that is not a block of its own";
    out_.report(
        {FindingId::ContainerInBlock, f_.nodes[root.variable].loc, None,
         root.path + " is not kept: " + f_.records[root.container].spelling +
             " is in " + part + ", " +
             (root.hasElements
                  ? "and how many there are is not known"
                  : "which is freed, while the pointer may still be set")});
  }

  /// What larger thing the record may lie in; "" where it is a block.
  std::string partOf(const Root &root) const {
    for (unsigned t : heldBy(root)) {
      const Token &token = flow_.tokens()[t];
      if (token.kind == Token::Site) {
        const Allocators::Site &site = a_.sites()[token.ref];
        const Call &c = f_.calls[site.call];
        if (c.callee != None && a_.isCarving(c.callee))
          return "what " + f_.functions[c.callee].name +
                 "() cuts from larger blocks";
        if (!llvm::is_contained(site.records, root.container))
          return "a block that is allocated at " + p_.describe(c.loc);
      } else if (token.kind == Token::Inside && token.ref != root.container &&
                 p_.contains(token.ref, root.container)) {
        return f_.records[token.ref].spelling;
      } else if (token.kind == Token::Static) {
        return f_.nodes[token.ref].name;
      }
    }
    return "";
  }

  bool isFreed(const Root &root) const {
    auto held = heldBy(root);
    return llvm::any_of(f_.calls, [&](const Call &c) {
      if (!p_.isLibrary(c, LibraryFunction::Free) || c.args.empty() ||
          c.args[0] == None)
        return false;
      for (unsigned t : flow_.atNode(c.args[0]))
        if (flow_.tokens()[t].kind == Token::Site && held.test(t))
          return true;
      return false;
    });
  }

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const FieldFlow &flow_;
  RestoredSet &restored_;
  FindingList &out_;
};

} // namespace

namespace nvmove {

void findContainers(ContainersParts a) { ContainerFinder(a).run(); }

} // namespace nvmove
