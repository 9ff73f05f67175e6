#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The moved interpreter on a simulated medium that loses power, and then goes on.

A small run is begun and killed; what it has kept is continued on the medium, which is cut before
a persistence primitive, at so many of them, evenly spread. From what each cut leaves the program
goes on, and all that was printed must be what an undisturbed run prints.

usage: scheme_power.py PORT LIBRARY CUTS [--fault]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(PROJECT, "examples", "scheme-port"))

import kill  # noqa: E402

BEFORE = 1300  # events of the run before: it has begun, and printed nothing


def build(port, library, folder):
    """As port.sh does, with the simulator besides."""
    runtime = os.path.join(PROJECT, "runtime")
    sim = os.path.join(PROJECT, "test", "runtime")
    program = os.path.join(folder, "power")
    subprocess.run(["cc", "-std=gnu11", "-O1", "-Wno-char-subscripts", "-DSTANDALONE=0", "-DUSE_MATH=1", "-DUSE_ASCII_NAMES=0", "-DSHOW_ERROR_LINE=0",
                    "-DCELL_NSEGMENT=200", f"-I{port}", f"-I{runtime}/include", f"-I{runtime}/src", f"-I{sim}", "-o", program,
                    os.path.join(HERE, "scheme_power.c"), *(os.path.join(sim, f"sim{part}.c") for part in ("", "_file", "_pmem")),
                    os.path.join(port, "scheme.c"), os.path.join(port, "main.c"), library, "-lpmemobj", "-ldl", "-pthread", "-lm"], check=True)
    return program


class Power:
    def __init__(self, port, library, fault, folder):
        self.port, self.fault, self.folder = port, fault, folder
        self.base, self.pool, self.left = (os.path.join(folder, name) for name in ("base", "pool", "left"))
        self.small, self.printed = os.path.join(folder, "small.scm"), os.path.join(folder, "printed")
        empty = os.path.join(folder, "empty.scm")
        for path, text in ((self.small, kill.SMALL), (empty, "")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.env = {"TINYSCHEMEINIT": empty, "NVM_SIZE": "16M", "NVM_MAX_SIZE": "16M", "NVM_DURABILITY": "power", "NVM_EPOCH_MS": "0",
                    "PATH": os.environ["PATH"]}
        self.cut_program, self.program = build(port, library, folder), os.path.join(port, "scheme")
        self.run(self.program, -9, NVM_POOL=self.base, NVM_CRASH_AT=str(BEFORE))

    def run(self, program, status, **env):
        with open(self.printed, "a", encoding="utf-8") as out:
            done = subprocess.run([program, self.small], env={**self.env, **env}, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != status:
            sys.exit(f"{program} {env}: ended with status {done.returncode} after a loss of power: {done.stderr}")
        return done.stderr

    def begin(self):
        shutil.copyfile(self.base, self.pool)
        for path in (self.left, self.printed):
            if os.path.exists(path):
                os.remove(path)

    def compare(self, expected, what):
        with open(self.printed, encoding="utf-8") as file:
            printed = file.read()
        if printed != expected:
            sys.exit(f"{what}: printed {printed!r} after a loss of power, where {expected!r} was expected")

    def all_cuts(self, wanted):
        expected = subprocess.run([os.path.join(self.port, "scheme-plain"), self.small], env=self.env, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.begin()
        count = int(re.search(r"(\d+) primitives", self.run(self.cut_program, 0, NVM_POOL=self.pool)).group(1))
        self.compare(expected, "not cut")
        cuts = [1 + i * count // wanted for i in range(wanted)] if wanted else range(1, count + 1)
        for cut in cuts:
            self.begin()
            fault = {"POWER_FAULT": "1"} if self.fault else {}
            self.run(self.cut_program, 7, NVM_POOL=self.pool, POWER_LEFT=self.left, POWER_CUT=str(cut), **fault)
            self.run(self.program, 0, NVM_POOL=self.left)
            self.compare(expected, f"cut before primitive {cut}")
        print(f"cut before {len(cuts)} of {count} primitives, printed as undisturbed")


def main():
    port, library, cuts = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory(prefix="scheme-power-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        Power(port, library, "--fault" in sys.argv[4:], folder).all_cuts(cuts)


if __name__ == "__main__":
    main()
