#!/usr/bin/env python3
# ===- suite_differences.py - Redis's own tests, here and there -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs Redis's whole own suite on the unchanged server and on moved ones, and names each test
that passes there and not here.

The suite ends at an error that is no failed comparison: then each unit is run alone. With `--cluster` its part of twenty servers, too.
A difference that stands in EXPECTED has its cause there; others, and complaints of the
runtime (a store that no hook announced), make the status 1.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
READ_FILES = ("integration/aof", "integration/rdb", "integration/convert-zipmap-hash-on-load")
FILE_IS_IDLE = "the server has its pool back, so it does not read the file that the test has put into its folder"
EXPECTED = {name: FILE_IS_IDLE for name in (
    "AOF+EXPIRE: List should be empty",
    "AOF+EXPIRE: Server should have been started",
    "AOF+SPOP: Server should have been started",
    "AOF+SPOP: Set should have 1 member",
    "Append a new command after loading an incomplete AOF",
    "Bad format: Server should have logged an error",
    "Executing test client: ERR value is not an integer or out of range",
    "Fixed AOF: Keyspace should contain values that were parseable",
    "Fixed AOF: Server should have been started",
    "RDB load zipmap hash: converts to hash table when hash-max-ziplist-entries is exceeded",
    "RDB load zipmap hash: converts to hash table when hash-max-ziplist-value is exceeded",
    "Redis should not try to convert DEL into EXPIREAT for EXPIRE -1",
    "Server should not start if RDB is corrupted",
    "Short read + command: Server should start",
    "Short read: Server should have logged an error",
    "Short read: Utility should be able to fix the AOF",
    "Short read: Utility should confirm the AOF is not valid",
    "Truncated AOF loaded: we expect foo to be equal to 5",
    "Truncated AOF loaded: we expect foo to be equal to 6 now",
    "Unfinished MULTI: Server should have logged an error",
)}


def units_of(tree):
    with open(os.path.join(tree, "tests", "test_helper.tcl"), encoding="utf-8") as file:
        return re.search(r"set ::all_tests \{(.*?)\}", file.read(), re.S).group(1).split()


class Suite:
    def __init__(self, tree, pool, env, say):
        self.tree, self.pool, self.say = tree, pool, say
        self.env = dict(os.environ, NVMOVE_SUITE_CLIENTS="16", **env)
        self.passed, self.failed, self.complaints = collections.Counter(), set(), []

    def run(self, units):
        """False when an error ended the suite."""
        with tempfile.NamedTemporaryFile("r", errors="replace") as output:
            options = ["--output", output.name] + ([] if self.pool else ["--no-pool"])
            done = subprocess.run([os.path.join(HERE, "redis-suite.sh"), *options, self.tree, *units], env=self.env,
                                  capture_output=True, text=True, errors="replace", check=False)
            lines = output.read().splitlines()
        ended = {match[1] for line in lines if (match := re.match(r"\[\d+/\d+ done\]: (\S+)", line))}
        if len(units) > 1 and ended != set(units):
            return False
        self.passed.update(line[6:] for line in lines if line.startswith("[ok]: "))
        self.failed |= {match[1] for line in lines if (match := re.match(r"\[(?:err|exception)\]: (.*)", line))}
        if "the runtime complained:" in done.stdout:
            self.complaints += done.stdout.split("the runtime complained:")[1].splitlines()[1:-1]
        return True

    def all(self, units, cluster):
        # The errors of moved servers are known to be in the last ones.
        batch = [unit for unit in units if unit not in READ_FILES]
        if len(batch) > 1 and self.run(batch):
            batch = []
        for unit in batch + [unit for unit in units if unit in READ_FILES] + (["cluster"] if cluster else []):
            self.say(unit)
            self.run([unit])
        return self


def differences(stock, moved):
    """(name, what was said) of each test that passes in the one and not in the other."""
    for name in sorted(stock.passed):
        if moved.passed[name] < stock.passed[name]:
            said = next((text for text in moved.failed if text.startswith(name)), "not come to: a test before it ended the unit")
            yield name, said
    for text in sorted(moved.failed):
        if not any(text.startswith(name) for name in stock.passed) and text not in stock.failed:
            yield text, "ended the unit"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stock", required=True, help="the unchanged Redis, built")
    parser.add_argument("--port", required=True, help="the moved one, built")
    parser.add_argument("--audit", help="the moved one, built by nvmove-cc --audit")
    parser.add_argument("--engines", default="redo,undo", help="(redo,undo)")
    parser.add_argument("--cluster", action="store_true", help="also the part of twenty servers, three minutes each time")
    parser.add_argument("units", nargs="*", help="(all)")
    options = parser.parse_args()
    units = options.units or units_of(options.stock)

    def say(text):
        print(f"  {text}", file=sys.stderr, flush=True)

    runs = [("the original", options.stock, {}, False)]
    runs += [(f"moved, {engine}", options.port, {"NVM_ENGINE": engine}, True) for engine in options.engines.split(",") if engine]
    # The proof of FILE_IS_IDLE: each start has a pool of its own, and takes the file over.
    runs += [("moved, each start with a new pool", options.port, {"NVMOVE_SUITE_POOL": "new"}, True)]
    runs += [("moved, audit", options.audit, {"NVM_SIZE": "128M"}, True)] if options.audit else []
    stock, status = None, 0
    for name, tree, env, pool in runs:
        say(name)
        new = "NVMOVE_SUITE_POOL" in env
        suite = Suite(tree, pool, env, say).all([unit for unit in units if not new or unit in READ_FILES],
                                                options.cluster and not new and not name.endswith("audit"))
        print(f"{name}: {sum(suite.passed.values())} tests passed", flush=True)
        stock = stock or suite
        for test, said in differences(stock, suite):
            if new and (test not in EXPECTED or suite.passed[test]):
                continue
            cause = None if new else next((cause for known, cause in EXPECTED.items() if test.startswith(known)), None)
            status |= cause is None
            print(f"  {test}\n      {cause or 'UNEXPECTED: ' + said}")
        for complaint in suite.complaints:
            status = 1
            print(f"  UNEXPECTED: {complaint}")
    return status


if __name__ == "__main__":
    sys.exit(main())
