# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_sarif.py SCHEMA REPORT.sarif REPORT.json

Holds the SARIF report to its schema, to what a schema cannot say, and to the
JSON report: the same verdicts and the same findings, at the level of their severity.
"""

import json
import re
import sys

import jsonschema

schema, sarif, report = (json.load(open(name)) for name in sys.argv[1:4])
jsonschema.Draft4Validator.check_schema(schema)
jsonschema.Draft4Validator(schema).validate(sarif)

(run,) = sarif["runs"]
rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
fingerprints = set()


def locations(value):
    if isinstance(value, dict):
        if "artifactLocation" in value:
            yield value
        for inner in value.values():
            yield from locations(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from locations(inner)


for result in run["results"]:
    assert result["ruleId"] in rules, result["ruleId"]
    key = result["partialFingerprints"]["nvmove/v1"]
    assert key not in fingerprints, key
    fingerprints.add(key)
    verdict = result["ruleId"] in ("persistent-type", "root")
    assert not verdict or result["level"] == "note", result
    if result["ruleId"] == "persistent-type":
        assert result["codeFlows"], key
for place in locations(run["results"]):
    uri = place["artifactLocation"]["uri"]
    assert not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/", uri), uri
    assert re.fullmatch(r"[A-Za-z0-9._~/%+,=@!$()*-]+", uri), uri
    assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]


def count(rule):
    return sum(result["ruleId"] == rule for result in run["results"])


assert count("persistent-type") == len(report["types"]) > 0
assert count("root") == len(report["roots"]) > 0
LEVEL = {"act": "error", "check": "warning", "note": "note"}
found = sorted((f["id"], LEVEL[f["severity"]], f["what"] + " -> " + f["advice"]) for f in report["findings"])
assert found == sorted((r["ruleId"], r["level"], r["message"]["text"]) for r in run["results"]
                       if r["ruleId"] not in ("persistent-type", "root")), found
for finding in report["findings"]:
    rule = rules[finding["id"]]
    assert rule["shortDescription"]["text"] == finding["title"] and rule["help"]["text"], rule
