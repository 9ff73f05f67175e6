#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which room of the runtime calls which, as the linker sees it.

usage: rooms.py [--broken] TOP NM OBJECT..

The objects are those of runtime/src/ROOM/FILE.c. Prints a line and exits 1
  - for each name that a room uses of one that stands after it in the table of
    rooms in docs/ARCHITECTURE.md, through whatever header it knows the name, and
  - for each internal name that the header of its own source does not declare, and
  - for sources that use names of each other in a circle, within a room either.
With --broken the table is read from its end, headers are empty, and each use counts both ways,
so that each check must fail.
"""

import os
import re
import subprocess
import sys

# engines.c lists the engines by the names of their tables.
ENGINE = re.compile(r"nvmi_engine_\w+")


def read_rooms(top):
    with open(os.path.join(top, "docs/ARCHITECTURE.md"), encoding="utf-8") as f:
        rooms = f.read().partition("## Rooms")[2]
        return re.findall(r"^\| runtime/src/(\w+) \|", rooms, re.MULTILINE)


def read_objects(nm, objects):
    """For each source, as ROOM/FILE.c, the names that it defines and those that it uses."""
    lines = subprocess.run([nm, "-A", "-P", *objects], check=True, capture_output=True, text=True).stdout
    defined, used = {}, {}
    for path, name, kind in re.findall(r"^(.*\.o): (\S+) (\S)", lines, re.MULTILINE):
        source = re.search(r"src/(\w+/\w+\.c)\.o$", path)[1]
        defined.setdefault(source, set())
        used.setdefault(source, set())
        if kind == "U":
            used[source].add(name)
        elif kind.isupper():
            defined[source].add(name)
    return defined, used


def find_circle(calls):
    """Sources that call each other in a circle, or nothing."""
    left = {source: set(others) for source, others in calls.items()}
    while True:
        free = [source for source in left if not left[source] & left.keys()]
        if not free:
            return sorted(left)
        for source in free:
            del left[source]


def read_declared(header):
    if not os.path.exists(header):
        return set()
    with open(header, encoding="utf-8") as f:
        return set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)))


def main(arguments):
    broken = "--broken" in arguments
    top, nm, *objects = [a for a in arguments if a != "--broken"]
    rooms = read_rooms(top)
    if broken:
        rooms.reverse()
    defined, used = read_objects(nm, objects)
    home = {name: source for source in defined for name in defined[source]}
    wrong = [] if len(defined) > len(rooms) > 5 else ["the rooms or the objects cannot be read"]
    calls = {source: set() for source in defined}
    for source in defined:
        room = source.partition("/")[0]
        for name in sorted(used[source] & home.keys()):
            calls[source].add(home[name])
            if broken:
                calls[home[name]].add(source)
            other = home[name].partition("/")[0]
            if rooms.index(other) > rooms.index(room):
                wrong.append(f"{source} uses {name} of {home[name]}, a room above it")
        declared = set() if broken else read_declared(os.path.join(top, "runtime/src", source[:-2] + ".h"))
        for name in sorted(defined[source] - declared):
            if name.startswith("nvmi_") and not ENGINE.fullmatch(name):
                wrong.append(f"{source} defines {name}, which {source[:-2]}.h does not declare")
    circle = find_circle(calls)
    if circle:
        wrong.append("these use each other in a circle, or what does: " + ", ".join(circle))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
