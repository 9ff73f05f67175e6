#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: views.py SOURCE COMPILER [OPTION ..]

Compiles the source. The compiler refuses each line that ends in
`// refused: TEXT` with an error that has TEXT in it, and no other line.
"""

import os
import re
import subprocess
import sys


def main(source, *command):
    with open(source, encoding="utf-8") as file:
        wanted = {number: match[1] for number, line in enumerate(file, 1)
                  if (match := re.search(r"// refused: (.*)$", line.rstrip()))}
    run = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True,
                         env=os.environ | {"LC_ALL": "C"})
    found = re.findall(rf"^{re.escape(source)}:(\d+):\d+: error: (.*)$", run.stderr, re.MULTILINE)
    wrong = [f"{source}:{line}: {text}" for line, text in found if int(line) not in wanted]
    for line, text in wanted.items():
        if not any(int(at) == line and text in error for at, error in found):
            wrong.append(f"{source}:{line}: not refused with '{text}'")
    if not wanted or wrong:
        sys.exit("\n".join(wrong) or "no line is marked" + run.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
