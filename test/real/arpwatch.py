#!/usr/bin/env python3
# ===- arpwatch.py - kill -9 of a moved arpwatch --------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Moves arpwatch, feeds it packets, and kills it while it takes them in.

It is restarted with an empty capture, after which it writes down what it knows:
that must be what a model knows after some packet, and not before the last one
that the killed process has reported.
"""

import os
import struct
import subprocess
import sys
import threading

import ported

SAID = b"          ip address:"  # once in each report
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)


def packet(time_s, mac, address):
    frame = b"\xff" * 6 + mac + b"\x08\x06" + struct.pack(">HHBBH", 1, 0x800, 6, 4, 1) + mac + address + b"\0" * 10
    return struct.pack("<IIII", time_s, 0, len(frame), len(frame)) + frame


class Model:
    """Address -> [[mac, time] ..], the latest first."""

    def __init__(self):
        self.stations = {}

    def copy(self):
        other = Model()
        other.stations = {address: [list(entry) for entry in entries] for address, entries in self.stations.items()}
        return other

    def take(self, time_s, mac, address):
        """Whether arpwatch says something about it."""
        entries = self.stations.setdefault(address, [])
        old = next((n for n, entry in enumerate(entries) if entry[0] == mac), None)
        if old is None:
            entries.insert(0, [mac, time_s])
            return True
        entries.insert(0, [mac, time_s])
        del entries[old + 1]
        return old == 1


def written(path):
    """What arpwatch has written down."""
    found = Model()
    with open(path, encoding="ascii") as file:
        for line in file:
            mac, address, time_s = line.rstrip("\n").split("\t")[:3]
            address = bytes(int(part) for part in address.split("."))
            found.stations.setdefault(address, []).append([bytes(int(part, 16) for part in mac.split(":")), int(time_s)])
    return found


class Watch(ported.Process):
    def __init__(self, binary, folder, mails):
        self.capture, self.data = os.path.join(folder, "capture"), os.path.join(folder, "arp.dat")
        command = ["unshare", "-rn", binary, *([] if mails else ["-d"]), "-r", self.capture, "-f", self.data]
        super().__init__(command, folder, stdout=subprocess.PIPE)
        self.feed = ported.wait_for(self.opened, 60, "it opens no capture")
        self.feed.write(HEADER)

    def opened(self):
        """The capture, once it is read."""
        if self.child.poll() is not None:
            self.fail(f"it ended with status {self.child.returncode} while starting")
        try:
            descriptor = os.open(self.capture, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return None
        os.set_blocking(descriptor, True)
        return open(descriptor, "wb", buffering=0)


def feed(watch, packets):
    try:
        for each in packets:
            watch.feed.write(packet(*each))
    except BrokenPipeError:
        pass


def written_at_end(binary, folder):
    """A run without a packet."""
    with open(os.path.join(folder, "arp.dat"), "w", encoding="ascii"):
        pass
    watch = Watch(binary, folder, mails=False)
    watch.feed.close()
    watch.child.stdout.read()
    watch.ends_well()
    return written(watch.data)


def crash(binary, folder, kills, chance):
    os.mkfifo(os.path.join(folder, "capture"))
    with open(os.path.join(folder, "arp.dat"), "w", encoding="ascii"):
        pass
    model, time_s, taken, late = Model(), 1_000_000_000, 0, 0
    for number in range(kills):
        packets = []
        for _ in range(chance.randrange(1, 400)):
            time_s += chance.randrange(1, 50)
            mac = bytes([2, 0, 0, 0, 0, chance.randrange(6)])
            # Two addresses of each third fall on one entry of the table.
            address = bytes([10, chance.randrange(3), 0, chance.randrange(1, 60)])
            packets.append((time_s, mac, address))
        watch = Watch(binary, folder, mails=False)
        feeder = threading.Thread(target=feed, args=(watch, packets))
        feeder.start()
        reports = chance.randrange(60)
        said = 0
        for line in watch.child.stdout:
            said += line.startswith(SAID)
            if said > reports:
                break
            if said == reports and number % 2:
                break
        watch.kill()
        feeder.join()
        said += sum(line.startswith(SAID) for line in watch.child.stdout.read().splitlines())
        watch.feed.close()
        states, reported, last = [model.copy()], 0, 0
        for n, each in enumerate(packets):
            reported += model.take(*each)
            if reported == said and not last:
                last = n + 1
            states.append(model.copy())
        found = written_at_end(binary, folder)
        first = max(0, last - 1)  # the last one may have been under way
        at = next((n for n in range(first, len(states)) if states[n].stations == found.stations), None)
        if at is None:
            early = next((n for n in range(first) if states[n].stations == found.stations), None)
            watch.fail(f"{said} reports, so {first} packets at least are known; the state is "
                       + (f"that after {early}" if early is not None else f"none that ever was: {len(found.stations)} "
                          f"stations of {len(states[-1].stations)}"))
        model, taken, late = states[at], taken + at, late + at - first
    print(f"{kills} kills: {taken} packets taken, {len(model.stations)} stations, nothing lost")


if __name__ == "__main__":
    sys.exit(ported.main(crash, __doc__))
