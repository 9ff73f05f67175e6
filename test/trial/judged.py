#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: judged.py [--write] [--only NAME,..] NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY PAGE

The judge judged: nvmove trial of each program in rules/, moved with all rules of the analysis, and with each of the rules that
its head names switched off. With all rules nothing is lost. Without one something is, and the trial says so. The table on PAGE
says what, one row for each rule; --write writes it there, and without it the page must have it. One program is moved without each of
all rules, too: nvmove does not rely on one that is off, and says that it is.

The head of a program is comments:

    // What it is, in a line.
    //
    // rules: findRoots ..        those that are switched off, one at a time
    // answer: --keep edits       what is typed when nvmove asks, with all rules
    // told: cut-update           nvmove cannot mend it, and says so: the trial finds the loss with all rules, too, and names that
    // points: 8                  kills of each kind; 3 by default
    // varies: ..                 why the values that differ are others in each run
    // state: 5 7                 the file that it loads
    // input: add 3, show         the lines that it gets
"""

import argparse
import concurrent.futures
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- made by test/trial/judged.py -->\n", "<!-- end -->\n"
POINTS = "3"
ADVICE = 60  # so much of it is shown
EACH = "workers.c"  # is moved without each of the rules, one at a time


class Wrong(Exception):
    pass


def heads(path):
    """What the head of a program says: key -> text; "": what it is."""
    with open(path, encoding="utf-8") as file:
        lines = [line[3:].strip() for line in file.read().split("\n#", 1)[0].splitlines()]
    return {"": lines[0]} | {key: text for key, _, text in (line.partition(": ") for line in lines[2:]) if text}


def run(*command, cwd, codes, given=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith("NVM")} | {"NO_COLOR": "1"}
    result = subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, check=False, timeout=300, env=env)
    if result.returncode not in codes:
        raise Wrong(f"{' '.join(command)}: {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result


class Moved:
    """A program, moved with these options, and its trial."""

    def __init__(self, path, head, tools, *options):
        name = os.path.basename(path)
        with tempfile.TemporaryDirectory(prefix="nvmove-judged-") as folder:
            def write(file, text):
                with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                    out.write(text)

            with open(path, encoding="utf-8") as file:
                write(name, file.read())
            write("state", head["state"] + "\n")
            write("input", "".join(line.strip() + "\n" for line in head["input"].split(",")))
            run(tools.nvmove, "--load", "load", "--no-cache", *options, name, cwd=folder, codes=(0, 4))
            with open(os.path.join(folder, "nvmove-out/report.json"), encoding="utf-8") as file:
                self.findings = json.load(file)["findings"]
            for patch in sorted(glob.glob(os.path.join(folder, "nvmove-out/patches/*.patch"))):
                with open(patch, encoding="utf-8") as file:
                    run("patch", "-sp1", "--fuzz=0", cwd=folder, codes=(0,), given=file.read())
            run("gcc", "-g", "-O1", "-I", tools.include, name, "-o", "program", tools.library, "-lpmemobj", "-ldl", "-lpthread",
                cwd=folder, codes=(0,))
            trial = run(tools.nvmove, "trial", "--input", "input", "--points", head.get("points", POINTS), "--", "./program", cwd=folder, codes=(0, 1, 3))
            self.code, self.text = trial.returncode, trial.stdout + trial.stderr

    def acts(self):
        return sorted({f["id"] for f in self.findings if f["severity"] == "act"})


def after(text, heading, lines=1):
    """The first lines below a heading of the trial."""
    found = re.search(rf"^{heading}.*\n((?:  .*\n)+)", text, re.MULTILINE)
    return [line.strip() for line in found[1].splitlines()][:lines] if found else []


def shown(text):
    """As the table has it: without numbers that other changes of nvmove change."""
    text = re.sub(r" \(event \d+\)", "", re.sub(r"\(and \d+ other places?\)", "(and others)", text))
    return f"`{text.strip()}`".replace("|", "\\|")


def row(rule, path, head, moved):
    """The line of the table. Raises Wrong where the trial finds nothing."""
    name = os.path.basename(path)
    loss = after(moved.text, "lost:")
    if moved.code != 3 or not loss:
        raise Wrong(f"{name} without {rule}: the trial finds no loss\n{moved.text}nvmove: {', '.join(moved.acts()) or 'nothing to act on'}")
    said = after(moved.text, "what has another value", 2)
    if len(said) == 2 and not said[1].startswith("->"):
        del said[1]
    if len(said) == 2 and len(said[1]) > ADVICE:
        said[1] = said[1][:ADVICE].rsplit(" ", 1)[0] + " .."
    if "varies" in head:
        said[0] = re.match(r"[^:]*:\d+: \w+:", said[0])[0] + " .."
    itself = "act: " + ", ".join(f"`{a}`" for a in moved.acts()) if moved.acts() else "nothing to act on"
    if not moved.acts() and not re.search(r"\[[\w-]+\]$", said[0] if said else "") and "nvmove did not say so: please report it" not in moved.text:
        raise Wrong(f"{name} without {rule}: the trial does not say that nvmove should have said it\n{moved.text}")
    return (f"| `{rule}` | [{name}](../../test/trial/rules/{name}) | {shown(loss[0])} | "
            f"{'<br>'.join(shown(s) for s in said) or 'no memory differs'} | {itself} |")


def judge(path, tools):
    """The rows of a program: (whether the rule only tells, the line). Raises Wrong where the trial is."""
    head = heads(path)
    name, told = os.path.basename(path), head.get("told")
    right = Moved(path, head, tools, *head.get("answer", "").split())
    if told and (right.code != 3 or f"[{told}]" not in right.text):
        raise Wrong(f"{name}: the trial does not say {told}: {right.acts()}\n{right.text}")
    if not told and (right.code or right.acts() or "does it matter?" in right.text):
        raise Wrong(f"{name}: with all rules: {right.acts()}\n{right.text}")
    rows = []
    for rule in head["rules"].split():
        lame = Moved(path, head, tools, "--without-rule", rule)
        if told and any(f["id"] == told for f in lame.findings):
            raise Wrong(f"{name}: {told} is there without {rule}, too")
        rows.append((bool(told), row(rule, path, head, lame)))
    return rows


def leave_out(rule, path, tools):
    """Raises Wrong if nvmove ends otherwise than it should without a rule, whichever it is."""
    with tempfile.TemporaryDirectory(prefix="nvmove-judged-") as folder:
        told = run(tools.nvmove, "--load", "load", "--no-cache", "--without-rule", rule, "--out", os.path.join(folder, "out"), path,
                   cwd=folder, codes=(0, 4))
    if f"the rule {rule} did not run" not in told.stdout:
        raise Wrong(f"without {rule}: the report does not say so\n{told.stdout}")


HEAD = "| rule | program | lost without it | what has another value then, and what to type | nvmove itself |\n|---|---|---|---|---|\n"


def tables(rows):
    def table(only_tells):
        return HEAD + "".join(sorted(line + "\n" for tells, line in rows if tells == only_tells))

    return (f"\n## Rules that prevent a loss\n\n{table(False)}\n## Rules that tell of one\n\n"
            f"With these, too, it is lost: nvmove says so, and the trial names the finding.\n\n{table(True)}\n")


def compare(page, made, write):
    with open(page, encoding="utf-8") as file:
        before, rest = file.read().split(BEGIN, 1)
    old, behind = rest.split(END, 1)
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + made + END + behind)
    elif old != made:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), made.splitlines(True), "on the page", "now"))
        sys.exit(f"{page} is not what the trial says now: test/trial/judged.py --write")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    for name in ("nvmove", "include", "library", "page"):
        parser.add_argument(name, type=os.path.abspath)
    options = parser.parse_args()
    programs = sorted(glob.glob(os.path.join(HERE, "rules", "*.c")))
    if options.only:
        programs = [p for p in programs if os.path.basename(p)[:-2] in options.only.split(",")]
    with open(os.path.join(HERE, "../../passes/solve/Findings.def"), encoding="utf-8") as file:
        rules = re.findall(r"^(?:RULE|CHECK)\((\w+),", file.read(), re.MULTILINE)
    rows, wrong = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = [pool.submit(judge, path, options) for path in programs]
        if not options.only:
            judged += [pool.submit(leave_out, rule, os.path.join(HERE, "rules", EACH), options) for rule in rules]
        for done in judged:
            try:
                rows += done.result() or []
            except Wrong as e:
                wrong += 1
                print(e, flush=True)
    if wrong:
        sys.exit(f"the judge is wrong {wrong} times")
    print(f"{len(programs)} programs, {len(rows)} rules switched off one at a time: the trial finds each loss, and none with all rules")
    if options.only:
        print(tables(rows))
    else:
        compare(options.page, tables(rows), options.write)


if __name__ == "__main__":
    main()
