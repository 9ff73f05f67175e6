#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input: one message with an id, nothing written, nothing changed.

usage: fluid_refusals.py FOLDER-OF-THE-PROGRAMS FLUID-BLOCKS-AS-MOVED
"""

import os
import subprocess
import sys
import tempfile

HEAD = 65536
HEAD_WORDS, SUM = 8007, 48  # of struct state_head: all, and where its sum is


def changed(data, at):
    return data[:at] + bytes([data[at] ^ 64]) + data[at + 1:]


def of_a_rank(data):
    """As a rank among others writes it: the head says so, and its sum is right."""
    head = bytearray(data[:HEAD_WORDS * 8])
    head[32], head[SUM:SUM + 8] = 1, bytes(8)
    result = 2
    for at in range(0, len(head), 8):
        result ^= int.from_bytes(head[at:at + 8], "little")
        result = ((result << 29 | result >> 35) & (2 ** 64 - 1)) * 0x9e3779b97f4a7c15 & (2 ** 64 - 1)
    head[SUM:SUM + 8] = result.to_bytes(8, "little")
    return bytes(head) + data[len(head):]


def contents(folder):
    result = {}
    for name in os.listdir(folder):
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as file:
                result[name] = file.read()
    return result


class Refusals:
    def __init__(self, folder, moved, work):
        self.folder, self.moved, self.work, self.count = folder, moved, work, 0

    def write(self, name, data):
        with open(os.path.join(self.work, name), "wb") as file:
            file.write(data)

    def expect(self, words, *arguments, layout="blocks", status=1, program=None):
        before = contents(self.work)
        done = subprocess.run([program or os.path.join(self.folder, f"fluid-{layout}"), *arguments], cwd=self.work, capture_output=True, text=True)
        if done.returncode != status or words not in done.stderr or "fluid: error: " not in done.stderr:
            sys.exit(f"{arguments}: status {done.returncode}, '{words}' is wanted: {done.stderr}")
        if contents(self.work) != before:
            sys.exit(f"{arguments}: files were changed")
        self.count += 1

    def expect_of_a_run(self):
        """What was kept by another run: of another first state, or of one that went on for longer."""
        subprocess.run([os.path.join(self.folder, "fluid-make"), "9", "other"], cwd=self.work, check=True)
        for layout, moved in (("list", False), ("blocks", False), ("blocks", True)):
            program = os.path.join(self.folder, f"fluid-{layout}")
            kept = ["-c", f"kept-{layout}"]
            if moved:
                program, kept = self.moved, []
                os.environ["NVM_POOL"] = os.path.join(self.work, "pools", "pool")
                os.mkdir(os.path.join(self.work, "pools"))
            subprocess.run([program, *kept, "5", "good", "kept-out"], cwd=self.work, check=True)
            self.expect("[other-run]", *kept, "5", "other", "out", program=program)
            self.expect("[other-run]", *kept, "4", "good", "out", program=program)
            self.expect("No such file", *kept, "5", "missing", "out", program=program)
            for going, out in ((kept, "kept-out"), ([], "out-at-once")):
                subprocess.run([program, *going, "6", "good", out], cwd=self.work, check=True)
                os.environ.pop("NVM_POOL", None)
            if contents(self.work)["kept-out"] != contents(self.work)["out-at-once"]:
                sys.exit(f"{layout}: it does not go on as before")

    def run(self):
        subprocess.run([os.path.join(self.folder, "fluid-make"), "8", "good"], cwd=self.work, check=True)
        good = contents(self.work)["good"]
        subprocess.run([os.path.join(self.folder, "fluid-list"), "3", "good", "by-cell"], cwd=self.work, check=True)
        for name, data, words in (
                ("empty", b"", "[state-foreign]"), ("foreign", b"x" * len(good), "[state-foreign]"),
                ("count", changed(good, 20), "[state-damaged]"), ("sums", changed(good, 60), "[state-damaged]"),
                ("particle", changed(good, HEAD + 401), "[state-damaged]"), ("last", changed(good, len(good) - 8), "[state-damaged]"),
                ("rank", of_a_rank(good), "[state-rank]"), ("short", good[:-1], "[state-damaged]"), ("long", good + b"x", "[state-damaged]")):
            self.write(name, data)
            for layout in ("list", "array", "blocks"):
                self.expect(words, "5", name, "out", layout=layout)
        self.expect("[state-order]", "5", "by-cell", "out")
        self.expect("No such file", "5", "missing", "out")
        self.expect("No such file", "1", "good", "missing/out")
        os.mkdir(os.path.join(self.work, "folder"))
        self.expect("Is a directory", "1", "good", "folder")
        self.expect("a number from", "many", "good", "out", status=2)
        self.expect("a number from", "-t", "0", "5", "good", "out", status=2)
        self.expect("are wanted", "5", "good", status=2)
        self.write("mine.0", b"my own file")
        self.expect("[state-foreign]", "-c", "mine", "5", "good", "out")
        self.write("half.0", b"")
        self.write("half.1", changed(good, HEAD + 1))
        self.expect("[state-damaged]", "-c", "half", "5", "good", "out")
        self.expect_of_a_run()
        print(f"{self.count} refused, all files as they were")


def main():
    with tempfile.TemporaryDirectory() as work:
        Refusals(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), work).run()


if __name__ == "__main__":
    main()
