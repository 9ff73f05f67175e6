#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page of memory is lost in a step: all threads go on from the last good state, in one process.

usage: fluid_lost.py PLAIN-FOLDER LAYOUT MOVED-PROGRAM
"""

import os
import signal
import subprocess
import sys
import tempfile

STEPS, LOST = 30, 13


def lose(command, env, files):
    """Ends as the undisturbed run; the process that was started is the one that ends."""
    with subprocess.Popen([*command, "-p", str(STEPS), *files], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out, errors = process.communicate()
    steps = [int(line.split()[1]) for line in out.splitlines() if line.startswith("step ")]
    if process.returncode != 0 or errors.count("memory is lost") != 1 or out.count("ready ") != 2:
        sys.exit(f"{command}: status {process.returncode}: {out} {errors}")
    if steps != list(range(1, STEPS + 1)):
        sys.exit(f"{command}: steps are told twice, or not at all: {steps}")


def lose_again(program, first, out):
    """Twice in the first step: the process ends, for it would lose memory for ever."""
    with subprocess.Popen([program, "-p", "2", first, out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(2):
            if process.stdout.readline() != "ready 0\n":
                sys.exit("not ready again")
            os.kill(process.pid, signal.SIGBUS)
        errors = process.communicate()[1]
    if process.returncode != 1 or "[memory-lost]" not in errors or os.path.exists(out):
        sys.exit(f"lost twice: status {process.returncode}: {errors}")


def main():
    folder, layout, moved = sys.argv[1:]
    plain = os.path.join(folder, f"fluid-{layout}")
    env = {key: value for key, value in os.environ.items() if not key.startswith(("NVM_", "FLUID_"))}
    with tempfile.TemporaryDirectory() as work:
        def path(name):
            return os.path.join(work, name)

        for side, name in ((12, "first"), (48, "large")):
            subprocess.run([os.path.join(folder, "fluid-make"), str(side), path(name)], check=True)
        subprocess.run([plain, str(STEPS), path("first"), path("expected")], check=True, env=env)
        for name, command, more in (
                ("files", [plain, "-l", str(LOST), "-c", path("files")], {}),
                ("backup", [plain + "-backup", "-l", str(LOST), "-c", path("backup")], {}),
                ("redo", [moved, "-l", str(LOST)], {"NVM_ENGINE": "redo"}),
                # In place of a hole its pages are the medium's own.
                ("versions", [moved, "-L", str(LOST)], {"NVM_ENGINE": "versions", "NVM_EPOCH_MS": "0"})):
            if more:
                more["NVM_POOL"] = path(f"pool-{name}")
            for threads in ("1", "3"):
                lose([*command, "-t", threads], {**env, **more}, [path("first"), path("out")])
                with open(path("expected"), "rb") as expected, open(path("out"), "rb") as out:
                    if expected.read() != out.read():
                        sys.exit(f"{name}: other bits")
                for kept in os.listdir(work):
                    if kept not in ("first", "large", "expected"):
                        os.remove(path(kept))
        lose_again(plain, path("large"), path("out"))
    print("lost and found")


if __name__ == "__main__":
    main()
