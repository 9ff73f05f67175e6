# ===- arpwatch.py - Who has which address ---------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""arpwatch sends a mail for each station that is new or changed: that is what it
has acknowledged. At the end of its packets it writes all that it knows to a file.
It handles packets in their order, so what it knows must be what some number of
them has left, and those are at least the acknowledged ones.
"""

import copy
import os

from packets import Wire, received, reply
from real import Program

BEGIN = 1_000_000
HALF_A_YEAR = 6 * 30 * 24 * 60 * 60
END = 2**31 - HALF_A_YEAR - 2**20  # the library reads seconds as signed numbers of 32 bits
VENDORS = {"0:1:2": "Makers of Many", "a:b:c": "The Other Company"}
MAIL = """#!/bin/sh
sed -n 's/^ *ip address: /mail /p;s/^ *ethernet vendor: /vendor /p' >mail.$$ && mv mail.$$ sent.$PPID.$$
"""


class Driver:
    def __init__(self, binary, folder, chance):
        self.program = Program([binary, "-r", "wire", "-f", "arp.dat"], folder)
        self.folder, self.random = folder, chance
        self.wire = None
        self.known = {}  # address -> [(station, time)], the latest one first
        self.time, self.acknowledged, self.packets, self.loaded = BEGIN, 0, 0, False
        self.unsure = []  # what it may know by now
        self.write("sendmail", MAIL)
        os.chmod(self.path("sendmail"), 0o755)
        self.write("ethercodes.dat", "".join(f"{code}\t{name}\n" for code, name in VENDORS.items()))
        for number in range(40):
            self.see(f"10.0.0.{number}", self.new_station())
        self.write("arp.dat", "".join(f"{mac}\t{ip}\t{time}\n" for ip, known in self.known.items()
                                      for mac, time in known))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def new_station(self):
        return self.random.choice(list(VENDORS)) + "".join(f":{self.random.randrange(256):x}" for _ in range(3))

    def see(self, ip, mac):
        """What arpwatch does; true if it sends a mail."""
        self.time += HALF_A_YEAR + 1 if self.time < END and self.random.random() < 0.02 else 1
        seen = self.known.setdefault(ip, [])
        mail = not seen or seen[0][0] != mac or self.time - seen[0][1] > HALF_A_YEAR
        # One that was here before the last two comes back without a mail.
        mail &= mac not in [old for old, _ in seen[2:]]
        self.known[ip] = [(mac, self.time), *(entry for entry in seen if entry[0] != mac)]
        return mail

    def start(self):
        if self.loaded:
            # Whoever loads again finds this.
            self.write("arp.dat", "1:1:1:1:1:1\t9.9.9.9\t1\n")
            if os.path.exists(self.path("ethercodes.dat")):
                os.unlink(self.path("ethercodes.dat"))
        self.loaded = True
        self.wire = Wire(self.path("wire"))
        self.program.start()
        self.wire.connect()
        self.unsure = [copy.deepcopy(self.known)]

    def work(self, end):
        ip = f"10.{self.random.randrange(3)}.{self.random.randrange(3)}.{self.random.randrange(250)}"
        if self.random.random() < 0.5:
            ip = self.random.choice(list(self.known))
        macs = [mac for mac, _ in self.known.get(ip, [])]
        mac = self.random.choice(macs) if macs and self.random.random() < 0.6 else self.new_station()
        is_new, mail = ip not in self.known, self.see(ip, mac)
        self.unsure.append(copy.deepcopy(self.known))
        self.wire.send(reply(self.time, mac, ip))
        self.packets += 1
        if not mail:
            return
        got = None
        while not got and not end.wait(0.001):
            got = received(self.folder, self.program.process.pid)
        if got:
            self.acknowledged += 1
            vendor = VENDORS[":".join(mac.split(":")[:3])]
            if got != [f"mail {ip}", f"vendor {vendor}"]:
                self.program.fail(f"the mail for {ip} at {mac} of {vendor} says {got}")
            # That a station changes is told first, and noted then.
            self.unsure = self.unsure[-1:] if is_new else self.unsure[-2:]

    def check(self):
        self.wire.close()
        self.unsure, unsure = [], self.unsure
        self.start()
        self.wire.close()
        self.program.expect_end()
        found = {}
        with open(self.path("arp.dat"), encoding="utf-8") as file:
            for line in file:
                mac, ip, time = line.split("\t")
                found.setdefault(ip, []).append((mac, int(time)))
        if found not in unsure:
            latest = unsure[0]
            wrong = [ip for ip in {*latest, *found} if latest.get(ip) != found.get(ip)]
            raise AssertionError(f"{len(wrong)} of {len(latest)} addresses are not as acknowledged: "
                                 + "; ".join(f"{ip} is {found.get(ip)} and was {latest.get(ip)}" for ip in wrong[:5]))
        self.known = found

    def summary(self):
        return f"{self.packets} packets, {self.acknowledged} mails, {len(self.known)} addresses"
