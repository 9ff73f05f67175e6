# ===- model.py - What a cache must hold after a crash -------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Each key's states since the last restart, with when they were asked for and told.

A state that was seen after the restart tells of the moment to which the server went
back: behind the request for that state, and before the answer to the next one. All
keys must tell of one moment.
"""

import time
from dataclasses import dataclass, replace


SOON_S = 20
CLOCK_S = 10 # of the server, whose seconds are coarse, and late under load


class Mismatch(Exception):
    pass


@dataclass(frozen=True)
class State:
    value: bytes
    flags: int
    cas: int | None      # not told yet
    expiry_s: float      # by time.time(); 0: none

    def is_seen_as(self, seen, is_later):
        """`is_later`: the answer did not come, so the CAS is not known."""
        value, flags, cas, expiry_s = seen
        if value != self.value or flags != self.flags:
            return False
        if self.cas is not None and not is_later and cas < self.cas:
            return False
        if self.expiry_s == 0 or expiry_s == 0:
            return self.expiry_s == expiry_s
        return abs(expiry_s - self.expiry_s) <= CLOCK_S

    def may_be_gone(self):
        """It expires soon: the server's clock may be late under load."""
        return 0 < self.expiry_s < time.time() + SOON_S


@dataclass
class Step:
    state: State | None  # None: no such key
    asked_s: float
    told_s: float | None # None: killed before
    learned_s: float = 0 # when the state's CAS was seen, if no answer told it

    def holds(self, seen):
        """A CAS that was only seen may be of a page that moved meanwhile: a smaller one is of a moment before."""
        return self.state.is_seen_as(seen, self.told_s is None or self.learned_s)

    def end_s(self, seen):
        """By when the server is past the step as it is seen, by the step alone."""
        return self.learned_s if self.learned_s and seen and seen[2] < self.state.cas else float("inf")


class History:
    """Of the keys of one client."""

    def __init__(self):
        self.steps = {}

    def now(self, key):
        steps = self.steps.get(key)
        return steps[-1].state if steps else None

    def ask(self, key, state):
        step = Step(state, time.monotonic(), None)
        self.steps.setdefault(key, [Step(None, 0, 0)]).append(step)
        return step

    def tell(self, step, cas=None):
        step.told_s = time.monotonic()
        if cas is not None and step.state:
            step.state = replace(step.state, cas=cas)

    def undo(self, key):
        """The server said that it did nothing."""
        self.steps[key].pop()

    def learn(self, key, cas):
        """The first one that is told: a page that is moved, or not yet, gives its items new ones."""
        step = self.steps[key][-1]
        if step.state.cas is None:
            step.state, step.learned_s = replace(step.state, cas=cas), time.monotonic()

    def settle(self, key, seen):
        """After a restart the key is as it was seen."""
        if seen is None:
            del self.steps[key]
        else:
            self.steps[key] = [Step(State(*seen), 0, 0)]


class Moment:
    """When the server's state is of, as far as the keys tell."""

    def __init__(self):
        self.after_s, self.before_s = 0.0, float("inf")
        self.after_key = self.before_key = None

    @staticmethod
    def fits(key, steps, seen):
        """The ranges in which the moment may be, one for each step that looks like what is seen."""
        fits = []
        for i, step in enumerate(steps):
            if seen is None:
                fit = step.state is None or step.state.may_be_gone()
            else:
                fit = step.state is not None and step.holds(seen)
            if fit:
                after_s = step.asked_s
                following = steps[i + 1] if i + 1 < len(steps) else None
                before_s = following.told_s if following and following.told_s is not None else float("inf")
                fits.append((after_s, min(before_s, step.end_s(seen))))
        if not fits:
            raise Mismatch(f"{key!r} is {seen}, and was never so. It was: " +
                           "; ".join(str(s.state) for s in steps[-4:]))
        return fits

    def narrow(self, key, after_s, before_s):
        if after_s > self.after_s:
            self.after_s, self.after_key = after_s, key
        if before_s < self.before_s: # inf: there is no such answer
            self.before_s, self.before_key = before_s, key


def judge(looked):
    """looked: (key, steps, seen). When the answer came that the server forgot first, and its key; None: none was."""
    moment = Moment()
    ambiguous = []
    for key, steps, seen in looked:
        fits = moment.fits(key, steps, seen)
        if len(fits) == 1:
            moment.narrow(key, *fits[0])
        else:
            ambiguous.append((key, fits))
    if moment.after_s > moment.before_s:
        raise Mismatch(f"{moment.after_key!r} is as it was asked for {moment.after_s - moment.before_s:.4f} s after "
                       f"a change of {moment.before_key!r} was told, which is lost")
    for key, fits in ambiguous: # a deletion looks like an earlier one
        if not any(a <= moment.before_s and b >= moment.after_s for a, b in fits):
            raise Mismatch(f"{key!r} is of another moment than {moment.after_key!r} and {moment.before_key!r}")
    return None if moment.before_key is None else (moment.before_s, moment.before_key)
