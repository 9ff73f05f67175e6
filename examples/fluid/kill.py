#!/usr/bin/env python3
# ===- kill.py - killed again and again, and the same to the bit ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs a simulation undisturbed, then once more with kill -9 at random moments.

After each kill the same command is started again, until it ends by itself. The final states
must be the same to the bit, and no step that was told on stdout may be told again: it was
durable by then (--epochs: commits are apart in time, and what was told may be lost).
"""

import argparse
import filecmp
import os
import random
import subprocess
import sys
import tempfile
import time

KEPT = {"files": "checkpoint.0", "backup": "checkpoint", "pool": "pool"}


class Failed(Exception):
    """The simulation, or what it is compared with."""


class Simulation:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.first = os.path.join(folder, "first")
        self.env = dict(os.environ)
        self.env.pop("NVM_POOL", None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, program, out, *more):
        o = self.options
        return [program, "-t", str(o.threads), *more, str(o.steps), self.first, self.path(out)]

    def undisturbed(self):
        begin = time.monotonic()
        subprocess.run(self.command(self.options.plain, "expected"), check=True, env=self.env)
        return time.monotonic() - begin

    def disturbed(self):
        """As started, and started again, with what it keeps."""
        if self.options.technique == "pool":
            env = {**self.env, "NVM_POOL": self.path("pool"), "NVM_ENGINE": self.options.engine}
            if not self.options.epochs:
                env["NVM_EPOCH_MS"] = "0"
            return self.command(self.options.program, "result", "-p"), env
        return self.command(self.options.program, "result", "-p", "-c", self.path("checkpoint")), self.env


def told(lines):
    return [int(line.split()[1]) for line in lines if line.startswith("step ") and line.endswith("\n")]


def run_once(simulation, after, delay_s):
    """Killed so long after it has told so many steps, unless it has ended. Whether it was, and the steps."""
    command, env = simulation.disturbed()
    lines = []
    with open(simulation.path("errors"), "w+", encoding="utf-8") as errors, \
            subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        while after is not None and len(lines) < after and (line := process.stdout.readline()):
            lines.append(line)
        if after is not None:
            time.sleep(delay_s)
            process.kill()
        lines += process.stdout.readlines()
        if process.wait() not in (0, -9):
            errors.seek(0)
            raise Failed(f"ended with {process.returncode}: {errors.read()}")
    return process.returncode != 0, told(lines)


def whole_run(simulation, chance, step_s, kills):
    """Until it ends by itself, killed `kills` times at most."""
    last, killed = 0, 0
    while True:
        after = chance.randrange(simulation.options.steps // 2) if killed < kills else None
        was_killed, steps = run_once(simulation, after, chance.uniform(0, 2 * step_s))
        if steps and steps[0] <= last and not simulation.options.epochs:
            raise Failed(f"step {steps[0]} is told again, after step {last}: it was not durable")
        last = steps[-1] if steps else last
        if not was_killed:
            return killed
        killed += 1


def forget(simulation):
    for name in os.listdir(simulation.folder):
        if name not in ("first", "expected"):
            os.remove(simulation.path(name))


def run(options, folder):
    simulation = Simulation(options, folder)
    subprocess.run([options.make, str(options.side), simulation.first], check=True)
    taken = simulation.undisturbed()
    chance, kills, runs = random.Random(options.seed), 0, 0
    while kills < options.kills:
        kills += whole_run(simulation, chance, taken / options.steps, options.kills - kills)
        runs += 1
        if not filecmp.cmp(simulation.path("expected"), simulation.path("result"), shallow=False):
            raise Failed("the result differs from that of the undisturbed run")
        if runs == 1 and not os.path.exists(simulation.path(KEPT[options.technique])):
            raise Failed("nothing was kept")
        forget(simulation)
    name = options.technique + (f" {options.engine}" if options.technique == "pool" else "")
    return f"{os.path.basename(options.program)}, {name}, {options.threads} threads: {kills} kills in {runs} runs, each the same to the bit"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", required=True, help="fluid-make")
    parser.add_argument("--plain", required=True, help="the program, for the undisturbed run")
    parser.add_argument("--program", required=True, help="the one to kill")
    parser.add_argument("--technique", required=True, choices=sorted(KEPT))
    parser.add_argument("--engine", default="redo", help="of a pool")
    parser.add_argument("--epochs", action="store_true", help="of a pool: commits as the engine proposes, not at each step")
    parser.add_argument("--side", type=int, default=20, help="size: particles of the column each way (20)")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    options = parser.parse_args()
    medium = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="fluid-", dir=medium) as folder:
        try:
            print(run(options, folder))
        except (Failed, subprocess.CalledProcessError) as error:
            print(f"kill.py: FAILED with seed {options.seed}: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
