#!/usr/bin/env python3
# ===- mosquitto_crash.py - kill -9 of a moved MQTT broker ----------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Moves mosquitto, then kills it under load, again and again, and stops it at times.

Whatever it has acknowledged must be there afterwards: the latest retained
message of each topic, the sessions of clients that were away, and every message
that was queued for them.
"""

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from mqtt import Client
from patches import pkg_config
import patches

TOPICS = 40
# Which connections are open is made anew by each start; all else is kept.
AFRESH = "db.contexts_by_sock"


def build(program, options, folder):
    """The broker's path."""
    flags = program["build"]["flags"]
    if options.unmoved:
        tree, (_, report) = options.tree, patches.analyse(program, options, options.tree, os.path.join(folder, "out"))
    else:
        tree, report = patches.move(program, options, folder, ["--afresh", AFRESH])
    files = [file["path"] for file in report["files"] if file["state"] == "analysed"]
    binary = options.build or os.path.join(folder, "mosquitto")
    command = ["gcc", "-O1", "-g", "-w", *pkg_config("--cflags").split(), *flags, *files, "-o", binary,
               *pkg_config("--libs").split(), "-lssl", "-lcrypto", "-ldl", "-lm", "-lrt", "-lpthread"]
    subprocess.run(command, cwd=tree, check=True)
    return binary


def build_by_cmake(program, options, folder):
    """By its own build system: the compiler moves it, and the source stays as it is."""
    launcher = ";".join(["nvmove-cc", "--load", ",".join(program["load"]), "--afresh", AFRESH])
    subprocess.run(["cmake", "-S", options.tree, "-B", os.path.join(folder, "build"), "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc",
                    f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_C_LINKER_LAUNCHER={launcher}",
                    "-DWITH_CJSON=OFF", "-DDOCUMENTATION=OFF", "-DWITH_CLIENTS=OFF"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["cmake", "--build", os.path.join(folder, "build"), "-j2", "--target", "mosquitto"],
                          check=False, capture_output=True, text=True)
    moved = [line for line in done.stdout.splitlines() if line.endswith("[moved]")]
    if done.returncode or len(moved) != 1:
        raise AssertionError(f"the build ended with status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    print(moved[0])
    return os.path.join(folder, "build", "src", "mosquitto")


class Broker:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.config = os.path.join(folder, "conf")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
                       f"persistence_location {folder}/\nautosave_interval 0\nsys_interval 0\n"
                       "max_queued_messages 0\nuser root\n")
        self.process = None

    def start(self):
        environment = dict(os.environ, NVM_POOL=os.path.join(self.folder, "pool"), NVM_SIZE="64M")
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([self.binary, "-c", self.config], env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                self.fail(f"the broker ended with status {self.process.returncode} while starting")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.01)
        self.fail("the broker does not answer")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        if self.process.wait() != -signal.SIGKILL:
            self.fail(f"the broker ended by itself with status {self.process.returncode}")

    def stop(self):
        """In good order: it frees all that it has."""
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait() != 0:
            self.fail(f"the broker, told to stop, ended with status {self.process.returncode}")

    def fail(self, text):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            tail = "".join("    | " + line for line in file.readlines()[-20:])
        raise AssertionError(f"{text}\n{tail}")


class Oracle:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.retained = {}  # topic -> values that it may have
        self.owed = {}  # message -> promised, or only tried
        self.serial = 0

    def publish_until_killed(self, broker):
        """Some messages; the last one may or may not have been taken over."""
        client = Client(broker.port, "publisher")
        try:
            while True:
                self.serial += 1
                value, qos = f"value {self.serial} " + "x" * self.random.randrange(200), self.random.choice((1, 2))
                if self.random.random() < 0.5:
                    topic = f"kept/{self.random.randrange(TOPICS)}"
                    self.retained.setdefault(topic, {None}).add(value)
                    client.publish(topic, value, qos, retain=True)
                    self.retained[topic] = {value}
                else:
                    self.owed[value] = False
                    client.publish(f"queue/{self.random.randrange(5)}", value, qos)
                    self.owed[value] = True
        except OSError:
            client.close()

    def check_retained(self, client):
        client.subscribe("kept/#", 0)
        found = dict(client.messages(0.4))
        for topic, allowed in self.retained.items():
            if found.get(topic) not in allowed:
                raise AssertionError(f"{topic} is {found.get(topic)!r:.40}, and may be {sorted(map(repr, allowed))!s:.120}")
            self.retained[topic] = {found.get(topic)}
        return len(found)

    def check_queued(self, client):
        found = {value for _, value in client.messages(0.4)}
        lost = [value for value, promised in self.owed.items() if promised and value not in found]
        if lost:
            raise AssertionError(f"{len(lost)} of {len(self.owed)} queued messages are lost, {lost[0]:.40} among them")
        self.owed = {}
        return len(found)


def crash(binary, folder, options):
    broker, oracle = Broker(binary, folder), Oracle(options.seed)
    broker.start()
    away = Client(broker.port, "away", clean=False)
    away.subscribe("queue/#", 2)
    away.close()
    kept = queued = 0
    for run in range(options.kills):
        end = broker.stop if run % 4 == 3 else broker.kill
        timer = threading.Timer(oracle.random.uniform(0.05, 0.6), end)
        timer.start()
        oracle.publish_until_killed(broker)
        timer.join()
        broker.start()
        kept = oracle.check_retained(Client(broker.port, "looks"))  # and is connected at the next kill
        away = Client(broker.port, "away", clean=False)
        if not away.has_session:
            broker.fail("the session of a client that was away is lost")
        queued += oracle.check_queued(away)
        if oracle.random.random() < 0.5:
            away.close()
    broker.kill()
    print(f"{options.kills} kills and stops: {kept} retained messages, {queued} queued ones, nothing lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    parser.add_argument("--unmoved", action="store_true", help="the program as it is, which must fail")
    parser.add_argument("--by-cmake", action="store_true", help="moved by nvmove-cc, in its own build")
    parser.add_argument("--build", metavar="FILE", help="only write the broker there")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    options = parser.parse_args()
    with open(options.truth, encoding="utf-8") as file:
        program = json.load(file)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        binary = (build_by_cmake if options.by_cmake else build)(program, options, folder)
        if not options.build:
            crash(binary, folder, options)


if __name__ == "__main__":
    sys.exit(main())
