#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which room of the runtime calls which, as the linker sees it.

usage: rooms.py [--reversed] TOP NM OBJECT..

The objects are those of runtime/src/ROOM/FILE.c. Prints a line and exits 1
  - for each name that a room uses of one that stands after it in the table of
    rooms in docs/ARCHITECTURE.md, through whatever header it knows the name, and
  - for each internal name that the header of its own source does not declare.
With --reversed the table is read from its end, so that the check must fail.
"""

import os
import re
import subprocess
import sys

# engines.c lists the engines by the names of their tables.
ENGINE = re.compile(r"nvmi_engine_\w+")


def read_rooms(top):
    with open(os.path.join(top, "docs/ARCHITECTURE.md"), encoding="utf-8") as f:
        return re.findall(r"^\| runtime/src/(\w+) \|", f.read(), re.MULTILINE)


def read_object(nm, path):
    """Its source as ROOM/FILE.c, the names that it defines and those that it uses."""
    source = re.search(r"src/(\w+/\w+\.c)\.o", path.replace("\\", "/"))[1]
    defined, used = set(), set()
    lines = subprocess.run([nm, "-P", path], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        name, kind = line.split()[:2]
        if kind == "U":
            used.add(name)
        elif kind.isupper():
            defined.add(name)
    return source, defined, used


def main(arguments):
    rooms_reversed = "--reversed" in arguments
    top, nm, *objects = [a for a in arguments if a != "--reversed"]
    rooms = read_rooms(top)
    if rooms_reversed:
        rooms.reverse()
    read = [read_object(nm, o) for o in objects]
    home = {name: source for source, defined, _ in read for name in defined}
    wrong = [] if len(read) > len(rooms) > 5 else ["the rooms or the objects cannot be read"]
    for source, defined, used in read:
        room = source.partition("/")[0]
        for name in sorted(used & home.keys()):
            other = home[name].partition("/")[0]
            if rooms.index(other) > rooms.index(room):
                wrong.append(f"{source} uses {name} of {home[name]}, a room above it")
        header = os.path.join(top, "runtime/src", source[:-2] + ".h")
        declared = set()
        if os.path.exists(header):
            with open(header, encoding="utf-8") as f:
                declared = set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)))
        for name in sorted(defined - declared):
            if name.startswith("nvmi_") and not ENGINE.fullmatch(name):
                wrong.append(f"{source} defines {name}, which {source[:-2]}.h does not declare")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
