# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_findings.py OUTPUT REPORT.json

Every count of findings is the number of lines in the list below it, and what the JSON report counts.
"""

import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
questions = json.load(open(sys.argv[2], encoding="utf-8"))["statistics"]["questions"]
QUESTION = re.compile(r"  (?:\S| {10,}\S)")  # two spaces, then a place or the room for one
LEFT_OUT = re.compile(r"  \.\.\. (\d+) more ")
counted = {}
for part in text.split("\n\n"):
    lines = part.strip("\n").splitlines()
    heading = lines and re.match(r"(\d+) findings? to (act on|check|know) ", lines[0])
    if heading:
        left_out = [int(m[1]) for line in lines if (m := LEFT_OUT.match(line))]
        listed = [line for line in lines[1:] if QUESTION.match(line) and not LEFT_OUT.match(line)]
        assert int(heading[1]) == len(listed) + sum(left_out), (lines[0], len(listed), left_out)
        counted[{"act on": "act", "check": "check", "know": "note"}[heading[2]]] = int(heading[1])
    elif lines and (notes := re.match(r"\+ (\d+) notes?: ", lines[0])):
        counted["note"] = int(notes[1])
assert {"act": 0, "check": 0, "note": 0} | counted == questions, (counted, questions)
