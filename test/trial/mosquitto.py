#!/usr/bin/env -S python3 -BIS
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A driver for nvmove trial: each part is a client of mosquitto that does one thing."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "corpus"))

from mqtt import Client  # noqa: E402

PARTS = """away subscribes to queue/#
publishes kept/one first
publishes queue/a hello
away receives
publishes kept/one second
publishes queue/b waits
looks at kept/#
away receives"""

if len(sys.argv) == 1:
    sys.exit(print(PARTS))
words = sys.argv[1].split()
if words[0] == "publishes":
    Client("sock", "publisher").publish(words[1], words[2], 1, words[1].startswith("kept"))
    print("taken over")
elif words[0] == "looks":
    client = Client("sock", "looks")
    client.subscribe(words[2], 0)
    print(sorted(client.messages(0.2)))
elif words[1] == "subscribes":
    Client("sock", "away", clean=False).subscribe(words[3], 1)
    print("subscribed")
else:
    client = Client("sock", "away", clean=False)
    print("session" if client.has_session else "no session", client.messages(0.2))
