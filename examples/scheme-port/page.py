#!/usr/bin/env python3
# ===- page.py - the page of results, from the least of all rounds -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Tables, charts and what became of the goals; measure.py has the figures."""

import datetime
import math
import os

import measure

ENGINES = ("redo", "undo", "versions", "incll", "dual")
MEDIA = {"none": "none", "100 ns": "write=100,flush=0,fence=0"}
PROGRAMS = ("tak", "sort", "nboyer", "sboyer", "conform", "graphs", "nfa", "nucleic2")
PUTS = (0, 10, 20, 30)
REGIONS = (1 << 16, 1 << 20, 1 << 24, 1 << 28)
EPOCHS = [f"{engine} {interval} {media}" for engine in ("checkpoint", "versions") for interval in (10, 64) for media in MEDIA
          if engine == "checkpoint" or interval == 64 or media == "none"]

# Where the time goes, by perf (cpu-clock); looked at when the page was first written.
NOTES = """Why, by `perf` (cpu-clock, nfa) and the counters of the runtime:

- *Epochs.* A commit of engine checkpoint writes 77,000 lines (4.9 MB), in 0.5 ms: 5 % at 10 ms and 1 % at 64; with 100 ns a line, 7.7 ms a commit, 77 % and 12 %. In addition there is one before each printed line: nfa
  prints 30 and conform 20 in a third of a second, which is another 5 %, and 70 % with 100 ns a line. 7,000 faults for the pages of the pool and its copies are some 2 %. Intervals are by the clock, so a process that has
  to share its processor makes more commits for the same work.
  Plain had five times the rounds of the others; with as few, sort and graphs seemed to be a fourth slower without commits than with them. nucleic2 does compute faster in the pool (0.36 s of user time, and 0.42
  without one, by the same program): the placement of its memory seems to matter; not investigated further.
- *Epochs, versions.* Commits are not the cause: saving old lines is 7 %. An operation of this interpreter takes some 45 ns and stores 59 times, since each cell is first a pair, then what it
  is to be, and is also listed as recent; 59 hooks take longer than the operation itself. (The paper's process wrote its versions by hand in the few places that make cells.)
  So for epochs the engine is `checkpoint`, under which nothing is announced: the program without the last layer of patches.
- *Each operation.* A commit of 8 lines: a third is the log and applying it, the rest hooks, locks and the interpreter.
  An eighth is the roots, mostly two constants that `--keep` names. Redo is the best because it writes each line once, in one piece, with one fence; versions and incll first save each line, and wait for that.
- *The vector.* A durable put takes some 145 ns in addition to a search of 53 (10,000 pairs, in the cache), and some 390 in addition to a search of 280 (1,000,000 pairs, not in the cache).
- *Pages.* A fault with its signal, a copy of 4 KiB and two changes of the protection for each page that an operation touches.
"""

# What kill.py and test/examples/scheme_power.py have told.
KILLS = """Each of the eight programs was killed with -9 at 100 random moments, each operation durable (engine redo, `kill.py`): 800 kills in 13 runs, and all printed what an undisturbed run prints. So did a small
program that lost power before 600 of the 26,163 persistence primitives of its run, evenly spread, and before each of the first 7,290, on the simulated medium (`test/examples/scheme_power.py`). 27 November 2026.
"""


class Page:
    def __init__(self, least, options):
        self.least, self.options = least, options
        self.programs = [name for name in PROGRAMS if ("epochs", name, EPOCHS[0]) in least]

    def factor(self, part, name, variant):
        return self.least[(part, name, variant)] / self.least[(part, name, "plain")]

    def mean(self, part, variant):
        """Geometric, over the programs."""
        return math.exp(sum(math.log(self.factor(part, name, variant)) for name in self.programs) / len(self.programs))

    @staticmethod
    def percent(factor):
        return f"{100 * (factor - 1):+.0f} %"

    def epochs(self):
        rows = [(name, f"{self.least[('epochs', name, 'plain')]:.2f}", self.percent(self.factor("epochs", name, "no pool")),
                 *(self.percent(self.factor("epochs", name, variant)) for variant in EPOCHS)) for name in self.programs]
        rows.append(("mean", "", self.percent(self.mean("epochs", "no pool")), *(self.percent(self.mean("epochs", variant)) for variant in EPOCHS)))
        heads = [variant.replace(" none", " ms").replace(" 100 ns", " ms, 100 ns a line") for variant in EPOCHS]
        return measure.markdown_table(("program", "plain, s", "moved, no pool", *heads), rows)

    def every(self):
        variants = [f"redo {media}" for media in MEDIA]
        rows = [(name, f"{self.least[('every', name, 'plain')]:.3f}", *(f"{self.factor('every', name, variant):.1f}" for variant in variants))
                for name in self.programs]
        rows.append(("mean", "", *(f"{self.mean('every', variant):.1f}" for variant in variants)))
        return measure.markdown_table(("program", "plain, s", "redo: times plain", "redo, 100 ns a line: times plain"), rows)

    def engines(self):
        rows = [(engine, f"{self.factor('every', 'nfa', f'{engine} none'):.1f}", f"{self.factor('epochs', 'nfa', f'{engine} 64 none'):.2f}")
                for engine in ENGINES]
        rows.append(("checkpoint", "", f"{self.factor('epochs', 'nfa', 'checkpoint 64 none'):.2f}"))
        rows.append(("protected pages", f"{self.factor('every', 'nfa', 'pages'):.0f}", f"{self.factor('epochs', 'nfa', 'pages 64'):.2f}"))
        return measure.markdown_table(("nfa, times plain", "each operation", "each 64 ms"), rows)

    def versions(self):
        rows = []
        for name in (name for name in self.programs if ("stats", name, "every sections") in self.least):
            def count(variant, counter, of=name):
                return self.least[("stats", of, f"{variant} {counter}")]
            rows.append((name, *(f"{count('every', counter):,.0f}" for counter in ("sections",)),
                         f"{count('every', 'lines_logged') / count('every', 'sections'):.1f}",
                         f"{count('every', 'stores') / count('every', 'sections'):.0f}",
                         f"{count('versions 64', 'sections'):,.0f}",
                         f"{count('versions 64', 'lines_logged') / max(1, count('versions 64', 'sections')):,.0f}"))
        left = [name for name in self.programs if ("stats", name, "every sections") not in self.least]
        return measure.markdown_table(("program", "versions, each operation", "lines in one", "stores announced in one", "versions, each 64 ms", "lines in one"), rows) \
            + (f"\nNot counted: {', '.join(left)}.\n" if left else "")

    def vector(self):
        rows = []
        for pairs in self.options.pairs:
            for puts in PUTS:
                def ns(program, where=f"{pairs} {puts}"):
                    return self.least[("vector", where, program)]
                best = min(ENGINES, key=ns)
                rows.append((f"{pairs:,}", f"{puts} %", f"{ns('plain'):.0f}", f"{ns('mapped'):.0f}",
                             *(f"{ns(engine):.0f}" for engine in ENGINES), f"{ns('pages'):.0f}",
                             f"{ns(best) / ns('mapped'):.2f} ({best})", f"{ns('pages') / ns('mapped'):.1f}"))
        return measure.markdown_table(("pairs", "puts", "unsafe, malloc", "unsafe, mapped", *ENGINES, "protected pages", "best / mapped", "pages / mapped"), rows)

    def scheme_vector(self):
        rows = []
        for puts in (puts for puts in PUTS if ("scheme-vector", str(puts), "undo") in self.least):
            def s(variant, where=str(puts)):
                return self.least[("scheme-vector", where, variant)]
            rows.append((f"{puts} %", f"{s('plain'):.2f}", *(f"{s(variant) / s('plain'):.2f}" for variant in ("redo", "undo", "pages"))))
        return measure.markdown_table(("puts", "plain, s", "redo: times plain", "undo: times plain", "protected pages: times plain"), rows)

    def regions(self):
        rows = []
        for size in REGIONS:
            for manager in ("nvmove", "file", "libpmemobj"):
                def value(figure, where=f"{size} {manager}"):
                    return self.least[("regions", where, figure)]
                rows.append((f"{size >> 10:,} KiB", manager, f"{value('create'):,.0f}", f"{value('touch'):,.0f}", f"{value('read'):.1f}", f"{value('again') / 1000:,.0f}"))
        return measure.markdown_table(("region", "by", "creation, us", "first store to a page, ns", "a read, ns", "found again and touched, us"), rows)

    @staticmethod
    def verdict(met):
        return "**Met.**" if met else "**Missed.**"

    def goals(self):
        epochs = {interval: self.mean("epochs", f"checkpoint {interval} none") for interval in (10, 64)}
        slow = {interval: self.mean("epochs", f"checkpoint {interval} 100 ns") for interval in (10, 64)}
        every, pages = self.factor("every", "nfa", "redo none"), self.factor("every", "nfa", "pages")
        vectors = []
        for pairs in sorted(self.options.pairs, reverse=True):
            ns = {program: self.least[("vector", f"{pairs} {PUTS[-1]}", program)] for program in (*ENGINES, "mapped", "pages")}
            best = min(ENGINES, key=ns.get)
            vectors.append(f"with {pairs:,} pairs {ns[best] / ns['mapped']:.2f} ({best}), protected pages {ns['pages'] / ns['mapped']:.0f}; "
                           + self.verdict(ns[best] <= 1.5 * ns["mapped"]))
        lines = [
            "At most 9 % for epochs (paper: 2 to 9 %): "
            + ", ".join(f"{self.percent(epochs[i])} at {i} ms" for i in epochs)
            + f" with engine checkpoint, mean of {len(self.programs)}; versions {self.percent(self.mean('epochs', 'versions 64 none'))} at 64 ms. "
            + ("**Met in the mean.**" if max(epochs.values()) <= 1.09 else "**Missed.**"),
            "Below 20 % with 100 ns a line: " + ", ".join(f"{self.percent(slow[i])} at {i} ms" for i in slow) + ". " + self.verdict(max(slow.values()) <= 1.2),
            f"Each operation durable (paper: 2 to 9 %, below 20 % with latency): the best engine is redo, {self.mean('every', 'redo none'):.1f} times plain, with 100 ns a line "
            f"{self.mean('every', 'redo 100 ns'):.0f} times (means). {self.verdict(self.mean('every', 'redo none') <= 1.09)}",
            f"20 times faster than a checkpoint of the process for each operation: nfa takes {every:.1f} times plain, with protected pages {pages:.0f} times, so {pages / every:.0f} times faster. {self.verdict(pages / every >= 20)}",
            "The vector in C, 30 % puts, at most 1.5 times the unsafe program on the same mapped file: " + " ".join(vectors),
        ]
        return "".join(f"- {line}\n" for line in lines)

    def charts(self):
        out = self.options.out
        measure.bar_chart(os.path.join(out, "scheme-epochs.svg"), "What is seen outside is durable", "times plain, %", self.programs,
                          [(label, [100 * self.factor("epochs", name, variant) for name in self.programs])
                           for label, variant in (("checkpoint 10 ms", "checkpoint 10 none"), ("checkpoint 64 ms", "checkpoint 64 none"), ("versions 64 ms", "versions 64 none"))])
        measure.bar_chart(os.path.join(out, "scheme-every.svg"), "Each operation is durable", "times plain", self.programs,
                          [(label, [self.factor("every", name, variant) for name in self.programs])
                           for label, variant in (("redo", "redo none"), ("redo, 100 ns a line", "redo 100 ns"))])
        measure.bar_chart(os.path.join(out, "scheme-vector.svg"), f"A vector of {max(self.options.pairs):,} pairs in C, each put durable", "ns an operation",
                          [f"{puts} % puts" for puts in PUTS],
                          [(program, [self.least[("vector", f"{max(self.options.pairs)} {puts}", program)] for puts in PUTS])
                           for program in ("mapped", "undo", "redo", "pages")])
        measure.line_chart(os.path.join(out, "scheme-regions.svg"), "Regions: creation", "us", [f"{size >> 10} KiB" for size in REGIONS],
                           [(manager, [max(0.1, self.least[("regions", f"{size} {manager}", "create")]) for size in REGIONS])
                            for manager in ("nvmove", "file", "libpmemobj")])

    def write(self):
        o = self.options
        before, after = (self.least[("garbage", "tak", times)] / 2 ** 20 for times in ("1", "4"))
        text = f"""# A Scheme process: the cost of three levels of durability

`examples/scheme-port/measure.py` has written this page on {datetime.date.today():%-d %B %Y}: {self.least[("machine", "", "")]}. Medium: {o.memory}, a file system in memory. Seconds of
processor time, including that of the system; the least of all rounds, since other load only adds time (some parts had more rounds than others). Single figures vary by a tenth from run to run and some by more;
only means, and factors of two and more, are meaningful. [The program](../../examples/scheme-port/README.md).

## Goals

{self.goals()}
{NOTES}
## Epochs: what was output is durable, the rest is computed again

![epochs](scheme-epochs.svg)

{self.epochs()}
A commit before each printed line, and each 10 or 64 ms. *checkpoint*: `scheme-unannounced`; *versions*: `scheme`. 1000 operations in a section, so that the clock is not read at each; plain does as many at a
time, which is up to a tenth faster than one by one. Paper: 2 to 9 %, with
latency below 20 %. *100 ns a line*: `NVM_MEDIA=write=100,flush=0,fence=0`.

## Each operation durable

![each operation](scheme-every.svg)

{self.every()}
{self.engines()}
*Protected pages*: the unmoved interpreter with all its memory in a mapped file, checkpointed by `mprotect()`, a signal and a log of pages (`vector/pages_process.c`). The paper: above 300 times.

## Versions

{self.versions()}
Old versions are bounded: engine versions has space for those of two epochs, and begins a new epoch when half of that is used. After a run the pool takes {before:.0f} MiB of the disk, after one of four times its
length {after:.0f} MiB (tak, 10 ms).

## A vector of keys and values

![vector](scheme-vector.svg)

{self.vector()}
ns of processor time an operation: a binary search in a sorted vector, and a store; each put durable before the next operation. *malloc* has anonymous memory, *mapped* is the same program on a file of the same medium,
both lose the vector in a crash. Moved by `nvmove --load load --section put vector.c`, two lines of output, no edit by hand.

In Scheme (`programs/vector.scm`, 1,000 pairs, 5,000 operations): each put prints a line, and is durable by then.

{self.scheme_vector()}
## Regions

![regions](scheme-regions.svg)

{self.regions()}
By the clock. `nvm_region()` in a pool of engine undo, which is open; a file that is made, sized and mapped; an object of libpmemobj in a pool that is open. A region of nvmove or libpmemobj is zeroed when it is made, so its pages exist by
then; those of a file are allocated with the first store. nvmove's first store to a page is a section of its own, committed; those of the others are not durable. *Found again*: in a second process, without opening the pool.

## Kills

{KILLS}"""
        measure.write_text(os.path.join(o.out, "scheme.md"), text)
        self.charts()
