#!/usr/bin/env python3
# ===- compile_commands.py - What make would compile, without compiling --------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: make -nwk ... | compile_commands.py > compile_commands.json

Reads the commands that `make --dry-run --print-directory` prints and writes those
that compile a C file as a compilation database.
"""

import json
import os
import re
import shlex
import sys

ENTER = re.compile(r"make(?:\[\d+\])?: (Entering|Leaving) directory '(.*)'")


def main():
    folders, commands, pending = [os.getcwd()], [], ""
    for line in sys.stdin:
        line = pending + line.rstrip("\n")
        pending = line[:-1] + " " if line.endswith("\\") else ""
        if pending:
            continue
        match = ENTER.match(line)
        if match:
            if match[1] == "Entering":
                folders.append(match[2])
            elif len(folders) > 1:
                folders.pop()
            continue
        if " -c " not in line or ".c" not in line:
            continue
        try:
            words = shlex.split(line.split("&&")[0].split(";")[0])
        except ValueError:
            continue  # shell code, no plain command
        sources = [w for w in words[1:] if w.endswith(".c")]
        if words and re.search(r"(cc|gcc|clang)(-\d+)?$", words[0]) and len(sources) == 1:
            commands.append({"directory": folders[-1], "file": sources[0], "arguments": words})
    if not commands:
        sys.exit("compile_commands.py: error: make compiles no C file")
    json.dump(commands, sys.stdout, indent=0)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
