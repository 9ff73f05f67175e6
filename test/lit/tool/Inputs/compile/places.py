# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""places.py PROGRAM FUNCTION ..: where the program's debug information says that each function begins, and the line that stands there."""

import os
import subprocess
import sys

program, *functions = sys.argv[1:]
addresses = {}
for line in subprocess.check_output(["nm", program], text=True).splitlines():
    *address, _, name = line.split()
    if address:
        addresses[name] = address[0]
for function in functions:
    place = subprocess.check_output(["addr2line", "-e", program, addresses[function]], text=True).split()[0]
    file, line = place.rsplit(":", 1)
    with open(file, encoding="utf-8") as source:
        print(f"{os.path.basename(file)}: {source.read().splitlines()[int(line) - 1]}")
