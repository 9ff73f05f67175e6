#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: completion.py NVMOVE SOURCE-DIR

Compares what the command takes with what bash and zsh complete and what the man
page describes. Prints one line for each difference.
"""

import os
import re
import subprocess
import sys

NVMOVE, TOP = sys.argv[1:]
VERBS = ("run", "explain", "verify", "collect", "link", "trial")
BASH = """
source "$1"; shift
compopt() { :; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_nvmove
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What the completion gives to zsh's own functions.
ZSH = """
file=$1; shift
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- "${(@P)2}" }
_files() { print files }
words=("$@"); CURRENT=$#
complete() { source $file }
complete
"""


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout.split("\n")


def bash(*words):
    return [w for w in lines("bash", "-c", BASH, "bash", f"{TOP}/tool/completion/nvmove.bash", "nvmove", *words) if w]


def zsh(*words):
    return [w for w in lines("zsh", "-f", "-c", ZSH, "zsh", f"{TOP}/tool/completion/_nvmove", "nvmove", *words) if w]


def called(verb):
    return [] if verb == "run" else [verb]


def takes(verb, option):
    command = [NVMOVE, *called(verb), option]
    said = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL).stderr
    return "unknown option" not in said and "is not an option of" not in said


def compare(what, given, expected):
    for name in sorted(given - expected):
        print(f"{what}: {name} is not taken")
    for name in sorted(expected - given):
        print(f"{what}: {name} is missing")


def main():
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(
        line for line in lines(NVMOVE, "--help") if line.startswith("  -"))))
    assert len(known) > 20, known
    for verb in VERBS:
        taken = {option for option in known if takes(verb, option)}
        given = {word.rstrip("=") for word in bash(*called(verb), "-")} - {"--"}
        compare(f"bash: {verb}", given, taken)
        specs = zsh(*called(verb), "-")
        given = {option for spec in specs for option in re.findall(r"^(?:\([^)]*\)|\*)*(--?[a-z-]+)", spec)}
        compare(f"zsh: {verb}", {option.rstrip("-") for option in given}, taken)

    with open(f"{TOP}/docs/man/nvmove.1", encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    options = page.partition(".SH OPTIONS")[2].partition(".SH EXIT")[0]
    compare("nvmove.1", {o for o in known if re.search(rf"^\.BI? .*(?<![\w-]){o}(?![\w-])|^\.BR .*(?<![\w-]){o}(?![\w-])",
                                                       options, re.MULTILINE)}, known)
    with open(f"{TOP}/tool/main.cpp", encoding="utf-8") as file:
        codes = set(re.findall(r"= (\d+)", re.search(r"enum ExitCode : int \{(.*?)\}", file.read(), re.DOTALL)[1]))
    status = page.partition(".SH EXIT STATUS")[2].partition(".SH ENV")[0]
    compare("nvmove.1: exit status", set(re.findall(r"^\.B (\d+)$", status, re.MULTILINE)), codes)

    os.makedirs("dir", exist_ok=True)
    for name in ("a.c", "a.h", "a.facts"):
        open(name, "w", encoding="utf-8").close()
    verbs = {"explain", "verify", "collect", "link", "trial"}
    compare("bash: verbs", set(bash("")), verbs | {"a.c", "dir"})
    compare("bash: verify", set(bash("verify", "")), {"a.c", "a.facts", "dir"})
    compare("bash: link", set(bash("link", "")), {"a.facts", "dir"})
    compare("bash: flags", set(bash("verify", "--", "a.h")), {"a.h"})
    compare("bash: --print", set(bash("--print", "f")), {"fields", "facts"})
    compare("bash: --algorithm=", set(bash("--algorithm", "=", "w")), {"worklist"})
    compare("bash: --out", set(bash("--out", "")), {"dir"})
    compare("zsh: verbs", {word.partition(":")[0] for word in zsh("") if re.match("[a-z]+:", word)}, verbs)


main()
