#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of names in the documentation finds planted errors, and nothing else."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))

from tidy_names import FOREIGN, check_names  # noqa: E402

SOURCES = {
    "passes/solve/RootFinder.cpp": "class RootFinder; void findRoots(); // finding: lost-root",
    "runtime/include/nvm.h": "#define NVM_ROOT(x)\nvoid nvm_start(void); /* NVM_POOL */",
    "tool/Options.cpp": '"--load"',
    "docs/other.md": "# A heading, with more",
}


def found(page, text):
    files = SOURCES | {page: text}
    reported = []
    check_names(sorted(files), files.__getitem__, lambda severity, path, line, words: reported.append((path, line, words)))
    assert all(path == page for path, _, _ in reported), reported
    return [words.split("'")[1] if "'" in words else words.split()[3] for _, _, words in reported]


class Names(unittest.TestCase):
    def test_right_names(self):
        text = ("`RootFinder.cpp`, RootFinder, `passes/solve`, `passes/solve/RootFinder`, `findRoots()`, `lost-root`, `NVM_ROOT(x)`,\n"
                "NVM_POOL, nvm_start(), `--load`, `$HOME/x`, `a <b>`, [other](other.md#a-heading-with-more), [web](https://x.invalid/y)\n"
                "    NVM_NOTHING in an example\n")
        self.assertEqual(found("docs/page.md", text), [])

    def test_planted_errors(self):
        for name in ("`RootSeeker.cpp`", "RootSeeker", "`passes/seek`", "`passes/solve/RootSeeker.cpp`", "`seekRoots()`", "`found-root`",
                     "`Finders`", "NVM_ROOTS", "`nvm_begun`", "--loads", "`loads_it`"):
            with self.subTest(name):
                self.assertEqual(found("docs/page.md", f"one\ntwo {name} three\n"), [name.strip("`").removesuffix("()")])
        self.assertEqual(found("docs/page.md", "[there](elsewhere.md) [that](other.md#a-heading) [this](#here)"),
                         ["elsewhere.md", "other.md#a-heading", "#here"])
        self.assertEqual(found("docs/man/x.1", "\\-\\-loads and NVM_ROOTS"), ["--loads", "NVM_ROOTS"])

    def test_results(self):
        text = "`loadThings()`, `thing.c`, `load_it`"
        self.assertEqual(found("docs/results/a.md", text + " `LoadThings`"), [])
        self.assertEqual(found("docs/results/a.md", "NVM_ROOTS RootSeeker `passes/seek`"), ["NVM_ROOTS", "RootSeeker", "passes/seek"])

    def test_foreign_names_are_used(self):
        top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        pages = ""
        for folder, _, files in os.walk(top):
            if "build" not in os.path.relpath(folder, top).split(os.sep)[0]:
                for file in files:
                    if file.endswith(".md"):
                        with open(os.path.join(folder, file), encoding="utf-8") as page:
                            pages += page.read()
        self.assertEqual([n for n in sorted(FOREIGN) if n not in pages], [])


if __name__ == "__main__":
    unittest.main()
