# ===- xymond.py - The state of a network -----------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""xymond is told the state of tests on hosts, and answers what it knows of them.
What it has answered it knows after a crash, too.
"""

import os
import signal
import socket

from real import Program

HOSTS = [f"host{number}.example" for number in range(12)]
TESTS = [f"test{number}" for number in range(8)]
COLOURS = ["green", "yellow", "red"]


class Driver:
    def __init__(self, binary, folder, chance):
        self.folder, self.random, self.acknowledged = folder, chance, 0
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        path = {name: os.path.join(folder, name) for name in ("hosts.cfg", "restart", "saved", "pid")}
        # Its channels to other programs are found by XYMONHOME.
        self.program = Program(["env", f"XYMONHOME={folder}", f"XYMONTMP={folder}", f"XYMONSERVERLOGS={folder}",
                                f"HOSTSCFG={path['hosts.cfg']}", "MACHINEDOTS=localhost", binary, "--no-daemon",
                                f"--listen=127.0.0.1:{self.port}", f"--hosts={path['hosts.cfg']}",
                                f"--restart={path['restart']}", f"--checkpoint-file={path['saved']}",
                                "--checkpoint-interval=1", "--flap-count=0", f"--pidfile={path['pid']}"], folder)
        self.write("hosts.cfg", "".join(f"0.0.0.0 {host}\n" for host in HOSTS))
        self.known = {(host, "test0"): ("green", "as it was saved", "") for host in HOSTS}
        self.write_saved(self.known)
        self.unsure = {}  # what one test may be, too

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_saved(self, rows):
        """As xymond saves what it knows."""
        self.write("restart", "".join(
            f"@@XYMONDCHK-V1||{host}|{test}|127.0.0.1|{colour}||{colour}|1000000000|1000000000|2000000000|0|0||0|"
            f"{colour} {text}|||0|0\n" for (host, test), (colour, text, _) in rows.items()))

    def start(self):
        self.program.start()
        self.program.until("it listens", self.answers)

    def answers(self):
        try:
            self.ask("ping")
            return True
        except OSError:
            return False

    def ask(self, text):
        """Till the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as client:
            client.sendall(text.encode())
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while part := client.recv(65536):
                answer += part
            return answer.decode()

    def board(self, host=""):
        answer = self.ask(f"xymondboard {host and f'host={host}'} fields=hostname,testname,color,line1,dismsg")
        found = {}
        for line in answer.splitlines():
            parts = line.split("|", 4)
            if len(parts) < 5:
                raise EOFError
            host, test, colour, text, disabled = parts
            if test in TESTS:
                found[host, test] = colour, text.partition(" ")[2].strip(), disabled.replace("\\n", "").strip()
        return found

    def work(self, end):
        host, test = self.random.choice(HOSTS), self.random.choice(TESTS)
        old = self.known.get((host, test))
        colour, text = self.random.choice(COLOURS), f"as of {self.acknowledged}" + "x" * self.random.randrange(300)
        if old and not old[2] and self.random.random() < 0.1:
            new, command = ("blue", old[1], f"since {self.acknowledged}"), f"disable {host}.{test} 60 since {self.acknowledged}"
        elif old and old[2]:
            new, command = None, f"drop {host} {test}"
        else:
            new, command = (colour, text, ""), f"status {host.replace('.', ',')}.{test} {colour} {text}"
        self.unsure = {(host, test): new}
        self.ask(command)
        found = self.board(host).get((host, test))
        if found != new:
            if end.is_set():
                raise EOFError  # killed, the answer may be cut short
            self.program.fail(f"{test} of {host}, after '{command}', is {found} and was to be {new}")
        self.take(host, test, new)
        self.unsure = {}
        self.acknowledged += 1

    def take(self, host, test, row):
        if row:
            self.known[host, test] = row
        else:
            self.known.pop((host, test), None)

    def check(self):
        # Whoever loads again finds this.
        self.write_saved({(host, "test1"): ("red", "of another time", "") for host in HOSTS})
        self.start()
        found = self.board()
        for (host, test), row in self.unsure.items():
            if found.get((host, test)) == row:
                self.take(host, test, row)
        wrong = [at for at in {*found, *self.known} if found.get(at) != self.known.get(at)]
        if wrong:
            raise AssertionError(f"{len(wrong)} of {len(self.known)} tests are not as acknowledged: " + "; ".join(
                f"{at} is {found.get(at)} and was {self.known.get(at)}" for at in wrong[:3]))
        # In good order, so that it takes its channels away.
        os.kill(self.program.process.pid, signal.SIGTERM)
        self.program.expect_end()

    def summary(self):
        return f"{self.acknowledged} changes, {len(self.known)} tests"
