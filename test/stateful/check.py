# ===- check.py - A generated program, moved, killed and compared -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""The oracle is the program itself, unmoved and not stopped. After k answers a program that was killed must have the
state that its oracle has after k commands, or after k + 1. What an *act* finding names may be lost; where a finding asks
whether a static is to be kept, it is."""

import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from dataclasses import dataclass, field

SECONDS = 20
# Findings that are about all of the state, whatever they name.
ABOUT_ALL = {"no-sections", "section-left-by-jump", "no-main", "several-mains", "freed-at-exit", "store-outside-section",
             "load-not-guarded", "output-by-stdio", "fork-behind-load", "split-address", "cut-update",
             "address-decides"}

# Those of pointers that are dead after a restart: following one may do anything.
DEAD_POINTERS = {"static-in-header", "used-after-restart", "code-pointer", "split-address"}
# Findings whose advice is to name with --keep what they name first.
ASKED = {"changed-with-state", "lost-with-state", "set-by-handlers"}
# Statics of generated programs that hold what has come in, what they are about to print, and whether a thread runs.
OF_PROCESS = {"answer", "answered", "out", "in", "have", "filled", "begun", "wanted"}


@dataclass
class Failure(Exception):
    kind: str                  # build, plain, start, kill, crash, again, verify, ..
    detail: str = ""
    places: set = field(default_factory=set)  # first words of lines of the dump that differ


@dataclass
class Tools:
    nvmove: str
    include: str
    library: str
    options: list = field(default_factory=list)  # of nvmove, when it moves the program
    trial: bool = False                          # nvmove trial judges, too


def run(*command, cwd, environment=None, given=None, seconds=SECONDS):
    env = {k: v for k, v in os.environ.items() if not k.startswith("NVM")} | {"NO_COLOR": "1"} | (environment or {})
    try:
        return subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, check=False, timeout=seconds,
                              errors="replace", env=env)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, "hung", "", "")


def differing(want, got):
    """The first words of the lines in which two dumps differ."""
    a, b = want.splitlines(), got.splitlines()
    return {line.split(" ")[0] for line in set(a) ^ set(b)} or {line.split(" ")[0] for line in a}


class Checker:
    """Of one program in a folder of its own."""

    def __init__(self, program, tools, die):
        self.program, self.tools, self.die = program, tools, die
        base = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.folder = tempfile.mkdtemp(prefix="nvmove-stateful-", dir=base)
        self.acts = []
        self.named = set()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # Building.
    def compile(self, where, output, moved):
        flags = ["-g", "-I", self.tools.include] if moved else []
        libraries = [self.tools.library, "-lpmemobj", "-ldl", "-lpthread"] if moved else []
        sources = sorted(os.path.basename(f) for f in glob.glob(self.path(where, "*.c")))
        result = run("gcc", "-O2", "-Wall", *flags, *sources, "-o", self.path(output), *libraries, "-lm", cwd=self.path(where))
        if result.returncode:
            raise Failure("build" if moved else "generator", result.stderr[:3000])
        return re.findall(r"warning: .*", result.stderr)

    def analyse(self, *options):
        result = run(self.tools.nvmove, *options, *self.tools.options, *self.command, cwd=self.path("new"))
        if result.returncode not in (0, 4):
            raise Failure("nvmove", f"{result.returncode}: {result.stdout}{result.stderr}"[-2000:])
        with open(self.path("new", "nvmove-out", "report.json"), encoding="utf-8") as report:
            return json.load(report)["findings"]

    def move(self):
        sources = sorted(os.path.basename(f) for f in glob.glob(self.path("new", "*.c")))
        self.command = ["--load", "load_state", "--no-cache", *sources]
        findings = self.analyse()
        # The answer is yes: what handlers set is state of such a program, but for what is being printed.
        asked = {f["what"].split(" ")[0] for f in findings if f["id"] in ASKED}
        asked = sorted(name for name in asked if name.split(".")[0] not in OF_PROCESS)
        if asked:
            self.command = ["--keep", ",".join(asked), *self.command]
            findings = self.analyse("--force")
        self.acts = [f for f in findings if f["severity"] == "act"]
        self.ids = {f["id"] for f in findings}
        self.named = set(re.findall(r"\w+", " ".join(f"{f['what']} {f.get('function') or ''}" for f in self.acts)))
        for patch in sorted(glob.glob(self.path("new", "nvmove-out", "patches", "*.patch"))):
            with open(patch, encoding="utf-8") as text:
                result = run("patch", "-p1", "--fuzz=0", cwd=self.path("new"), given=text.read())
            if result.returncode or re.search("fuzz|offset", result.stdout):
                raise Failure("patch", result.stdout + result.stderr)

    def again(self):
        """A second run has nothing to write, and verify nothing to say."""
        extra = ["--extra-arg=-I", f"--extra-arg={self.tools.include}"]
        verify = run(self.tools.nvmove, "verify", *extra, *self.command, cwd=self.path("new"))
        if verify.returncode not in (0, 3):
            raise Failure("verify", f"{verify.returncode}: {verify.stdout}{verify.stderr}"[-2000:])
        result = run(self.tools.nvmove, "--force", *extra, *self.command, cwd=self.path("new"))
        patches = "".join(open(p, encoding="utf-8", errors="replace").read()
                          for p in glob.glob(self.path("new", "nvmove-out", "patches", "*.patch")))
        if result.returncode not in (0, 4) or patches:
            raise Failure("again", f"{result.returncode}\n{patches}{result.stderr}"[:3000])
        if verify.returncode == 3 and not self.acts:
            raise Failure("verify", verify.stdout[-2000:])

    # Running.
    def fresh(self):
        """A folder with the file that the program begins with."""
        shutil.rmtree(self.path("run"), ignore_errors=True)
        os.mkdir(self.path("run"))
        if self.program.lines() is not None:
            shutil.copy(self.path("orig", "state.dat"), self.path("run"))
        return {"NVM_ASLR": "1", "NVM_POOL": self.path("run", "p"), "NVM_SIZE": "16M", "NVM_MAX_SIZE": "256M"}

    def feed(self, program, lines, environment=None, kill=False):
        """Answers, messages, status. `kill`: with -9, once all have been answered; otherwise the input ends."""
        ours, its = socket.socketpair()
        env = {k: v for k, v in os.environ.items() if not k.startswith("NVM")} | (environment or {})
        with open(self.path("stderr"), "wb") as errors:
            child = subprocess.Popen([self.path(program)], cwd=self.path("run"), env=env, stdin=subprocess.PIPE, stdout=its,
                                     stderr=errors, start_new_session=True)
        its.close()
        ours.settimeout(SECONDS)
        out = b""
        status = None
        try:
            child.stdin.write("".join(f"{line}\n" for line in lines).encode())
            child.stdin.flush()
            if not kill:
                child.stdin.close()
        except BrokenPipeError:
            pass
        try:
            while not (kill and len(re.findall(rb"^\.\n", out, re.M)) >= len(lines)):
                got = ours.recv(65536)
                if not got:
                    break
                out += got
        except (socket.timeout, ConnectionResetError) as e:
            status = "hung" if isinstance(e, socket.timeout) else None
        if kill or status:
            os.killpg(child.pid, signal.SIGKILL)
        try:
            code = child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            code = child.wait()
            status = "hung"
        ours.close()
        if not child.stdin.closed:
            try:
                child.stdin.close()
            except BrokenPipeError:
                pass
        answers = re.split(r"^\.\n", out.decode("utf-8", "replace"), flags=re.M)[:-1]
        with open(self.path("stderr"), encoding="utf-8", errors="replace") as errors:
            return answers, errors.read(), status or code

    def lost(self, kind, detail, places, code):
        """The program lost something: a failure, unless a finding said so. To hang is one, too, but for dead pointers."""
        if code == "hung" and not {f["id"] for f in self.acts} & DEAD_POINTERS:
            raise Failure("hung", detail, places)
        about = self.program.about()
        if self.acts and (all({place, *about.get(place, ())} & self.named for place in places) and places or {f["id"] for f in self.acts} & ABOUT_ALL or
                          (kind == "start" and not places)):
            self.excused = True
            return
        raise Failure(kind, detail, places)

    def oracle(self):
        """The answers, and the dump after each command."""
        script = self.program.script()
        self.fresh()
        both, errors, code = self.feed("before", ["dump"] + [x for line in script for x in (line, "dump")])
        if code or len(both) != 2 * len(script) + 1:
            raise Failure("generator", f"the program ends with {code} after {len(both)} answers: {errors}")
        return script, both[1::2], both[::2]

    def without_pool(self, script, answers, dumps):
        self.fresh()
        got, errors, code = self.feed("after", [*script, "dump"])
        if code or got != answers + dumps[-1:]:
            raise Failure("plain", f"{code} {errors}: {got} instead of {answers + dumps[-1:]}")

    def killed(self, script, answers, dumps):
        """kill -9 at three places, and at the end."""
        environment = self.fresh()
        cuts = sorted({0, len(script) // 3, 2 * len(script) // 3, len(script)})
        for first, last in zip(cuts, cuts[1:]):
            got, errors, code = self.feed("after", ["dump"] + script[first:last], environment, kill=True)
            want = dumps[first:first + 1] + answers[first:last]
            if got != want:
                return self.tell("kill" if got else "start", f"after {first} commands", want, got, code, errors)
        got, errors, code = self.feed("after", ["dump"], environment)
        if got != dumps[-1:]:
            return self.tell("kill" if got else "start", "at the end", dumps[-1:], got, code, errors)

    def ended(self, script, dumps):
        """The end of the input, and another start."""
        environment = self.fresh()
        self.feed("after", script, environment)
        got, errors, code = self.feed("after", ["dump"], environment)
        if got != dumps[-1:]:
            self.tell("end", "when it had ended", dumps[-1:], got, code, errors)

    def tell(self, kind, when, want, got, code, errors):
        a, b = next(((a, b) for a, b in zip(want, got) if a != b), (want[len(got)] if len(got) < len(want) else "", None))
        places = differing(a, b) if b is not None and a == want[0] else set()
        self.lost(kind, f"{when}, status {code}\nwant:\n{a}\ngot:\n{b}\n{errors[-600:]}", places, code)

    def crashes(self, script, dumps, most):
        """Kills at crash points: `most` of them, or all."""
        _, errors, _ = self.feed("after", script, self.fresh() | {"NVM_CRASH_COUNT": "1"})
        count = int((re.findall(r"(\d+) crash events", errors) or ["0"])[-1])
        points = range(1, count + 1)
        if most and count > most:
            points = sorted(self.die.sample(points, most))
        for point in points:
            environment = self.fresh()
            got, _, _ = self.feed("after", script, environment | {"NVM_CRASH_AT": str(point)})
            again, errors, code = self.feed("after", ["dump"], environment)
            allowed = dumps[len(got):len(got) + 2]
            if not again or again[0] not in allowed:
                places = differing(allowed[0], again[0]) if again else set()
                return self.lost("crash", f"at event {point} of {count}, after {len(got)} answers, then status {code}\nwant:\n"
                                 f"{allowed[0]}\ngot:\n{again[0] if again else None}\n{errors[-600:]}", places, code)
            self.events += 1

    def trial(self, script):
        """nvmove trial finds a loss where one was found here, and none elsewhere. It has a terminal for what is sent here."""
        if self.program.choices.made["output"] in ("send", "sendmsg"):
            return
        self.fresh()
        with open(self.path("run", "lines"), "w", encoding="utf-8") as out:
            out.write("".join(f"{line}\n" for line in ["dump", *(x for line in script for x in (line, "dump"))]))
        result = run(self.tools.nvmove, "trial", "--input", "lines", "--points", "6", "--out", self.path("new", "nvmove-out"), "--",
                     self.path("after"), cwd=self.path("run"), environment={"NVM_MAX_SIZE": "256M"}, seconds=300)
        text = f"{result.returncode}: {result.stdout}{result.stderr}"[-2000:]
        if result.returncode in (0, 3):
            self.tried = True
            lost = result.returncode == 3
            with open(self.path("new", "nvmove-out", "trial.json"), encoding="utf-8") as report:
                losses = json.load(report)["losses"]
            # A terminal gets each line at once: where that is asked about, kills inside lines may show it.
            if lost and "output-by-stdio" in self.ids and all(loss["event"] for loss in losses):
                return
            if lost and not self.excused:
                self.lost("alarm", text, set(re.findall(r"^  \S+?:\d+: (\w+)", result.stdout, re.M)), None)
            if self.excused and not lost:
                raise Failure("missed", text)
        elif not re.search(r"\[(not-repeatable|never-waits)\]", result.stderr):
            raise Failure("trial", text)

    def check(self, most_crashes):
        """Raises a Failure; otherwise `acts` and `excused` say how it went."""
        self.excused, self.events, self.tried = False, 0, False
        self.program.write(self.path("orig"))
        self.program.write(self.path("new"))
        before = self.compile("orig", "before", False)
        script, answers, dumps = self.oracle()
        self.move()
        after = self.compile("new", "after", True)
        if len(after) > len(before):
            raise Failure("warning", "\n".join(after))
        self.without_pool(script, answers, dumps)
        self.killed(script, answers, dumps)
        if not self.excused:
            self.ended(script, dumps)
        if not self.excused:
            self.crashes(script, dumps, most_crashes)
        if self.tools.trial:
            self.trial(script)
        self.again()
