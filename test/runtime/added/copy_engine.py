#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds an engine as CONTRIBUTING.md says, beside the tree.

usage: copy_engine.py ENGINES FOLDER

ENGINES is runtime/src/engines. Writes to FOLDER copied.c, which is undo.c under another name and
number, and engines.c with one line more.
"""

import os
import re
import sys

NUMBER = 4711  # no pool but those of this test has it


def replaced(text, *pairs):
    for pattern, by in pairs:
        text, count = re.subn(pattern, by, text)
        if count != 1:
            sys.exit(f"copy_engine.py: error: {pattern} is there {count} times")
    return text


def main(engines, folder):
    def read(name):
        with open(os.path.join(engines, name), encoding="utf-8") as f:
            return f.read()

    made = {"copied.c": replaced(read("undo.c"), (r"\bnvmi_engine_undo\b", "nvmi_engine_copied"), (r'\.name = "undo"', '.name = "copied"'),
                                 (r"\.number = \d+", f".number = {NUMBER}")),
            "engines.c": replaced(read("engines.c"), (r"( *)ENGINE\(undo\)( *)\\\n", r"\g<0>\1ENGINE(copied) \\\n"))}
    os.makedirs(folder, exist_ok=True)
    for name, text in made.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
