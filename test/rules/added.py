#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: added.py TOP WORK-FOLDER COMPILER [OPTION ..]

- scripts/add-rule, in a copy of the folders that it writes to: the source that it
  writes compiles, takes the parts that its row declares, and stands where the
  order of the table is right; the documentation has the finding, and the test
  has its id. Two of one name are refused.
- The example of a rule in CONTRIBUTING.md: the same, as it is printed.
"""

import os
import re
import shutil
import subprocess
import sys

TABLE = "passes/solve/Findings.def"
# A rule that takes other parts than its row declares does not compile here.
FIT = """
#undef CHECK
#define READS(...) void(__VA_ARGS__)
#define WRITES(...) void(__VA_ARGS__)
#define CHECK(function, room, reads, writes, ...) \\
  static_assert(std::is_same_v<decltype(function), void(ViewOfRow<reads, writes>::Type)>);
"""
ORDER = """
#include "passes/solve/RuleOrder.h"
using namespace nvmove;
static_assert(faultIn(DeclaredParts, DeclaredOrders, DeclaredRules).kind == OrderFault::Kind::None);
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def rows(text):
    return re.findall(r"^CHECK\(.*?\)$", text, re.MULTILINE | re.DOTALL)


def copied(top, work):
    shutil.rmtree(work, ignore_errors=True)
    for path in (TABLE, "docs/diagnostics.md", "scripts/add-rule", "scripts/diagnostics"):
        os.makedirs(os.path.join(work, os.path.dirname(path)), exist_ok=True)
        shutil.copy(os.path.join(top, path), os.path.join(work, path))
    os.makedirs(os.path.join(work, "passes/solve/startup"))


def example(top):
    """The source and the row that CONTRIBUTING.md shows, without their indent."""
    section = read(top, "CONTRIBUTING.md").split("## A rule of the analysis\n")[1].split("\n## ")[0]
    blocks = re.findall(r"(?:^ {7}.*\n|^\n(?= {7}))+", section, re.MULTILINE)
    texts = [re.sub(r"^ {7}", "", block, flags=re.MULTILINE) for block in blocks]
    return (next(t for t in texts if "#include" in t), next(t for t in texts if t.lstrip().startswith("CHECK(")).strip())


def main(top, work, *compiler):
    def run(*command):
        return subprocess.run(command, cwd=work, capture_output=True, text=True)

    def compiles(text, name):
        write(text, work, name)
        made = run(*compiler, f"-I{work}", f"-I{top}", "-fsyntax-only", name)
        if made.returncode:
            sys.exit(f"{name}:\n{made.stderr}")

    copied(top, work)
    add = ("scripts/add-rule", "startup", "rule-of-test")
    said = run(*add)
    if said.returncode:
        sys.exit(said.stderr)
    if not run(*add).returncode:
        sys.exit("scripts/add-rule writes a second rule of one name")
    if run("scripts/diagnostics", "--check").returncode or "`rule-of-test`" not in read(work, "docs/diagnostics.md"):
        sys.exit("docs/diagnostics.md has no row of the rule")
    if "rule-of-test" not in read(work, "test/lit/solve/startup/RuleOfTest-found.c"):
        sys.exit("the test of the rule does not meet its finding")
    source, row = example(top)
    table = read(work, TABLE)
    added = next(r for r in rows(table) if '"rule-of-test"' in r)
    write(table.replace(added, added + "\n" + row), work, TABLE)
    compiles(read(work, "passes/solve/startup/RuleOfTest.cpp") + source + FIT +
             "namespace nvmove {\n" + added + "\n" + row + "\n}\n", "rules.cpp")
    compiles(ORDER, "order.cpp")


if __name__ == "__main__":
    main(*sys.argv[1:])
