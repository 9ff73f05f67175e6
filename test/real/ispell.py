# ===- ispell.py - Words that somebody has added ------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""ispell accepts words that its user adds: for this session, or for the personal
dictionary, which it writes when it is asked to, or ends. It is asked by lines, as
editors do, or it shows a file on a terminal. A word that it has accepted once is
accepted after a crash, too, without the personal dictionary.
"""

import fcntl
import os
import pty
import select
import subprocess
import termios
import time

from real import Program


class Lines:
    """As an editor uses it: ispell -a."""

    def __init__(self, program, personal, _=()):
        program.start("-a", "-p", personal, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.close = program.close
        self.input, self.output = program.process.stdin, program.process.stdout
        if not self.output.readline().startswith(b"@(#)"):
            raise EOFError

    def accepts(self, word):
        self.say("^" + word)
        answer = self.output.readline()
        if not answer or not self.output.readline():
            raise EOFError
        return answer[:1] in (b"*", b"+", b"-")

    def say(self, line):
        self.input.write(line.encode() + b"\n")
        self.input.flush()

    def add(self, words, random, end):
        """Those that were accepted."""
        for word in words:
            if end.is_set():
                break
            self.say(random.choice("@*&") + word)
            if self.accepts(word):
                yield word
            if random.random() < 0.1:
                self.say("#")


class Screen:
    """A file on a terminal, of which each word is unknown."""

    def __init__(self, program, personal, words):
        self.program, self.text = program, b""
        self.terminal, self.other = pty.openpty()
        path = os.path.join(program.folder, "text")
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(word + "\n" for word in [*words, "thelast"]))
        os.environ["TERM"] = "vt100"
        program.start("-p", personal, path, stdin=self.other, stdout=self.other, start_new_session=True,
                      preexec_fn=lambda: fcntl.ioctl(self.other, termios.TIOCSCTTY, 0))

    def add(self, words, random, end):
        for word, following in zip(words, [*words[1:], "thelast"]):
            # It is asked about, is accepted, and is not asked about any longer.
            if end.is_set() or not self.shows(word, end):
                break
            os.write(self.terminal, random.choice(b"iau").to_bytes(1, "big"))
            if self.shows(following, end):
                yield word

    def shows(self, word, end):
        self.text = b""
        until = time.monotonic() + 20
        while not end.is_set() and time.monotonic() < until:
            # Its heading names the word and the file.
            if b" " + word.encode() in self.text and b"File: " in self.text:
                return True
            if select.select([self.terminal], [], [], 0.01)[0]:
                self.text += os.read(self.terminal, 100_000)
        if not end.is_set():
            self.program.fail(f"{word} is not shown, but {self.text!r}")
        return False

    def close(self):
        os.close(self.terminal)
        os.close(self.other)


class Driver:
    def __init__(self, binary, folder, chance):
        self.folder, self.random, self.acknowledged = folder, chance, 0
        words = os.path.join(os.path.dirname(binary), "words.hash")
        self.program = Program([binary, "-d", words], folder)
        self.personal = os.path.join(folder, "personal")
        self.write_personal(["loaded"])
        self.known, self.talk, self.starts = {"loaded"}, None, 0

    def write_personal(self, words):
        with open(self.personal, "w", encoding="ascii") as file:
            file.write("".join(word + "\n" for word in words))

    def start(self):
        self.starts += 1
        kind = Screen if self.starts % 2 else Lines
        self.words = [self.new_word() for _ in range(2000)]
        self.talk = kind(self.program, self.personal, self.words)

    def new_word(self):
        return "".join(self.random.choice("bcdfghjkmpqvwxz") for _ in range(12))

    def work(self, end):
        for word in self.talk.add(self.words, self.random, end):
            self.known.add(word)
            self.acknowledged += 1

    def check(self):
        self.talk.close()
        self.write_personal([])
        lines = Lines(self.program, self.personal)
        lost = [word for word in sorted(self.known) if not lines.accepts(word)]
        if lost:
            raise AssertionError(f"{len(lost)} of {len(self.known)} words are not as acknowledged: {lost[:5]}")
        if lines.accepts(self.new_word()):
            raise AssertionError("it accepts what it was never told")
        self.program.send_kill()
        self.program.expect_killed()
        lines.close()

    def summary(self):
        return f"{self.acknowledged} words"
