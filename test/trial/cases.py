#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: cases.py [--only NAME,..] NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY FOLDER

Small programs of many kinds, each in FOLDER/NAME: src, script (its input, one answer to each line, which ends in the line `.`),
and where they are not the usual: cmd (how it is moved), build, dump (the line that shows its state). Each is moved as it is. Is
nvmove trial right? It is held to plain kills and to kills at the events that it names, compared with the program that is not moved:

- what loses something after plain kills loses something in the trial;
- what the trial finds is a loss: at one of its kills the program goes on as at no line of the program that is not moved;
- where no trial is made, because the moved program does not start, it says so;
- one that is not built here, or not moved, is named, and counts for nothing; most have to be judged.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import tty

SECONDS = 6  # for an answer


def read(terminal, end):
    """What comes until then; b"": nothing, or the program has ended."""
    try:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.time()))
        return os.read(terminal, 65536) if ready else b""
    except OSError:
        return b""


class Case:
    def __init__(self, folder, tools, scratch):
        self.folder, self.tools, self.scratch = folder, tools, scratch
        self.name = os.path.basename(folder)
        self.script = [line for line in self.text("script", "").split("\n") if line] + [self.text("dump", "dump")]

    def text(self, file, default):
        path = os.path.join(self.folder, file)
        if not os.path.exists(path):
            return default
        with open(path, encoding="utf-8") as text:
            return text.read().strip()

    def shell(self, command, folder):
        return subprocess.run(command, shell=True, cwd=folder, env=self.tools.env, capture_output=True, text=True,
                              errors="replace", check=False, timeout=300)

    def copy(self, name):
        folder = os.path.join(self.scratch, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.join(self.folder, "src"), folder, symlinks=True, copy_function=shutil.copyfile)
        return folder

    def feed(self, program, folder, lines, kill=True, **environment):
        """The answers to the lines, until the program ends or does not answer; "": none to that line."""
        env = self.tools.env | environment
        here, there = os.openpty()  # as the trial does: each line is handed on
        tty.setraw(there)
        with open(os.path.join(self.scratch, "errors"), "wb") as errors:
            child = subprocess.Popen([program], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=there, stderr=errors)
        os.close(there)
        answers, text = [], b"\n"
        try:
            for line in lines:
                child.stdin.write(line.encode("latin1") + b"\n")
                child.stdin.flush()
                end = time.time() + SECONDS
                while b"\n.\n" not in text:
                    data = read(here, end)
                    if not data:
                        return answers
                    text += data
                answer, _, rest = text.partition(b"\n.\n")
                answers.append(answer.decode("latin1"))
                text = b"\n" + rest
        except BrokenPipeError:
            pass
        finally:
            if kill:
                child.kill()
            try:
                child.stdin.close()
            except BrokenPipeError:
                pass
            try:
                child.wait(SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            os.close(here)
        return answers

    def prepare(self):
        """Builds both programs; what is missing, or None."""
        build = self.text("build", "gcc -O2 $(pkg-config --cflags nvmove) *.c -o prog $(pkg-config --libs nvmove) -lpthread")
        build = build.replace("gcc ", "gcc -g ").replace("-Werror", "")
        plain = self.text("obuild", re.sub(r"\$\(pkg-config --\w+ nvmove\)", "", build))
        self.plain, self.new = self.copy("plain"), self.copy("new")
        result = self.shell(plain, self.plain)
        if result.returncode:
            return "the program is not built: " + result.stderr.splitlines()[0]
        result = self.shell(self.text("cmd", "nvmove --load load_state *.c"), self.new)
        if result.returncode not in (0, 4):
            return "it is not moved: " + (result.stderr.strip().splitlines() or [""])[0]
        with open(os.path.join(self.new, "nvmove-out/report.json"), encoding="utf-8") as file:
            self.acts = sorted({f["id"] for f in json.load(file)["findings"] if f["severity"] == "act"})
        result = self.shell("for p in nvmove-out/patches/*.patch; do patch -sp1 --fuzz=0 < $p || exit 9; done; " + build, self.new)
        if result.returncode:
            return "the moved program is not built: " + (result.stderr.splitlines() or [""])[0]
        self.want = self.feed("./prog", self.plain, self.script)
        if len(self.want) < len(self.script):
            return "the program stops by itself"
        return None

    def pooled(self, name):
        """A folder to run the moved program in, and its environment."""
        folder = self.copy(name)
        return folder, {"NVM_POOL": os.path.join(folder, "p.pool"), "NVM_MAX_SIZE": "1G"}

    def plain_kills(self):
        """What is wrong after kills at three places; ""."""
        folder, env = self.pooled("run")
        program, n, got = os.path.join(self.new, "prog"), len(self.script) - 1, []
        cuts = sorted({0, n // 3, 2 * n // 3, n, n + 1})
        for first, last in zip(cuts, cuts[1:]):
            got += self.feed(program, folder, self.script[first:last], **env)
            if got != self.want[:last]:
                at = next((i for i, (a, b) in enumerate(zip(got, self.want)) if a != b), len(got))
                return f"{self.script[at]}: {got[at] if at < len(got) else 'no answer'!r}, and not {self.want[at]!r}"
        return ""

    def loses_at(self, event):
        """Whether a kill at this event leaves a state that the program that is not moved never had behind what it answered."""
        folder, env = self.pooled("event")
        program = os.path.join(self.new, "prog")
        answered = len(self.feed(program, folder, self.script, NVM_CRASH_AT=str(event), **env))
        again = self.feed(program, folder, self.script[-1:], **env)
        for done in (answered, answered + 1):
            states = self.feed("./prog", self.copy_plain(), self.script[:done] + self.script[-1:])
            if again and again[0] == states[-1]:
                return False
        return True

    def copy_plain(self):
        folder = self.copy("other")
        shutil.copy(os.path.join(self.plain, "prog"), folder)
        return folder

    def trial(self):
        with open(os.path.join(self.new, "trial-lines"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.script) + "\n")
        folder = self.copy("trial")
        for name in ("prog", "trial-lines"):
            shutil.copy(os.path.join(self.new, name), folder)
        shutil.copytree(os.path.join(self.new, "nvmove-out"), os.path.join(folder, "nvmove-out"))
        result = self.shell("nvmove trial --input trial-lines --points 16 -- ./prog", folder)
        found = []
        if result.returncode in (0, 3):
            with open(os.path.join(folder, "nvmove-out/trial.json"), encoding="utf-8") as file:
                found = json.load(file)["losses"]
        return result.returncode, found, result.stdout + result.stderr

    def judge(self):
        """(whether the trial is wrong, or None where there is none; what to say)."""
        missing = self.prepare()
        if missing:
            return None, f"{self.name}: {missing}"
        wrong = self.plain_kills()
        code, losses, text = self.trial()
        acts = ", ".join(self.acts) or "nothing to act on"
        first = next((line.strip() for line in text.splitlines() if line.startswith(("  killed", "  ended"))), "")
        if code not in (0, 3):
            # It says why there is none. Where the program goes on, there has to be one.
            errors = [line.strip() for line in text.splitlines() if "error:" in line]
            return not wrong or not errors, f"{self.name}: {acts}; no trial: {'; '.join(errors) or text}"
        said = f"{self.name}: {acts}; {'lost: ' + first if losses else 'nothing is lost'}"
        if wrong and not losses:
            return True, f"{said}\n  MISSED: {wrong}\n{text}"
        if losses and not wrong:
            events = [loss["event"] for loss in losses if loss["event"]]
            if len(events) < len(losses) or not any(self.loses_at(e) for e in events[:6]):
                return True, f"{said}\n  A FALSE ALARM?\n{text}"
        return False, said


def judge(folder, tools):
    with tempfile.TemporaryDirectory(prefix="nvmove-case-") as scratch:
        try:
            return Case(folder, tools, scratch).judge()
        except (subprocess.TimeoutExpired, OSError) as e:
            return True, f"{os.path.basename(folder)}: {e}"


def prepare(options, scratch):
    """nvmove in the path, and pkg-config that knows it."""
    os.symlink(options.nvmove, os.path.join(scratch, "nvmove"))
    with open(os.path.join(scratch, "nvmove.pc"), "w", encoding="utf-8") as file:
        file.write(f"Name: nvmove\nDescription: as built\nVersion: 0\nCflags: -I{options.include}\n"
                   f"Libs: {options.library} -lpmemobj -ldl -lpthread\n")
    env = {k: v for k, v in os.environ.items() if not k.startswith("NVM")}
    options.env = env | {"PATH": scratch + os.pathsep + env["PATH"], "PKG_CONFIG_PATH": scratch, "NO_COLOR": "1"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=4)  # trials wait for much of their time
    for name in ("nvmove", "include", "library", "folder"):
        parser.add_argument(name, type=os.path.abspath)
    options = parser.parse_args()
    cases = [c for c in sorted(glob.glob(os.path.join(options.folder, "*"))) if os.path.exists(os.path.join(c, "script"))]
    if not cases:
        print(f"skipped: no programs in {options.folder}")
        return 77
    if options.only:
        cases = [c for c in cases if os.path.basename(c) in options.only.split(",")]
    wrong, judged = 0, 0
    with tempfile.TemporaryDirectory(prefix="nvmove-cases-") as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        prepare(options, scratch)
        for is_wrong, text in pool.map(lambda case: judge(case, options), cases):
            wrong += bool(is_wrong)
            judged += is_wrong is not None
            print(text, flush=True)
    print(f"{len(cases)} programs, {judged} of them judged, {wrong} wrongly")
    return 1 if wrong or judged * 2 < len(cases) or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
