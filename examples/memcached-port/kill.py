#!/usr/bin/env python3
# ===- kill.py - kill -9 under load from four clients, and compare -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Kills a moved memcached at random moments, starts it again and compares.

Two clients speak the text and two the binary protocol; each remembers what it was
told of its keys. Beside them the crawler runs, slab pages are moved and the hash
table grows. After each restart every item is looked at: value, flags, CAS and
expiry. The lists of the LRU and the hash table must hold the same keys, each once,
and of the memory not a chunk may be lost.

--mode sections   nothing that was acknowledged is lost
--mode epochs     the state is that of one moment, at most so far back as NVM_EPOCH_MS
                  and what it takes to notice (--slack-ms)
"""

import argparse
import os
import random
import sys
import threading
import time

from client import Binary, Gone, Server, ServerError, Text
from model import SOON_S, History, Mismatch, State, judge

LARGE_BYTES = 700_000


class Client(threading.Thread):
    def __init__(self, number, kind, path, history, rng, options):
        super().__init__(daemon=True)
        self.number, self.kind, self.path = number, kind, path
        self.history, self.rng, self.options = history, rng, options
        self.told, self.error = 0, None

    def run(self):
        try:
            with self.kind(self.path) as connection:
                while True:
                    self.operate(connection)
        except (Gone, ConnectionError):
            pass
        except Exception as error: # a thread's own error would be lost
            self.error = error

    def fresh_value(self, size):
        stem = b"%d.%d." % (self.number, self.rng.getrandbits(60))
        return (stem * (size // len(stem) + 1))[:max(size, len(stem))]

    def operate(self, c):
        rng = self.rng
        key = b"c%d.%d" % (self.number, rng.randrange(self.options.keys))
        if rng.random() < 0.3:
            self.look(c, key)
        elif rng.random() < 0.003:
            self.store(c, b"set", b"c%d.large" % self.number, self.fresh_value(LARGE_BYTES))
        elif (state := self.history.now(key)) and state.may_be_gone():
            self.store(c, b"set", key, self.fresh_value(rng.choice((20, 90, 90, 200, 900, 4000))))
        else:
            self.change(c, key, state)

    def change(self, c, key, state):
        rng = self.rng
        choice = rng.random()
        if choice < 0.1:
            self.delete(c, key)
        elif choice < 0.2:
            self.count(c, b"c%d.n%d" % (self.number, rng.randrange(20)))
        elif choice < 0.3:
            self.touch(c, key, rng.choice((0, 3600, 7200)))
        elif choice < 0.4 and state:
            verb = rng.choice((b"append", b"prepend"))
            self.extend(c, verb, key, self.fresh_value(30))
        elif choice < 0.5 and state and (seen := c.get(key)):
            self.store(c, b"cas", key, self.fresh_value(90), cas=seen[2])
        else:
            verb = rng.choice((b"set", b"set", b"set", b"add", b"replace"))
            expiry = rng.choice((0, 0, 0, 0, 0, 3600, 3600, 4))
            self.store(c, verb, key, self.fresh_value(rng.choice((20, 90, 90, 200, 900, 4000))), rng.getrandbits(16), expiry)

    def expect(self, key, what, is_right):
        if not is_right:
            raise Mismatch(f"{key!r}: the running server answers {what}, and should have {self.history.now(key)}")
        self.told += 1

    def look(self, c, key):
        seen, state = c.get(key), self.history.now(key)
        if state is None or (seen is None and state.may_be_gone()):
            self.expect(key, seen, seen is None)
            return
        self.expect(key, seen, seen and seen[:2] == (state.value, state.flags) and (state.cas or 0) <= seen[2])
        self.history.learn(key, seen[2])

    def store(self, c, verb, key, value, flags=0, expiry=0, cas=None):
        before = self.history.now(key)
        expiry_s = time.time() + expiry if expiry else 0
        step = self.history.ask(key, State(value, flags, None, expiry_s))
        done, new_cas = c.store(verb, key, value, flags, expiry, cas)
        should = {b"add": before is None, b"replace": before is not None, b"cas": done}.get(verb, True)
        self.finish(key, step, done, new_cas, should)
        if verb == b"cas" and not done: # its page was moved, and it has a new one
            self.look(c, key)

    def extend(self, c, verb, key, part):
        state = self.history.now(key)
        if len(state.value) > 6000:
            return
        value = state.value + part if verb == b"append" else part + state.value
        step = self.history.ask(key, State(value, state.flags, None, state.expiry_s))
        done, cas = c.store(verb, key, part)
        self.finish(key, step, done, cas, True)

    def finish(self, key, step, done, cas, should):
        if done:
            self.history.tell(step, cas)
        else:
            self.history.undo(key)
        self.expect(key, done, done == should)

    def delete(self, c, key):
        should = self.history.now(key) is not None
        step = self.history.ask(key, None)
        self.finish(key, step, c.delete(key), None, should)

    def touch(self, c, key, expiry):
        state = self.history.now(key)
        if state is None:
            return self.expect(key, "touched", not c.touch(key, expiry))
        step = self.history.ask(key, State(state.value, state.flags, state.cas, time.time() + expiry if expiry else 0))
        return self.finish(key, step, c.touch(key, expiry), None, True)

    def count(self, c, key):
        state = self.history.now(key)
        if state is None:
            return self.store(c, b"set", key, b"%d" % self.rng.randrange(10 ** 9, 10 ** 10))
        by = self.rng.choice((1, 3, 1000, -1, -7))
        number = int(state.value) + by
        step = self.history.ask(key, State(b"%d" % number, state.flags, None, state.expiry_s))
        answer, cas = c.add_number(key, by)
        self.history.tell(step, cas)
        return self.expect(key, answer, answer == number)


class Upkeep(threading.Thread):
    """Has the crawler run and pages move from classes with room."""

    def __init__(self, path, rng):
        super().__init__(daemon=True)
        self.path, self.rng, self.moves, self.error = path, rng, 0, None

    def run(self):
        try:
            with Text(self.path) as c:
                while True:
                    c.word(b"lru_crawler crawl all")
                    self.move(c)
                    stats = c.stats()
                    lost = [n for n in ("evictions", "slab_reassign_evictions_nomem", "slab_reassign_busy_deletes") if stats[n] != "0"]
                    if lost:
                        raise ServerError(f"the memory is too small for this test: {lost}")
                    time.sleep(0.02)
        except (Gone, ConnectionError):
            pass
        except Exception as error:
            self.error = error

    def move(self, c):
        slabs = c.stats(b"slabs")
        classes = [int(n.split(":")[0]) for n in slabs if n.endswith(":chunk_size")]
        rich = [i for i in classes if int(slabs[f"{i}:total_pages"]) > 1 and
                int(slabs[f"{i}:free_chunks"]) > 1.5 * int(slabs[f"{i}:chunks_per_page"])]
        if rich:
            self.moves += c.word(b"slabs reassign %d %d" % (self.rng.choice(rich), self.rng.choice(classes))) == b"OK"


def walk(c, how, living, known):
    """The walk does not stop those who move items between the lists, so it may miss one, or meet it twice."""
    keys, there = [], set()
    for _ in range(50):
        try:
            keys = [line.split(b" ")[0][4:] for line in c.lines(b"lru_crawler metadump " + how)]
        except ServerError: # busy: memcached crawls by itself
            time.sleep(0.1)
            continue
        there = set(keys)
        if len(there) == len(keys) and not living - there and not there - known:
            return
        time.sleep(0.1)
    raise Mismatch(f"by {how.decode()}: missing {sorted(living - there)[:4]}, unknown {sorted(there - known)[:4]}, "
                   f"{len(keys) - len(there)} stand there twice")


def count_chunks(c, large):
    """No chunk of the memory may belong to nobody; a large item has up to three. Pages may be on the move."""
    for _ in range(50):
        slabs, items = c.stats(b"slabs"), int(c.stats()["curr_items"])
        used = sum(int(v) for n, v in slabs.items() if n.endswith(":used_chunks"))
        if items <= used <= items + 2 * large:
            return
        time.sleep(0.1)
    raise Mismatch(f"{used} chunks are in use for {items} items")


def compare(server, histories):
    """What judge() says, and how many items there are."""
    with Text(server.path) as c:
        looked, living, large = [], set(), 0
        for history in histories:
            for key, steps in history.steps.items():
                seen = c.look(key)
                looked.append((history, key, steps, seen))
                large += seen is not None and len(seen[0]) > LARGE_BYTES // 2
                if seen is not None and (seen[3] == 0 or seen[3] > time.time() + SOON_S):
                    living.add(key)
        lost = judge([rest for _, *rest in looked])
        steps = looked and lost and next(s for _, key, s, _ in looked if key == lost[1])
        details = steps and [(s.state, s.told_s) for s in steps[-3:]]
        known = {key for _, key, _, _ in looked}
        for how in (b"all", b"hash"):
            walk(c, how, living, known)
        count_chunks(c, large)
        for history, key, _, seen in looked:
            history.settle(key, seen)
    return lost and (*lost, details), len(living)


class Rounds:
    """On one pool, so that what one round does is there for the next."""

    def __init__(self, options):
        self.options = options
        self.rng = random.Random(options.seed)
        self.end_s = time.monotonic() + 60 * options.minutes
        self.told = self.moves = self.kills = 0
        self.restart_s, self.back_s = [], []

    def run(self, kills):
        arguments = ["-t", str(self.options.threads), "-m", "512", "-o", "hashpower=13", *self.options.argument]
        env = dict(setting.split("=", 1) for setting in self.options.env)
        with Server(self.options.tree, arguments, env) as server:
            try:
                server.start()
                histories = [History() for _ in range(4)]
                for _ in range(kills):
                    if time.monotonic() < self.end_s:
                        self.round(server, histories)
                if server.stop() != 0:
                    raise ServerError("the server did not end well")
                server.start()
                if compare(server, histories)[0]:
                    raise Mismatch("a clean stop loses what was told")
            except (Mismatch, ServerError) as error:
                raise type(error)(f"{error}\n{server.log_text()[-3000:]}") from error

    def round(self, server, histories):
        kinds = (Text, Binary, Text, Binary)
        threads = [Client(i, kind, server.path, history, random.Random(self.rng.random()), self.options)
                   for i, (kind, history) in enumerate(zip(kinds, histories))]
        upkeep = Upkeep(server.path, self.rng)
        for thread in [*threads, upkeep]:
            thread.start()
        time.sleep(self.rng.uniform(*self.options.window_s))
        killed_s = time.monotonic()
        server.kill()
        for thread in [*threads, upkeep]:
            thread.join()
            if thread.error:
                raise thread.error
        self.told += sum(t.told for t in threads)
        self.moves += upkeep.moves
        self.kills += 1
        self.restart_s.append(server.start())
        lost, items = compare(server, histories)
        self.judge(lost, killed_s)
        say(f"{self.kills} kills, {self.told:,} operations, {items} items, {self.moves} moves")

    def judge(self, lost, killed_s):
        if lost is None:
            return
        told_s, key, steps = lost
        back_s = max(0.0, killed_s - told_s)
        self.back_s.append(back_s)
        if self.options.mode == "sections":
            raise Mismatch(f"of {key!r} is lost what was told {1000 * back_s:.1f} ms before the kill: {steps}")
        if back_s * 1000 > self.options.epoch_ms + self.options.slack_ms:
            raise Mismatch(f"the state is {1000 * back_s:.1f} ms back: {key!r}")


def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}"[:160], end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--mode", choices=("sections", "epochs"), default="sections")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pools", type=int, default=4, help="the kills are on so many pools, one after the other (4)")
    parser.add_argument("--keys", type=int, default=3000, help="of each client (3000)")
    parser.add_argument("--threads", type=int, default=4, help="of the server (4)")
    parser.add_argument("--epoch-ms", type=int, default=64)
    parser.add_argument("--slack-ms", type=int, default=36, help="of the longest section, and of a busy machine (36)")
    parser.add_argument("--window-s", type=float, nargs=2, default=(0.1, 1.0), help="from the start to the kill")
    parser.add_argument("--minutes", type=float, default=1000, help="no more kills after that")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the server, e.g. NVM_ENGINE=undo")
    parser.add_argument("--argument", action="append", default=[], help="one more, for the server")
    options = parser.parse_args()
    options.env.append(f"NVM_EPOCH_MS={0 if options.mode == 'sections' else options.epoch_ms}")
    rounds = Rounds(options)
    begin = time.monotonic()
    try:
        for i in range(options.pools):
            rounds.run(options.kills // options.pools + (i < options.kills % options.pools))
    except (Mismatch, ServerError) as error:
        say("")
        print(f"kill.py: FAILED with seed {options.seed} after {rounds.kills} kills: {error}")
        return 1
    say("")
    back = sorted(rounds.back_s)
    result = ("nothing that was told is lost" if options.mode == "sections" else
              f"each time the state of one moment, at most {1000 * max(back, default=0):.0f} ms back"
              f" (half of them {1000 * back[len(back) // 2] if back else 0:.0f} ms)")
    restarts = sorted(rounds.restart_s)
    print(f"kill.py: {rounds.kills} kills, {rounds.told:,} operations, {rounds.moves} pages moved: {result}; "
          f"restart {1000 * restarts[len(restarts) // 2]:.0f} ms ({time.monotonic() - begin:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
