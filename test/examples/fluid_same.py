#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulation gives the same bits for each layout, number of threads and interruption.

usage: fluid_same.py FOLDER (of the programs)
"""

import os
import subprocess
import sys
import tempfile

HEAD, PARTICLE = 65536, 40


def particles(path):
    """By number, which is the last word of each: a list's own order is by cell."""
    with open(path, "rb") as file:
        data = file.read()[HEAD:]
    return sorted((data[at:at + PARTICLE] for at in range(0, len(data), PARTICLE)), key=lambda p: int.from_bytes(p[36:], "little"))


def main():
    folder = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        first, middle, out = (os.path.join(work, name) for name in ("first", "middle", "out"))

        def run(layout, threads, steps, from_, to):
            subprocess.run([os.path.join(folder, f"fluid-{layout}"), "-t", str(threads), str(steps), from_, to], check=True)

        subprocess.run([os.path.join(folder, "fluid-make"), "12", first], check=True)
        run("list", 1, 40, first, out)
        expected = particles(out)
        if expected == particles(first):
            sys.exit("nothing has moved")
        for layout in ("list", "array", "blocks"):
            for threads in (1, 2, 5, 64):
                run(layout, threads, 17, first, middle)
                run(layout, threads, 40, middle, out)
                if particles(out) != expected:
                    sys.exit(f"{layout}, {threads} threads: other bits")
    print("the same to the bit")


if __name__ == "__main__":
    main()
