#!/usr/bin/env python3
# ===- commits.py - Programs whose sections wait for the next output ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs `nvmove --commit-at-output` on a tree, by its truth file. Fails where sections
commit at their ends all the same, and says why they do."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from truth import sources


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    options = parser.parse_args()
    with open(options.truth, encoding="utf-8") as file:
        truth = json.load(file)
    build = truth.get("build", {})
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        command = [options.nvmove, "--load", ",".join(truth["load"]), "--commit-at-output", "--analyze-only",
                   "--out", out, *sources(build.get("sources") or ["src/*.c"], options.tree)]
        if build.get("flags"):
            command += ["--", *build["flags"]]
        result = subprocess.run(command, cwd=options.tree, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"commits.py: error: nvmove ended with status {result.returncode}\n{result.stderr}")
        with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
    if report["commitsAtOutput"]:
        return 0
    for finding in report["findings"]:
        if finding["id"] == "commit-at-output":
            print(finding["what"])
    return 1


if __name__ == "__main__":
    sys.exit(main())
