#!/usr/bin/env python3
# ===- test_oracle.py - The oracle judges made-up servers ----------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""No server runs here: a state that a crash could leave is written down, and
the oracle has to tell a possible one from an impossible one."""

import sys
import time
import unittest

import hll
from model import Model, Session, Zset
from oracle import Client, InFlight, Mismatch, reply_matches
from resp import Parser, encode
from snapshot import EXPIRY_SLACK_S, Snapshot
from workload import Workload


def state(model):
    """What a server that agrees with the model would show."""
    snapshot = Snapshot()
    for db in model.dbs:
        snapshot.read_s[db.index] = time.time(), time.time()
        for key, value in db.values.items():
            snapshot.values[db.index, key] = value if isinstance(value, bytes) else type(value)(value)
        for key, due_s in db.expires.items():
            snapshot.expires[db.index, key] = due_s
        snapshot.asked_s[db.index] = 0
    return snapshot


class Judging(unittest.TestCase):
    def setUp(self):
        self.client = Client(1, [0, 1], EXPIRY_SLACK_S)
        self.client.apply([[b"SET", b"a", b"1"], [b"RPUSH", b"l", b"x", b"y"]], time.time())
        self.now = state(self.client.model)

    def pending(self, *operations):
        self.client.in_flight.extend(InFlight(list(commands)) for commands in operations)

    def test_nothing_in_flight(self):
        self.client.judge(self.now)

    def test_acknowledged_write_is_missing(self):
        del self.now.values[0, b"l"]
        with self.assertRaisesRegex(Mismatch, "b'l'"):
            self.client.judge(self.now)

    def test_key_came_back(self):
        self.now.values[1, b"ghost"] = b"1"
        with self.assertRaisesRegex(Mismatch, "ghost"):
            self.client.judge(self.now)

    def test_any_prefix_is_possible(self):
        operations = [[[b"INCR", b"a"]], [[b"RPUSH", b"l", b"z"]], [[b"DEL", b"a"]]]
        for done in range(4):
            self.setUp()
            self.pending(*operations)
            reached = Model()
            session = Session()
            for argv in ([b"SET", b"a", b"1"], [b"RPUSH", b"l", b"x", b"y"], *(o[0] for o in operations[:done])):
                reached.execute(session, argv, 0)
            self.client.judge(state(reached))

    def test_later_without_earlier_is_impossible(self):
        self.pending([[b"INCR", b"a"]], [[b"RPUSH", b"l", b"z"]])
        self.now.values[0, b"l"].append(b"z")
        with self.assertRaises(Mismatch):
            self.client.judge(self.now)

    def test_half_a_transaction_is_impossible(self):
        self.pending([[b"MULTI"], [b"INCR", b"a"], [b"RPUSH", b"l", b"z"], [b"EXEC"]])
        self.now.values[0, b"a"] = b"2"
        with self.assertRaises(Mismatch):
            self.client.judge(self.now)

    def test_half_a_command_is_impossible(self):
        self.pending([[b"MSET", b"b", b"1", b"c", b"2"]])
        self.now.values[0, b"b"] = b"1"
        with self.assertRaises(Mismatch):
            self.client.judge(self.now)

    def test_expiry_is_compared(self):
        self.client.apply([[b"EXPIRE", b"a", b"1000"]], time.time())
        with self.assertRaisesRegex(Mismatch, "expiry"):
            self.client.judge(self.now)
        self.now.expires[0, b"a"] = time.time() + 1001
        self.client.judge(self.now)

    def test_how_long_an_expiry_took_to_read_is_no_difference(self):
        self.client.apply([[b"EXPIRE", b"a", b"1000"]], time.time())
        self.now = state(self.client.model)
        self.now.expires[0, b"a"] += 5
        with self.assertRaisesRegex(Mismatch, "expiry"):
            self.client.judge(self.now)
        self.now.asked_s[0] = 4
        self.client.judge(self.now)

    def test_hash_and_sorted_set_differ(self):
        self.client.apply([[b"ZADD", b"z", b"1", b"m"]], time.time())
        self.now.values[0, b"z"] = {b"m": 1.0}
        with self.assertRaises(Mismatch):
            self.client.judge(self.now)
        self.now.values[0, b"z"] = Zset({b"m": 1.0})
        self.client.judge(self.now)


class Parts(unittest.TestCase):
    def test_parser_in_pieces(self):
        data = b"+OK\r\n-ERR x\r\n:42\r\n$3\r\na\r\n\r\n$-1\r\n*2\r\n$1\r\nx\r\n*0\r\n"
        parser, replies = Parser(), []
        for i in range(len(data)):
            parser.feed(data[i : i + 1])
            while (reply := parser.next()) is not Parser.INCOMPLETE:
                replies.append(reply)
        self.assertEqual([r for r in replies if not hasattr(r, "text")], ["OK", 42, b"a\r\n", None, [b"x", []]])

    def test_replies_differ_by_type(self):
        self.assertFalse(reply_matches("OK", b"OK"))
        self.assertFalse(reply_matches(1, b"1"))
        self.assertFalse(reply_matches([1], [1, 2]))

    def test_hyperloglog_registers(self):
        # What an unchanged server holds after PFADD p a b c.
        held = b'HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80`\xf3\x80P\xb1\x84K\xfb\x80BZ'
        registers = hll.Hll()
        for element in (b"a", b"b", b"c"):
            registers.add(element)
        self.assertEqual(hll.decode(held), registers)
        dense = hll.Hll()
        for i in range(5000):
            dense.add(b"%d" % i)
        packed = bytearray(hll.REGISTERS * 6 // 8 + 1)
        for index, value in dense.items():
            word = value << (index * 6 % 8)
            packed[index * 6 // 8] |= word & 255
            packed[index * 6 // 8 + 1] |= word >> 8
        self.assertEqual(hll.decode(b"HYLL\0" + bytes(11) + bytes(packed)), dense)
        sparse = b"HYLL\1" + bytes(11) + bytes([0x40 | 16379 >> 8, 16379 & 255, 0x80 | 2 << 2 | 1, 1])
        self.assertEqual(hll.decode(sparse), {16380: 3, 16381: 3})

    def test_workload_is_reproducible_and_modelled(self):
        streams = [Workload(5, [0, 1], flush_all=True) for _ in range(2)]
        model, session = Model(), Session()
        for _ in range(20000):
            operation = streams[0].operation()
            self.assertEqual(operation, streams[1].operation())
            for argv in operation:
                self.assertTrue(encode(argv))
                model.execute(session, argv, 1000.0)

    def test_every_type_survives_its_own_load(self):
        # Seed 358 empties the database with its last operation: what is there
        # at the end says nothing, what was there at any time does.
        for seed in (*range(5), 358):
            model, session, workload = Model(), Session(), Workload(seed, [0])
            kinds, empty = set(), []
            for count in range(5000):
                for argv in workload.operation():
                    model.execute(session, argv, 1000.0)
                if count % 100 == 0:
                    values = model.dbs[0].values
                    kinds |= {type(value).__name__ for value in values.values()}
                    empty += [k for k, v in values.items() if not v and not isinstance(v, (bytes, hll.Hll))]
            with self.subTest(seed=seed):
                self.assertEqual(kinds, {"bytes", "list", "set", "dict", "Zset", "Hll"})
                self.assertEqual(empty, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
