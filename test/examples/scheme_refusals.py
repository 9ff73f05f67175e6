#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The moved interpreter: bad input gives one message with an id, and leaves a pool as it was.

usage: scheme_refusals.py PORT
"""

import os
import subprocess
import sys
import tempfile


def contents(path):
    with open(path, "rb") as file:
        return file.read()


class Interpreter:
    def __init__(self, port, folder):
        self.port, self.folder, self.pool = port, folder, os.path.join(folder, "pool")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, *names, **env):
        env = {**os.environ, "TINYSCHEMEINIT": os.path.join(self.port, "init.scm"), "NVM_SIZE": "16M",
               "NVM_MAX_SIZE": "64M", "NVM_POOL": self.pool, **env}
        return subprocess.run([os.path.join(self.port, "scheme"), *names], cwd=self.folder, env=env, text=True,
                              capture_output=True, check=False)

    def run_into(self, out, mode, name, **env):
        """As a shell does it: > or >>. Its status, and what it says."""
        with open(os.path.join(self.folder, out), mode, encoding="utf-8") as file:
            env = {**os.environ, "TINYSCHEMEINIT": os.path.join(self.port, "init.scm"), "NVM_SIZE": "16M",
                   "NVM_MAX_SIZE": "64M", "NVM_POOL": self.pool, **env}
            done = subprocess.run([os.path.join(self.port, "scheme"), name], cwd=self.folder, env=env, text=True,
                                  stdout=file, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stderr

    def output_refused(self, message_id, out, name, text):
        status, said = self.run_into(out, "a", name)
        if status != 2 or f"[{message_id}]" not in said or contents(os.path.join(self.folder, out)).decode() != text:
            sys.exit(f"{out}: status {status}, [{message_id}] is wanted: {said}")

    def refuses(self, message_id, status, *names, **env):
        before = contents(self.pool) if message_id.startswith("pool-") else None
        done = self.run(*names, **env)
        messages = [line for line in done.stderr.splitlines() if "error: " in line]
        if done.returncode != status or len(messages) != 1 or not messages[0].endswith(f"[{message_id}]") or done.stdout:
            sys.exit(f"{names} {env}: status {done.returncode}, [{message_id}] is wanted: {done.stdout}{done.stderr}")
        if message_id.startswith("pool-") and contents(self.pool) != before:
            sys.exit(f"{names} {env}: the pool has changed")

    def prints(self, text, status, *names, **env):
        done = self.run(*names, **env)
        if done.returncode != status or done.stdout != text:
            sys.exit(f"{names}: status {done.returncode}, printed {done.stdout!r}, where {text!r} was expected: {done.stderr}")


def output(scheme):
    """What it has printed to a file, and the pool, are of one run, or it does not go on."""
    line = "0123456789\n"
    scheme.write("lines.scm", f'(define (f n) (if (< n 300) (begin (display "{line[:-1]}") (newline) (f (+ n 1))))) (f 0)')
    scheme.write("printed", "half a li")
    scheme.output_refused("scheme-output-before", "printed", "lines.scm", "half a li")
    scheme.write("printed", "")
    before = ""
    while len(before) < len(line * 3):
        status, said = scheme.run_into("printed", "a", "lines.scm", NVM_CRASH_AT="100000")
        before = contents(os.path.join(scheme.folder, "printed")).decode()
        if status != -9 or len(before) >= len(line * 298):
            sys.exit(f"it was to be killed in the midst: status {status}, {before!r}, {said}")
    for text in (before[:-20], "", before + line * 10):
        scheme.write("printed", text)
        scheme.output_refused("scheme-output-changed", "printed", "lines.scm", text)
    scheme.write("printed", before)
    status, said = scheme.run_into("printed", "a", "lines.scm")
    if status != 0 or contents(os.path.join(scheme.folder, "printed")).decode() != line * 300:
        sys.exit(f"it does not go on: status {status}, {said}")
    scheme.write("printed", "")  # it has nothing more to print
    if scheme.run_into("printed", "a", "lines.scm")[0] != 0:
        sys.exit("a run that has ended does not end again")
    os.remove(scheme.pool)


def main():
    with tempfile.TemporaryDirectory(prefix="scheme-refusals-") as folder:
        scheme = Interpreter(os.path.abspath(sys.argv[1]), folder)
        scheme.write("seven.scm", '(display (* 1 7)) (newline)')
        scheme.write("wrong.scm", '(display "before") (newline) (car 1)')
        # A run that does not begin leaves no state: the pool is taken by the next one.
        scheme.refuses("scheme-input", 2, "missing.scm")
        scheme.refuses("scheme-input", 2, "seven.scm", "missing.scm")
        scheme.refuses("scheme-input", 2, "seven.scm", TINYSCHEMEINIT="missing.scm")
        for count in ("0", "-1", "many", "", "1000001", "3x"):
            scheme.refuses("scheme-operations", 2, "seven.scm", SCHEME_OPERATIONS=count)
        scheme.prints("7\n", 0, "seven.scm")
        # It has printed all, and ends as it did then.
        scheme.refuses("scheme-other-run", 2, "wrong.scm")
        scheme.refuses("scheme-other-run", 2)
        scheme.prints("", 0, "seven.scm")
        os.remove(scheme.pool)
        wrong = "before\nError: car: argument 1 must be: pair \n"
        scheme.prints(wrong, 255, "wrong.scm")
        scheme.prints("", 255, "wrong.scm")
        scheme.prints(wrong, 255, "wrong.scm", NVM_POOL="")
        os.remove(scheme.pool)
        output(scheme)
        # More cells in a row than there can be: it ends, in a pool for good.
        scheme.write("large.scm", "(make-vector 1000000)")
        scheme.refuses("scheme-memory", 2, "large.scm", NVM_POOL="")
        scheme.refuses("scheme-memory", 2, "large.scm")
        scheme.prints("", 2, "large.scm")
        # Another file in the pool's place.
        scheme.write("pool", "not a pool")
        scheme.refuses("pool-foreign", 78, "seven.scm")
    print("all refused, and nothing changed")


if __name__ == "__main__":
    main()
