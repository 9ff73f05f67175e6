# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first line of a source: the file's own name, and what is in it. A longer one is broken by clang-format."""

import re

HEADS = {"//": re.compile(r"//===- (\S+) - \S.* -*(?:\*- C\+\+ -\*-)? ?===//"),
         "/*": re.compile(r"/\*===- (\S+) - \S.* -*(?:\*- C -\*-)?===")}


def check_head(path, lines, report):
    first = lines[0] if lines else ""
    match = HEADS["/*" if first.startswith("/*") else "//"].fullmatch(first)
    if not match:
        report("error", path, 1, "the first line is to be '//===- NAME - WHAT IT IS ---===//', alone")
    elif not f"/{path}".endswith(f"/{match[1]}"):
        report("error", path, 1, f"the first line has the name {match[1]}")
    elif len(first) > 80:
        report("error", path, 1, "the first line has more than 80 columns")
