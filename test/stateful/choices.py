# ===- choices.py - What a generated program is made of ---------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Every choice has a name and a die of its own: what one of them is made to be changes none of the others, so that a
program that fails is made smaller choice by choice."""

import random


class Choices:
    """`fixed` says what some are; `without` names what none may be: {"load": {"temporary"}}."""

    def __init__(self, seed, fixed=(), without=()):
        self.seed, self.fixed, self.without = seed, dict(fixed), dict(without)
        self.made = {}     # name -> what it is
        self.plainest = {}

    def die(self, name):
        return random.Random(f"{self.seed}/{name}")

    def pick(self, name, options):
        """One of the options, the first of which is the plainest."""
        avoided = self.without.get(name.rpartition(".")[2], ())
        options = [o for o in options if o not in avoided] or list(options)[:1]
        value = self.die(name).choice(options)
        if self.fixed.get(name) in options:
            value = self.fixed[name]
        self.made[name], self.plainest[name] = value, options[0]
        return value

    def seldom(self, name, options):
        """One of the options: in about five of six programs the first, the plainest."""
        return self.pick(name, list(options) + list(options)[:1] * (5 * (len(options) - 1)))

    def some(self, name, options, least, most):
        """A few of the options; each of them is a choice of its own: to be there or not."""
        avoided = self.without.get(name.rpartition(".")[2], ())
        options = [o for o in options if o not in avoided]
        die = self.die(name)
        chosen = die.sample(options, min(len(options), die.randint(least, most)))
        return [o for k, o in enumerate(chosen) if k < least or self.is_there(f"{name}.{o}")]

    def is_there(self, name):
        self.made[name], self.plainest[name] = self.fixed.get(name, True), False
        return self.made[name]
