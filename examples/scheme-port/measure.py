#!/usr/bin/env python3
# ===- measure.py - what a process that survives costs ---------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""One command: moves the interpreter and the vector, lets all variants take turns, and writes the page.

Others may use the machine, so figures are processor time, and the least of all rounds counts.
nvmove must be in PATH, and pkg-config must know it. SOURCES is what sources.json describes.
"""

import argparse
import csv
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(PROJECT, "bench"))

import kill  # noqa: E402
import measure  # noqa: E402
from page import ENGINES, MEDIA, PROGRAMS, PUTS, REGIONS, Page  # noqa: E402

OPERATIONS = "1000"  # in a section, where commits are apart in time; of all variants that are compared, since fewer cost more


class Figures:
    """The least of each, by part, what was run, and how."""

    def __init__(self, path):
        self.path, self.least = path, {}

    def read(self):
        with open(self.path, encoding="utf-8") as file:
            for part, name, variant, value in csv.reader(file):
                if part != "part":
                    self.least[(part, name, variant)] = value if part == "machine" else float(value)

    def add(self, part, name, variant, value):
        key = (part, name, variant)
        self.least[key] = min(value, self.least.get(key, value))

    def write(self):
        rows = [(*key, value if isinstance(value, str) else f"{value:.6g}") for key, value in sorted(self.least.items())]
        measure.write_csv(self.path, ("part", "name", "variant", "least"), rows)


def flags(what):
    return shlex.split(subprocess.run(["pkg-config", what, "nvmove"], check=True, capture_output=True, text=True).stdout)


def compile_c(output, *arguments, cwd=None):
    subprocess.run(["cc", "-O2", "-Wno-char-subscripts", "-o", output, *arguments], check=True, cwd=cwd)


class Build:
    """All programs, in one folder."""

    FEATURES = ("-DSTANDALONE=0", "-DUSE_MATH=1", "-DUSE_ASCII_NAMES=0", "-DSHOW_ERROR_LINE=0", "-DCELL_NSEGMENT=200")

    def __init__(self, sources, folder):
        self.folder, self.port = folder, os.path.join(folder, "port")
        subprocess.run([os.path.join(HERE, "port.sh"), sources, self.port], check=True)
        self.unmoved(sources)
        vector = os.path.join(folder, "vector")
        shutil.copytree(os.path.join(HERE, "vector"), vector)
        for name, arguments in (("plain", ("vector.c",)), ("mapped", ("-DMAPPED", "vector.c")),
                                ("pages", ("-DPAGES", "vector.c", "pages.c"))):
            compile_c(f"vector-{name}", *arguments, cwd=vector)
        compile_c("regions", *flags("--cflags"), "regions.c", *flags("--libs"), cwd=vector)
        subprocess.run(["nvmove", "--load", "load", "--section", "put", "vector.c", "--"], check=True, cwd=vector, stdout=subprocess.DEVNULL)
        patches = os.path.join(vector, "nvmove-out", "patches")
        for patch in sorted(os.listdir(patches)):
            subprocess.run(["patch", "--quiet", "-p1", "-i", os.path.join(patches, patch)], check=True, cwd=vector)
        compile_c("vector-moved", *flags("--cflags"), "vector.c", *flags("--libs"), cwd=vector)

    def unmoved(self, sources):
        """The interpreter of before nvmove, with checkpoints by protected pages."""
        tree = os.path.join(self.folder, "unmoved")
        os.makedirs(tree)
        for name in ("scheme.c", "scheme.h", "scheme-private.h", "opdefines.h"):
            shutil.copy(os.path.join(sources, name), tree)
        for name in ("main.c", "vector/pages.c", "vector/pages.h", "vector/pages_process.c"):
            shutil.copy(os.path.join(HERE, name), tree)
        subprocess.run(["patch", "--quiet", "-p1", "-i", os.path.join(HERE, "restart.patch")], check=True, cwd=tree)
        # Nothing of malloc() may be taken for what the compiler knows of it.
        compile_c(os.path.join(self.port, "scheme-pages"), *self.FEATURES, "-fno-builtin", *flags("--cflags"), "scheme.c", "main.c", "pages.c",
                  "pages_process.c", "-Wl,--wrap=scheme_operation", "-lm", cwd=tree)


class Bench:
    def __init__(self, options, folder, figures):
        self.options, self.folder, self.figures = options, folder, figures
        self.build = Build(options.sources, folder)
        self.gambit = os.path.join(options.sources, "gambc")
        self.pool = os.path.join(folder, "pool")

    def run(self, program, files, **env):
        """Seconds of processor time, what it printed, and what it said."""
        if os.path.exists(self.pool):
            os.remove(self.pool)
        base = {k: v for k, v in os.environ.items() if not k.startswith("NVM_")}
        env = {**base, "TINYSCHEMEINIT": os.path.join(self.build.port, "init.scm"), **env}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([os.path.join(self.build.port, program), *files], env=env, check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout, done.stderr

    def scheme(self, part, name, variant, program, sizes, **env):
        taken, printed, _ = self.run(program, kill.files_of(name, sizes, self.gambit), **env)
        if "wrong" in printed or ": right " not in printed:
            sys.exit(f"measure.py: error: {name}, {variant}: {printed}")
        self.figures.add(part, name, variant, taken)

    def pool_env(self, engine, interval, media="none", **env):
        return {"NVM_POOL": self.pool, "NVM_ENGINE": engine, "NVM_EPOCH_MS": str(interval),
                "SCHEME_OPERATIONS": OPERATIONS if interval else "1", "NVM_MEDIA": MEDIA[media], **env}

    def promises(self, name):
        for variant, program in (("plain", "scheme-plain"), ("no pool", "scheme")):
            self.scheme("epochs", name, variant, program, "short", SCHEME_OPERATIONS=OPERATIONS)
        for engine, program in (("checkpoint", "scheme-unannounced"), ("versions", "scheme")):
            for interval in (10, 64):
                for media in MEDIA if engine == "checkpoint" or interval == 64 else ("none",):
                    self.scheme("epochs", name, f"{engine} {interval} {media}", program, "short", **self.pool_env(engine, interval, media))
        self.scheme("every", name, "plain", "scheme-plain", "tiny")
        for media in MEDIA:
            self.scheme("every", name, f"redo {media}", "scheme", "tiny", **self.pool_env("redo", 0, media))

    def engines(self):
        for engine in ENGINES:
            self.scheme("every", "nfa", f"{engine} none", "scheme", "tiny", **self.pool_env(engine, 0))
            self.scheme("epochs", "nfa", f"{engine} 64 none", "scheme", "short", **self.pool_env(engine, 64))

    def pages(self):
        """Checkpoints of the process, by protected pages."""
        where = {"PAGES": self.pool}
        self.scheme("every", "nfa", "pages", "scheme-pages", "tiny", **where, PAGES_MS="0")
        for interval in (10, 64):
            self.scheme("epochs", "nfa", f"pages {interval}", "scheme-pages", "short", **where, PAGES_MS=str(interval), SCHEME_OPERATIONS=OPERATIONS)

    def stats(self, name):
        for variant, interval in (("every", 0), ("versions 10", 10), ("versions 64", 64)):
            env = self.pool_env("versions" if interval else "redo", interval, NVM_STATS="1")
            _, _, said = self.run("scheme", kill.files_of(name, "tiny", self.gambit), **env)
            for counter in ("sections", "lines_logged", "stores"):
                self.figures.add("stats", name, f"{variant} {counter}", float(said.split(f'"{counter}":')[1].split(",")[0]))

    def garbage(self):
        """What the pool takes of the disk, after a run and after one of four times its length."""
        more = os.path.join(self.folder, "more.scm")
        for times in (1, 4):
            with open(more, "w", encoding="utf-8") as file:
                file.write(f"(define tak-iters {times})")
            files = kill.files_of("tak", "tiny", self.gambit)
            self.run("scheme", [*files[:-1], more, files[-1]], **self.pool_env("versions", 10, NVM_SIZE="16M"))
            self.figures.add("garbage", "tak", f"{times}", os.stat(self.pool).st_blocks * 512)

    def vector(self):
        for pairs in self.options.pairs:
            for puts in PUTS:
                for program in ("plain", "mapped", "pages", *ENGINES):
                    kind = program if program in ("plain", "mapped", "pages") else "moved"
                    if os.path.exists(self.pool):
                        os.remove(self.pool)
                    count = 200000 if program == "pages" else 2000000
                    env = {**os.environ, "PAGES": self.pool}
                    if kind == "moved":
                        env.update(NVM_POOL=self.pool, NVM_ENGINE=program, NVM_EPOCH_MS="0")
                    command = [os.path.join(self.folder, "vector", f"vector-{kind}"), str(pairs), str(count), str(puts)]
                    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
                    self.figures.add("vector", f"{pairs} {puts}", program, float(done.stdout.split()[0]))

    def scheme_vector(self):
        for puts in PUTS:
            sizes = os.path.join(self.folder, "vector.scm")
            with open(sizes, "w", encoding="utf-8") as file:
                file.write(f"(define cell-segments 5) (define vector-pairs 1000) (define vector-operations 5000) (define vector-puts {puts})")
            files = [sizes, *(os.path.join(kill.OWN, name) for name in ("compat.scm", "vector.scm", "go.scm"))]
            for variant, program, env in (
                    ("plain", "scheme-plain", {"SCHEME_OPERATIONS": OPERATIONS}),
                    ("pages", "scheme-pages", {"PAGES": self.pool, "PAGES_MS": "1000000", "SCHEME_OPERATIONS": OPERATIONS}),
                    ("redo", "scheme", self.pool_env("redo", 1000000)),
                    ("undo", "scheme", self.pool_env("undo", 1000000))):
                taken, printed, _ = self.run(program, files, **env)
                if ": right " not in printed:
                    sys.exit(f"measure.py: error: vector, {variant}: {printed}")
                self.figures.add("scheme-vector", str(puts), variant, taken)

    def regions(self):
        folder = os.path.join(self.folder, "regions")
        for size in REGIONS:
            for manager in ("nvmove", "file", "libpmemobj"):
                shutil.rmtree(folder, ignore_errors=True)
                os.makedirs(folder)
                done = subprocess.run([os.path.join(self.folder, "vector", "regions"), manager, folder, str(size)], check=True, capture_output=True, text=True)
                for figure, value in zip(("create", "touch", "read", "again"), done.stdout.split()):
                    self.figures.add("regions", f"{size} {manager}", figure, float(value))
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="?", help="what test/corpus/fetch.py has made of sources.json")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--more", action="store_true", help="rounds besides those of the figures that are there")
    parser.add_argument("--parts", nargs="+", default=("promises", "engines", "pages", "stats", "garbage", "vector", "scheme_vector", "regions"))
    parser.add_argument("--programs", nargs="+", default=PROGRAMS)
    parser.add_argument("--pairs", nargs="+", type=int, default=(10000, 1000000), help="of the vector")
    parser.add_argument("--page", action="store_true", help="only the page, of the figures that are there")
    parser.add_argument("--memory", default="/dev/shm", help="the medium (/dev/shm)")
    parser.add_argument("--out", default=os.path.join(PROJECT, "docs", "results"), help="folder of the page (docs/results)")
    options = parser.parse_args()
    figures = Figures(os.path.join(options.out, "scheme.csv"))
    if options.page or options.more:
        figures.read()
    if not options.page:
        if not options.sources:
            parser.error("the folder of the sources is missing")
        options.sources = os.path.abspath(options.sources)
        figures.least.setdefault(("machine", "", ""), measure.machine())
        with tempfile.TemporaryDirectory(prefix="scheme-", dir=options.memory) as folder:
            bench = Bench(options, folder, figures)
            for turn in range(options.rounds):
                for part in options.parts:
                    if part in ("promises", "stats"):
                        for name in options.programs if part == "promises" or turn == 0 else ():
                            getattr(bench, part)(name)
                            figures.write()
                    else:
                        getattr(bench, part)()
                    figures.write()
    Page(figures.least, options).write()


if __name__ == "__main__":
    main()
