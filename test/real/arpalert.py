# ===- arpalert.py - Who has which address, and who is new ------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""arpalert runs a script for each station that is new or has another address: that
is what it has acknowledged. When it is told to end, it writes all that it knows.
"""

import os
import signal
import time

from packets import Wire, received, reply
from real import Program

SCRIPT = """#!/bin/sh
echo "$1 $2 $5" >mail.$$ && mv mail.$$ sent.$PPID.$$
"""
SETTINGS = """interface = lo
use syslog = false
daemon = false
maclist file = ""
maclist alert file = ""
maclist leases file = "leases"
lock file = "lock"
user = ""
action on detect = "./script"
max alert = 100
dump inter = 1
dump new address = true
mac timeout = 2000000000
anti flood interval = 0
anti flood global = 1000000
max request = 1000000
alert on new address = true
alert on ip change = true
alert mac vendor = false
log mac vendor = false
mod mac vendor = false
"""


class Driver:
    def __init__(self, binary, folder, chance):
        self.program = Program([binary, "-f", "settings"], folder)
        self.folder, self.random = folder, chance
        self.wire, self.acknowledged, self.serial, self.loaded = None, 0, 0, False
        self.known = {}  # station -> address
        self.unsure = []  # what it may know by now
        self.write("settings", SETTINGS)
        self.write("script", SCRIPT)
        os.chmod(os.path.join(folder, "script"), 0o755)
        for _ in range(40):
            self.known[self.new_station()] = self.new_address()
        self.write("leases", "".join(f"{mac} {ip} lo {int(time.time())} 0\n" for mac, ip in self.known.items()))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def new_address(self):
        self.serial += 1
        return f"10.{self.serial >> 16}.{self.serial >> 8 & 255}.{self.serial & 255}"

    def new_station(self):
        return "02:" + ":".join(f"{self.random.randrange(256):02x}" for _ in range(5))

    def start(self):
        if self.loaded:
            # Whoever loads again finds this.
            self.write("leases", f"02:00:00:00:00:00 9.9.9.9 lo {int(time.time())} 0\n")
        self.loaded = True
        self.wire = Wire(os.path.join(self.folder, "wire"))
        self.program.start()
        self.wire.connect()
        self.unsure = [dict(self.known)]

    def work(self, end):
        is_new = self.random.random() < 0.6
        mac, ip = self.new_station() if is_new else self.random.choice(list(self.known)), self.new_address()
        if self.random.random() < 0.3:
            old = self.random.choice(list(self.known))  # says what is known
            self.wire.send(reply(int(time.time()), old, self.known[old]))
        self.known = {**self.known, mac: ip}
        self.unsure.append(self.known)
        self.wire.send(reply(int(time.time()), mac, ip))
        got = None
        while not got and not end.wait(0.001):
            got = received(self.folder, self.program.process.pid)
        if got:
            self.acknowledged += 1
            if got != [f"{mac} {ip} {3 if is_new else 0}"]:
                self.program.fail(f"the alert for {mac} at {ip} says {got}")
            # That an address changes is told first, and noted then.
            self.unsure = self.unsure[-1:] if is_new else self.unsure[-2:]

    def check(self):
        self.wire.close()
        self.unsure, unsure = [], self.unsure
        self.start()
        self.program.until("it catches what tells it to end", self.catches)
        self.program.process.send_signal(signal.SIGTERM)
        self.program.expect_end()
        self.wire.close()
        with open(os.path.join(self.folder, "leases"), encoding="utf-8") as file:
            found = dict(line.split()[:2] for line in file)
        if found not in unsure:
            wrong = [mac for mac in {*unsure[0], *found} if unsure[0].get(mac) != found.get(mac)]
            raise AssertionError(f"{len(wrong)} of {len(unsure[0])} stations are not as acknowledged: " + "; ".join(
                f"{mac} has {found.get(mac)} and had {unsure[0].get(mac)}" for mac in wrong[:5]))
        self.known = found

    def catches(self):
        with open(f"/proc/{self.program.process.pid}/status", encoding="utf-8") as file:
            caught = next(line for line in file if line.startswith("SigCgt:"))
        return int(caught.split()[1], 16) >> signal.SIGTERM - 1 & 1

    def summary(self):
        return f"{self.acknowledged} alerts, {len(self.known)} stations"
