# ===- packets.py - ARP packets, as a file of libpcap -----------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What programs that listen to a network are fed with, by a named pipe."""

import os
import struct

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)  # Ethernet


def address(text):
    return bytes(map(int, text.split(".")))


def station(text):
    return bytes(int(part, 16) for part in text.split(":"))


def reply(time, mac, ip):
    """`mac` says that it has `ip`: a record of the file."""
    mac = station(mac)
    packet = b"\xff" * 6 + mac + struct.pack(">HHHBBH", 0x0806, 1, 0x0800, 6, 4, 2) + mac + address(ip) + bytes(10)
    return struct.pack("<IIII", time, 0, len(packet), len(packet)) + packet


class Wire:
    """A named pipe that a program reads as if it were a file of packets."""

    def __init__(self, path):
        self.path, self.out = path, None
        if os.path.exists(path):
            os.unlink(path)  # a child of the last one may still have it
        os.mkfifo(path)

    def connect(self):
        """Waits for the program."""
        self.out = os.open(self.path, os.O_WRONLY)
        os.write(self.out, HEADER)

    def send(self, record):
        os.write(self.out, record)

    def close(self):
        if self.out is not None:
            os.close(self.out)
            self.out = None


def received(folder, pid):
    """What a script that the program runs has put there, by its own process id behind the program's; None: nothing yet."""
    found = [name for name in os.listdir(folder) if name.startswith(f"sent.{pid}.")]
    if not found:
        return None
    path = os.path.join(folder, found[0])
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.unlink(path)
    return lines
