#!/usr/bin/env python3
# ===- kill_ranks.py - ranks that are killed, and ranks that hang ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Ranks over MPI on the loopback device, and a monitor that waits for their heartbeats.

--kills: ranks are killed with -9 in random steps, and are back within the time-out: the monitor misses
none, and no other rank is started again. --hangs: a rank is stopped, the time-out is missed, and all
ranks go on together from the last good state. --jobs: some of all processes are killed, then the others,
mpirun, links and programs, and the same command is given again. In all cases all particles end as in one
undisturbed process without MPI, to the bit.
"""

import argparse
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

HEAD, PARTICLE = 65536, 40
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"]


class Failed(Exception):
    """The ranks, or what they are compared with."""


def particles(paths):
    """Of all files, by number, which is the last word of each."""
    found = []
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()[HEAD:]
        found += (data[at:at + PARTICLE] for at in range(0, len(data), PARTICLE))
    return sorted(found, key=lambda p: int.from_bytes(p[36:], "little"))


def descendants(pid):
    """Of all its threads, and theirs."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
            for child in children:
                found += [child, *descendants(child)]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


class Ranks:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)

    def path(self, name):
        return os.path.join(self.folder, name)

    def steps_done(self, rank):
        try:
            with open(self.path(f"ranks/exchange.{rank}"), "rb") as file:
                return struct.unpack("4Q", file.read(32))[2]
        except (FileNotFoundError, struct.error):
            return 0

    def forget_steps(self):
        """What was said of them before the next start says it."""
        for rank in range(self.options.ranks):
            path = self.path(f"ranks/exchange.{rank}")
            if os.path.exists(path):
                with open(path, "r+b") as file:
                    file.seek(16)
                    file.write(bytes(8))

    def pid(self, rank):
        with open(self.path(f"ranks/pid.{rank}"), encoding="utf-8") as file:
            return int(file.read())

    def wait_for(self, process, rank, step):
        while self.steps_done(rank) < step:
            if process.poll() is not None:
                raise Failed(f"ended early, with {process.returncode}")
            time.sleep(0.001)
        time.sleep(self.chance.uniform(0, 0.02))

    def disturb(self, process):
        """The ranks that were killed or stopped, with the process that it was."""
        o, done = self.options, []
        steps = sorted(self.chance.sample(range(1, o.steps - 5), o.kills + o.hangs))
        for number, step in enumerate(steps):
            rank = self.chance.randrange(o.ranks)
            self.wait_for(process, rank, step)
            pid = self.pid(rank)
            os.kill(pid, signal.SIGKILL if number < o.kills else signal.SIGSTOP)
            done.append((rank, pid))
            while self.pid(rank) == pid and process.poll() is None:
                time.sleep(0.001)
        return done

    def kill_job(self, process):
        """Some of all processes with -9, and the others a moment later, in any order."""
        pids = [process.pid, *descendants(process.pid)]
        self.chance.shuffle(pids)
        first = self.chance.randrange(1, len(pids) + 1)
        for number, pid in enumerate(pids):
            if number == first:
                time.sleep(self.chance.uniform(0, 0.05))
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait(60)

    def jobs(self, command, env, log):
        """Killed so many times, each at a step that was not done before it, and how far they were apart."""
        apart, step = 0, 0
        for number in range(self.options.jobs):
            step = max(step, *(self.steps_done(rank) for rank in range(self.options.ranks)))
            step += self.chance.randrange(1, 2 + max(0, self.options.steps - 5 - step) // (self.options.jobs - number))
            self.forget_steps()
            with subprocess.Popen(command, env=env, stdout=log, stderr=log) as process:
                self.wait_for(process, self.chance.randrange(self.options.ranks), min(step, self.options.steps - 2))
                self.kill_job(process)
            done = [self.steps_done(rank) for rank in range(self.options.ranks)]
            apart += len(set(done)) > 1
        return apart

    def run(self):
        o = self.options
        subprocess.run([o.make, str(o.side), self.path("first")], check=True)
        subprocess.run([o.plain, str(o.steps), self.path("first"), self.path("expected")], check=True)
        os.mkdir(self.path("ranks"))
        command = [*MPIRUN, "-n", str(o.ranks + 1), o.mpi, str(o.timeout), self.path("ranks"), o.program, str(o.steps), self.path("first")]
        env = {key: value for key, value in os.environ.items() if not key.startswith("NVM_")}
        if o.engine:
            env["NVM_ENGINE"] = o.engine
        with open(self.path("log"), "w+", encoding="utf-8") as log:
            apart = self.jobs(command, env, log)
            self.forget_steps()
            with subprocess.Popen(command, env=env, stdout=log, stderr=log) as process:
                first = []
                try:
                    for rank in range(o.ranks):
                        self.wait_for(process, rank, 1)
                    first = [self.pid(rank) for rank in range(o.ranks)]
                    disturbed = self.disturb(process)
                    process.wait(600)
                finally:
                    process.terminate()
            log.seek(0)
            text = log.read()
        if process.returncode != 0:
            raise Failed(f"ended with {process.returncode}: {text}")
        return self.judge(text, first, disturbed) + (f"; {o.jobs} times all processes were killed, {apart} times with ranks at different steps" if o.jobs else "")

    def judge(self, text, first, disturbed):
        o = self.options
        told = {key: float(value) for key, _, value in (line.partition(": ") for line in text.splitlines()) if key in ("beats", "longest", "missed", "waited")}
        others = [rank for rank in range(o.ranks) if rank not in {rank for rank, _ in disturbed}]
        restarted = [rank for rank in others if self.pid(rank) != first[rank]]
        of_steps = o.timeout.endswith("x")
        if o.hangs == 0 and not of_steps and (told["missed"] or restarted):
            raise Failed(f"the time-out was missed, or ranks {restarted} were started again: {text}")
        if o.hangs and (not told["missed"] or restarted != others):
            raise Failed(f"no time-out was missed, or of ranks {others} only {restarted} were started again: {text}")
        if particles([self.path("expected")]) != particles([self.path(f"ranks/out.{rank}") for rank in range(o.ranks)]):
            raise Failed("the result differs from that of one process")
        return (f"{o.ranks} ranks, {o.engine or 'files'}: {o.kills} kills, {o.hangs} hangs, time-outs missed: {told['missed']:.0f} of {told['waited']:.0f} ms"
                f"{f' ({o.timeout[:-1]} steps)' if of_steps else ''}, "
                f"longest without a heartbeat {told['longest']:.0f} ms; the same to the bit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", required=True, help="fluid-make")
    parser.add_argument("--plain", required=True, help="fluid-list, for the undisturbed run")
    parser.add_argument("--mpi", required=True, help="fluid-mpi")
    parser.add_argument("--program", required=True, help="fluid-ranks")
    parser.add_argument("--engine", help="it is moved: of its pools")
    parser.add_argument("--ranks", type=int, default=3, help="besides the monitor (3)")
    parser.add_argument("--side", type=int, default=20)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--hangs", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=0, help="kills of all processes, before the others")
    parser.add_argument("--timeout", default="30000", help="ms (30000), or 3x: three steps, by what one takes at the start; then missing it is counted, and no fault")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    options = parser.parse_args()
    medium = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="fluid-", dir=medium) as folder:
        try:
            print(Ranks(options, folder).run())
        except (Failed, subprocess.SubprocessError) as error:
            print(f"kill_ranks.py: FAILED with seed {options.seed}: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
