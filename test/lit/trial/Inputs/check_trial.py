# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_trial.py TRIAL-SCHEMA FOLDER

Holds what nvmove trial writes to its schema, and to what the text beside it says.
"""

import json
import os
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(os.path.join(sys.argv[2], "trial.json"), encoding="utf-8") as file:
    trial = json.load(file)
with open(os.path.join(sys.argv[2], "trial.txt"), encoding="utf-8") as file:
    text = file.read()
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(trial, schema)

assert trial["lost"] == bool(trial["losses"])
assert trial["lost"] != ("\nnothing is lost\n" in text)
assert bool(trial["questions"]) == ("not seen in the answers" in text)
for difference in trial["differences"]:
    assert trial["lost"] and difference["path"] in text and difference["undisturbed"] in text, difference
    assert difference["command"] is None or f"-> {difference['command']}\n" in text, difference
small = os.path.join(sys.argv[2], "trial-input.txt")
assert (trial["smallestInput"] is not None) == os.path.exists(small)
if trial["smallestInput"]:
    with open(small, encoding="utf-8") as file:
        assert file.read().splitlines() == trial["smallestInput"]["lines"]
