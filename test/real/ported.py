# ===- ported.py - A program moved from its source, run and killed --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What the tests of whole programs share: moving one, by its own build, and running it.

PROGRAM.json says where the source comes from (as for the corpus, fetch.py), what
loads, how it is built, and which findings to act on it has, each with what is done.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def run(command, tree, what):
    done = subprocess.run(command, cwd=tree, shell=isinstance(command, str), capture_output=True, text=True, check=False,
                          errors="replace")
    if done.returncode:
        sys.exit(f"error: {what} ended with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def move(program, options, folder):
    """The moved tree: a copy, patched and built again as its Makefile does it."""
    tree = os.path.join(folder, "tree")
    shutil.copytree(options.tree, tree, symlinks=True)
    if options.unmoved:
        run(program["make"], tree, program["make"])
        return tree
    out = os.path.join(folder, "out")
    command = [options.nvmove, "--load", program["load"], "--make", program["make"], "--out", out,
               *program.get("options", [])]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"error: nvmove ended with status {done.returncode}\n{done.stderr}")
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    act = sorted({f["id"] for f in report["findings"] if f["severity"] == "act"})
    if act != sorted(program.get("act", {})):
        sys.exit(f"error: to act on are {act}, and known {sorted(program.get('act', {}))}\n{done.stdout}")
    for patch in report["patches"]:
        path = os.path.join(out, "patches", patch["name"])
        run(["patch", "-p1", "--fuzz=0", "-i", path], report["patchRoot"], patch["name"])
    for command in program.get("clean", ["make clean"]):
        run(command, tree, command)
    command = f"{program['make']} {program.get('moved', 'CC=nvmove-cc')}"
    run(command, tree, command)
    return tree


class Process:
    """The program, with the pool in a folder."""

    def __init__(self, command, folder, **settings):
        environment = dict(os.environ, NVM_POOL=os.path.join(folder, "pool"), NVM_SIZE="64M")
        environment.update(settings.pop("env", {}))
        self.folder = folder
        with open(os.path.join(folder, "log"), "ab") as log:
            self.child = subprocess.Popen(command, env=environment, cwd=folder, stderr=log, **settings)

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        if self.child.wait() != -signal.SIGKILL:
            self.fail(f"it ended by itself with status {self.child.returncode}")

    def ends_well(self, timeout_s=60):
        try:
            status = self.child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            self.fail("it does not end")
        if status:
            self.fail(f"it ended with status {status}")

    def fail(self, text):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            tail = "".join("    | " + line for line in file.readlines()[-20:])
        raise AssertionError(f"{text}\n{tail}")


def wait_for(what, timeout_s, message):
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(message)


def main(test, description):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--program", required=True, help="its JSON file")
    parser.add_argument("--tree", required=True, help="unchanged source tree, configured")
    parser.add_argument("--unmoved", action="store_true", help="the program as it is, which must fail")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--keep", help="a folder that stays")
    options = parser.parse_args()
    with open(options.program, encoding="utf-8") as file:
        program = json.load(file)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        tree = move(program, options, folder)
        state = os.path.join(folder, "state")
        os.makedirs(state)
        test(os.path.join(tree, program["binary"]), state, options.kills, random.Random(options.seed))
