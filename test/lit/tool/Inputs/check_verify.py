# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_verify.py VERIFY-SCHEMA SARIF-SCHEMA FOLDER

Holds what nvmove verify writes to its schemas, and the SARIF file to the JSON
file: the same findings at the same places.
"""

import json
import os
import sys

import jsonschema

verify_schema, sarif_schema = (json.load(open(name)) for name in sys.argv[1:3])
verify, sarif = (json.load(open(os.path.join(sys.argv[3], name))) for name in ("verify.json", "verify.sarif"))
jsonschema.Draft7Validator.check_schema(verify_schema)
jsonschema.validate(verify, verify_schema)
jsonschema.Draft4Validator(sarif_schema).validate(sarif)

(run,) = sarif["runs"]
rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
errors = [result for result in run["results"] if result["level"] == "error"]
notes = [result for result in run["results"] if result["level"] == "note"]
assert {result["ruleId"] for result in run["results"]} == rules
assert len(errors) + len(notes) == len(run["results"])
assert len(errors) == len(verify["findings"]) and len(notes) == len(verify["notLookedAt"])
assert verify["announced"] == (not errors)
keys = [result["partialFingerprints"]["nvmove/v1"] for result in run["results"]]
assert len(set(keys)) == len(keys)
for result, finding in zip(errors, verify["findings"]):
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == finding["location"]["file"], finding
    assert place["region"]["startLine"] == finding["location"]["line"], finding
    assert result["ruleId"] == finding["id"], finding
