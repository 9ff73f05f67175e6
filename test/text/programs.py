# ===- programs.py - The programs of the lit tests, and how they run -----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Reads what the RUN lines of a lit test make, move and run, and does the first of it."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

# What makes the inputs of a test. The other commands look at what nvmove did.
MAKERS = {"rm", "mkdir", "cp", "mv", "split-file", "printf", "echo", "sed", "touch", "ln", "cat", "chmod"}
# Options that say how and where nvmove reports, with the number of arguments that follow.
OF_THE_REPORT = {"--notes": 0, "--force": 0, "--analyze-only": 0, "--no-cache": 0, "--print": 1, "--out": 1, "--cache": 1}


@dataclass
class Move:
    """One call of nvmove that moves a program, with the folder as it was before."""
    folder: str
    options: list
    sources: list
    flags: list  # [] where there is no --, else it and what follows

    def key(self):
        texts = [open(os.path.join(self.folder, s), "rb").read() for s in self.sources]
        return tuple(texts), tuple(self.options), tuple(self.flags)


@dataclass
class Script:
    """What a test does, in order."""
    name: str
    folder: str
    moves: list = field(default_factory=list)
    # Shell commands that write data, and those that run a program, with its name.
    steps: list = field(default_factory=list)


def words(line):
    """The line's words; what the shell acts upon has words of its own."""
    return list(shlex.shlex(line, posix=True, punctuation_chars=True))


def parts(line, separators):
    """The commands of a line, as they are written."""
    result, quote, begin, at = [], None, 0, 0
    while at < len(line):
        c = line[at]
        if quote:
            if c == "\\" and quote == '"':
                at += 1
            elif c == quote:
                quote = None
        elif c == "\\":
            at += 1
        elif c in "'\"":
            quote = c
        else:
            for s in separators:
                if line.startswith(s, at):
                    result.append(line[begin:at])
                    at += len(s) - 1
                    begin = at + 1
                    break
        at += 1
    return [p.strip() for p in result + [line[begin:]]]


class Reader:
    """Goes through the RUN lines of one test in `folder`, which is the test's %t."""

    def __init__(self, name, lines, folder, nvmove, environment):
        self.script, self.lines, self.folder, self.nvmove = Script(name, folder), lines, folder, nvmove
        self.environment, self.cwd, self.copies = environment, None, folder + ".moves"

    def read(self, home):
        self.cwd = home
        for line in self.lines:
            for command in parts(line, ("&&", ";")):
                self.command(command)
        return self.script

    def command(self, command):
        first = command.split(" ", 1)[0]
        if first == "cd":
            self.cwd = os.path.normpath(os.path.join(self.cwd, words(command)[1]))
        elif self.nvmove in command:
            self.call(command.split("|")[0])
        elif run := self.run_of(command):
            self.script.steps.append(run)
        elif first in MAKERS and "nvmove-out" not in command and "/patches" not in command:
            result = subprocess.run(["sh", "-c", command], cwd=self.cwd, env=self.environment, capture_output=True, check=False)
            if result.returncode == 0 and first in ("printf", "echo") and self.inside(self.cwd):
                self.script.steps.append((command, None))

    def inside(self, path):
        return os.path.commonpath([self.folder, path]) == self.folder

    def run_of(self, command):
        """A pipeline that ends with the program: without pools, and where its output goes."""
        stages = parts(command, ("|",))
        for n, stage in enumerate(stages):
            found = re.search(r"(?:^| )(\./[\w.-]+)", stage)
            if not found or found.start() and not re.match(r"(env|not|[A-Z_]+=)( |\S)", stage):
                continue
            if stage.endswith("&") or "LD_" in stage:
                return None
            rest = re.sub(r"\s*\d*>+\s*(&\d|\S+)", "", stage[found.start():])
            return " | ".join(stages[:n] + [rest.strip()]), found.group(1)[2:]
        return None

    def call(self, command):
        try:
            all_words = words(command)
        except ValueError:
            return
        # Only what nvmove is called with: sh -c '..' is one word.
        if self.nvmove not in all_words or all_words[0] in ("not", "sh", "script"):
            return
        arguments = all_words[all_words.index(self.nvmove) + 1:]
        for n, word in enumerate(arguments):
            if re.fullmatch(r"[<>&|;()]+", word):
                arguments = arguments[:n - (arguments[n - 1] == "2")]
                break
        options, flags = arguments, []
        if "--" in arguments:
            options, flags = arguments[:arguments.index("--")], arguments[arguments.index("--"):]
        if not options or not options[0].startswith("--") or "--load" not in options or {"-p", "--make", "--emulate"} & set(options):
            return
        kept, sources, skip = [], [], 0
        for word in options:
            if skip:
                skip -= 1
            elif word in OF_THE_REPORT:
                skip = OF_THE_REPORT[word]
            elif word.endswith(".c") and (found := sorted(glob.glob(os.path.join(self.cwd, word)))):
                sources += found
            else:
                kept.append(word)
        if sources:
            self.keep(kept, sources, flags)

    def keep(self, options, sources, flags):
        number = len(self.script.moves)
        folder = os.path.join(self.copies, str(number))
        if self.inside(self.cwd) and all(self.inside(s) for s in sources):
            shutil.copytree(self.cwd, folder)
            names = [os.path.relpath(s, self.cwd) for s in sources]
        else:
            os.makedirs(folder)
            names = [os.path.basename(s) for s in sources]
            for source in sources:
                shutil.copy(source, folder)
        self.script.moves.append(Move(folder, options, names, flags))


def tests(lit_folder, configured):
    """Each test that lit finds and would run here, with its RUN lines."""
    sys.path.insert(0, lit_folder)
    # pylint: disable=import-outside-toplevel, import-error
    from lit import LitConfig, TestRunner, discovery
    config = LitConfig.LitConfig("lit", [], False, False, False, [], False, False, False, "smart", {})
    for test in discovery.find_tests_for_inputs(config, [configured]):
        script = TestRunner.parseIntegratedTestScript(test, require_script=False)
        if not isinstance(script, list) or test.getMissingRequiredFeatures():
            continue
        yield test, script, TestRunner


def scripts(lit_folder, configured, nvmove, folder):
    """The tests' programs, each test in a folder of its own below `folder`."""
    for number, (test, lines, runner) in enumerate(tests(lit_folder, configured)):
        own = os.path.join(folder, str(number), "t")
        os.makedirs(own)
        substitutions = runner.getDefaultSubstitutions(test, os.path.dirname(own), own) + list(test.config.substitutions)
        lines = runner.applySubstitutions(lines, substitutions, recursion_limit=None)
        lines = [re.sub(r"^%dbg\(.*?\)\s*", "", line) for line in lines]
        name = "/".join(test.path_in_suite)
        environment = dict(test.config.environment)
        yield Reader(name, lines, own, nvmove, environment), os.path.dirname(test.getSourcePath())
