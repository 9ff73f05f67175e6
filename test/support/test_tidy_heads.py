#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of first lines finds planted errors, and nothing else."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))

from tidy_heads import check_head  # noqa: E402


def found(path, first):
    reported = []
    check_head(path, [first, "//"], lambda severity, path, line, words: reported.append(words))
    return reported


class Heads(unittest.TestCase):
    def test_right_lines(self):
        for path, first in (("passes/a/Roots.cpp", "//===- Roots.cpp - Which slots are roots ------===//"),
                            ("passes/a/Roots.h", "//===- Roots.h - Which slots are roots -*- C++ -*-===//"),
                            ("runtime/src/heap/runs.c", "/*===- runs.c - pages in a row ----==="),
                            ("runtime/include/nvmove/nvm.h", "/*===- nvmove/nvm.h - what a program calls ---===")):
            with self.subTest(first):
                self.assertEqual(found(path, first), [])

    def test_planted_errors(self):
        for first, words in (("//===- Root.cpp - Which slots are roots ------===//", "has the name Root.cpp"),
                             ("//===- Roots.cpp - Which slots are roots -*- C++", "NAME - WHAT IT IS"),
                             ("//===- Roots.cpp ------===//", "NAME - WHAT IT IS"),
                             ("// Which slots are roots", "NAME - WHAT IT IS"),
                             ("//===- Roots.cpp - Which slots are roots " + "-" * 40 + "===//", "80 columns")):
            with self.subTest(first):
                self.assertEqual(len(found("passes/a/Roots.cpp", first)), 1)
                self.assertIn(words, found("passes/a/Roots.cpp", first)[0])


if __name__ == "__main__":
    unittest.main()
