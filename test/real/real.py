#!/usr/bin/env python3
# ===- real.py - Real programs, moved blind, killed again and again ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Moves the program of PROGRAM.json, and kills it at random moments.

PROGRAM.json says how the program is moved and built; PROGRAM.py has a Driver,
which starts it, gives it work, and compares what it has kept with a model.
"""

import argparse
import contextlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))


class Program:
    """What runs, in a folder of its own, with a pool."""

    def __init__(self, command, folder):
        self.command, self.folder, self.process = command, folder, None

    def start(self, *more, **streams):
        """`streams` are those of Popen() in the place of none, and the log."""
        environment = dict(os.environ, NVM_POOL=os.path.join(self.folder, "pool"), NVM_SIZE="128M")
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([*self.command, *more], cwd=self.folder, env=environment, stderr=log,
                                            **{"stdin": subprocess.DEVNULL, "stdout": log, **streams})

    def close(self):
        """The streams that start() has opened; what they still hold is for nobody."""
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if stream:
                    stream.close()

    def is_running(self):
        return self.process.poll() is None

    def send_kill(self):
        self.process.send_signal(signal.SIGKILL)

    def expect_killed(self):
        if self.process.wait() != -signal.SIGKILL:
            self.fail(f"the program ended by itself with status {self.process.returncode}")

    def expect_end(self, seconds=60):
        try:
            if self.process.wait(seconds) != 0:
                self.fail(f"the program ended with status {self.process.returncode}")
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.fail(f"the program does not end within {seconds} s")

    def until(self, what, condition, seconds=60):
        """Waits for it, as long as the program runs."""
        deadline = time.monotonic() + seconds
        while not condition():
            if not self.is_running():
                self.fail(f"the program ended with status {self.process.returncode}: {what}")
            if time.monotonic() > deadline:
                self.fail(f"not within {seconds} s: {what}")
            time.sleep(0.002)

    def fail(self, text):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            tail = "".join("    | " + line for line in file.readlines()[-20:])
        raise AssertionError(f"{text}\n{tail}")


def pkg_config(what):
    return subprocess.run(["pkg-config", what, "nvmove"], capture_output=True, text=True, check=True).stdout.strip()


def apply(patches, tree):
    for patch in patches:
        result = subprocess.run(["patch", "-p1", "--fuzz=0", "-i", os.path.join(HERE, patch)], cwd=tree,
                                capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"real.py: error: {patch} does not apply\n{result.stdout}")


def move(program, nvmove, tree, folder):
    """Patches the tree by what nvmove writes, and by what its findings to act on say: before, or behind it."""
    apply(program.get("prepare", []), tree)
    out = os.path.join(folder, "out")
    result = subprocess.run([nvmove, *program["move"], "--out", out], cwd=tree, capture_output=True, text=True,
                            check=False)
    if result.returncode not in (0, 4):
        sys.exit(f"real.py: error: nvmove ended with status {result.returncode}\n{result.stderr}")
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    act = sorted({finding["id"] for finding in report["findings"] if finding["severity"] == "act"})
    if act != sorted(program["act"]):
        sys.exit(f"real.py: error: to act on: {act}, expected: {program['act']}")
    missing = set(program.get("check", [])) - {finding["id"] for finding in report["findings"]}
    if missing:
        sys.exit(f"real.py: error: not reported: {sorted(missing)}")
    patches = [os.path.join(out, "patches", patch["name"]) for patch in report["patches"]]
    apply(patches + program.get("by_hand", []), tree)


def build(program, options, folder):
    """The path of the program."""
    tree = os.path.join(folder, "tree")
    shutil.copytree(options.tree, tree, symlinks=True)
    if not options.unmoved:
        move(program, options.nvmove, tree, folder)
    compiler = "cc" if options.unmoved else "nvmove-cc"
    environment = dict(os.environ, NVM_CFLAGS=pkg_config("--cflags"), NVM_LIBS=pkg_config("--libs"), NVM_CC=compiler)
    made = subprocess.run(program["make"], shell=True, cwd=tree, env=environment, capture_output=True, text=True,
                          check=False)
    if made.returncode:
        sys.exit(f"real.py: error: the program cannot be built\n{made.stdout[-3000:]}{made.stderr[-3000:]}")
    return os.path.join(tree, program["program"])


def crash(driver, options, chance):
    """Starts, works until it is killed, and looks what is there."""
    for _ in range(options.kills):
        driver.start()
        end = threading.Event()
        timer = threading.Timer(chance.uniform(0.05, 0.8), lambda: (end.set(), driver.program.send_kill()))
        timer.start()
        try:
            while not end.is_set():
                driver.work(end)
        except (OSError, EOFError):
            pass  # it is no longer there
        timer.join()
        driver.program.expect_killed()
        driver.check()
    if driver.acknowledged < options.kills:
        raise AssertionError(f"no more than {driver.acknowledged} times has the program acknowledged anything")
    print(f"{options.kills} kills: {driver.summary()}, nothing lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    parser.add_argument("--unmoved", action="store_true", help="the program as it is, which must fail")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("program", help="its JSON file")
    options = parser.parse_args()
    with open(options.program, encoding="utf-8") as file:
        program = json.load(file)
    if not os.path.isdir(options.tree):
        print("real.py: skipped: the source is not there")
        sys.exit(77)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would have the whole pool
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        binary = build(program, options, folder)
        run = os.path.join(folder, "run")
        os.mkdir(run)
        driver = importlib.import_module(program["app"]).Driver(binary, run, chance)
        try:
            crash(driver, options, chance)
        finally:
            if driver.program.process and driver.program.is_running():
                driver.program.process.kill()


if __name__ == "__main__":
    main()
