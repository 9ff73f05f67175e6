# ===- pgbouncer.py - Who may log in ----------------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""pgbouncer loads who may log in, and with which password, from a file: at
start-up, and anew when RELOAD on its console asks for it. When it has answered
that, its users are those of the file, also after a restart that finds another.
"""

import os
import socket
import struct

from real import Program

KEEPER = ("keeper", "of the keys")


class Console:
    """A client of the administration console."""

    def __init__(self, port, user, password):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.input = self.socket.makefile("rb")
        pairs = b"".join(text.encode() + b"\0" for text in ("user", user, "database", "pgbouncer", ""))
        self.socket.sendall(struct.pack(">II", len(pairs) + 8, 196608) + pairs)
        kind, body = self.message()
        self.may = kind == b"R" and body == struct.pack(">I", 3)
        if self.may:
            self.send(b"p", password)
            kind, body = self.message()
            self.may = kind == b"R" and body == struct.pack(">I", 0)
        if self.may:
            self.until_ready()

    def send(self, kind, text):
        body = text.encode() + b"\0"
        self.socket.sendall(kind + struct.pack(">I", len(body) + 4) + body)

    def message(self):
        head = self.input.read(5)
        if len(head) < 5:
            raise EOFError
        kind, length = struct.unpack(">cI", head)
        return kind, self.input.read(length - 4)

    def until_ready(self):
        found = []
        while True:
            kind, body = self.message()
            found.append((kind, body))
            if kind == b"Z":
                return found

    def ask(self, text):
        self.send(b"Q", text)
        return self.until_ready()

    def close(self):
        self.input.close()
        self.socket.close()


class Driver:
    def __init__(self, binary, folder, chance):
        self.program, self.folder, self.random = Program([binary, "pgbouncer.ini"], folder), folder, chance
        self.acknowledged = 0
        self.users = {f"user {number}": "first" for number in range(30)}
        self.unsure = [self.users]
        self.names = [f"user {number}" for number in range(60)]
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.write("pgbouncer.ini", "[databases]\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
                   f"listen_port = {self.port}\nunix_socket_dir =\nauth_type = plain\nauth_file = users\n"
                   f"admin_users = {KEEPER[0]}\nstats_users = {', '.join(self.names)}\n"
                   + ("user = nobody\n" if os.getuid() == 0 else ""))
        self.write_users(self.users)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path + ".new", 0o644)
        os.rename(path + ".new", path)

    def write_users(self, users):
        self.write("users", "".join(f'"{name}" "{password}"\n' for name, password in [KEEPER, *users.items()]))

    def start(self):
        # Not root, but the file has to be found.
        os.chmod(self.folder, 0o755)
        os.chmod(os.path.dirname(self.folder), 0o755)
        self.program.start()
        self.program.until("it listens", self.answers)

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def work(self, end):
        console = Console(self.port, *KEEPER)
        while not end.is_set():
            users = dict(self.users)
            for name in self.random.sample(self.names, 5):
                users.pop(name, None)
                if self.random.random() < 0.6:
                    users[name] = f"password {self.acknowledged}"
            self.write_users(users)
            self.unsure = [self.users, users]
            if (b"C", b"RELOAD\0") not in console.ask("RELOAD"):
                self.program.fail("RELOAD is refused")
            self.users = users
            self.acknowledged += 1
            self.unsure = [users]

    def check(self):
        # Whoever loads again finds this.
        self.write_users({name: "wrong" for name in self.names})
        self.start()
        # As it is, or as it was to be.
        found = [users for users in self.unsure if all(self.admits(name, users.get(name)) for name in self.names)]
        if not found:
            wrong = [name for name in self.names if not self.admits(name, self.unsure[0].get(name))]
            raise AssertionError(f"{len(wrong)} of {len(self.names)} users are not as acknowledged: {wrong[:5]}")
        self.users = found[0]
        self.program.send_kill()
        self.program.expect_killed()

    def admits(self, name, password):
        """That password and no other; with None, none."""
        def may(text):
            console = Console(self.port, name, text)
            console.close()
            return console.may
        return not may("wrong") and not may("") if password is None else may(password) and not may("wrong")

    def summary(self):
        return f"{self.acknowledged} times loaded anew, {len(self.users)} users"
