# ===- ovsdb.py - Rows of a database -------------------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""ovsdb-server keeps a database of rows, which clients change by transactions in
JSON. Before each check its file is as empty as before the first start.
"""

import contextlib
import hashlib
import json
import os
import socket

from real import Program

SCHEMA = {"name": "T", "version": "1.0.0", "tables": {"R": {"isRoot": True, "indexes": [["k"]], "columns": {
    "k": {"type": "string"}, "v": {"type": "integer"},
    "m": {"type": {"key": "string", "value": "integer", "min": 0, "max": "unlimited"}}}}}}


class Driver:
    def __init__(self, binary, folder, chance):
        self.folder, self.random, self.acknowledged = folder, chance, 0
        self.file = os.path.join(folder, "t.db")
        self.program = Program([binary, f"--remote=punix:{folder}/socket", f"--unixctl={folder}/control", "--no-chdir",
                                "-vconsole:warn", self.file], folder)
        self.rows = {}             # key -> (value, map), as acknowledged
        self.begun = None          # key, and what it is if that was done
        self.write_empty()

    def write_empty(self):
        text = json.dumps(SCHEMA) + "\n"
        with open(self.file, "w", encoding="ascii") as file:
            file.write(f"OVSDB JSON {len(text)} {hashlib.sha1(text.encode()).hexdigest()}\n{text}")

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(os.path.join(self.folder, "socket"))
        except OSError:
            return False
        self.connection, self.received, self.count = connection, "", 0
        return True

    def start(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, "socket"))
        self.program.start()
        self.program.until("it listens", self.connect)

    def transact(self, **operation):
        self.count += 1
        self.connection.sendall(json.dumps({"method": "transact", "id": self.count,
                                            "params": ["T", {"table": "R", **operation}]}).encode())
        while True:
            try:
                answer, end = json.JSONDecoder().raw_decode(self.received)
            except ValueError:
                more = self.connection.recv(1 << 16).decode()
                if not more:
                    raise EOFError from None
                self.received += more
                continue
            self.received = self.received[end:].lstrip()
            if answer.get("id") == self.count:
                return answer["result"][0]

    def work(self, end):
        while not end.is_set():
            key = f"key {self.random.randrange(400)}"
            where = [["k", "==", key]]
            value = (self.random.randrange(1 << 30), {f"m{i}": i for i in range(self.random.randrange(5))})
            row = {"k": key, "v": value[0], "m": ["map", list(map(list, value[1].items()))]}
            if key not in self.rows:
                self.begun = (key, value)
                answer = self.transact(op="insert", row=row)
            elif self.random.random() < 0.5:
                self.begun = (key, value)
                answer = self.transact(op="update", where=where, row=row)
            else:
                self.begun = (key, None)
                answer = self.transact(op="delete", where=where)
            if "error" in answer or answer.get("count", 1) != 1:
                raise AssertionError(f"not as acknowledged: {key}: {answer}")
            self.finish()
            self.acknowledged += 1

    def finish(self):
        key, value = self.begun
        self.rows[key] = value
        if value is None:
            del self.rows[key]
        self.begun = None

    def check(self):
        self.connection.close()
        self.write_empty()
        self.start()
        found = {row["k"]: (row["v"], dict(row["m"][1]))
                 for row in self.transact(op="select", where=[], columns=["k", "v", "m"])["rows"]}
        if self.begun and found.get(self.begun[0]) == self.begun[1]:
            self.finish()
        self.begun = None
        lost = sorted(key for key in found.keys() | self.rows.keys() if found.get(key) != self.rows.get(key))
        if lost:
            raise AssertionError(f"{len(lost)} of {len(self.rows)} rows are not as acknowledged: {lost[:5]}")
        self.connection.close()
        self.program.send_kill()
        self.program.expect_killed()

    def summary(self):
        return f"{self.acknowledged} transactions"
