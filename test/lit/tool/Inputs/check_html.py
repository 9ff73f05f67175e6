# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_html.py REPORT.html REPORT.json

Holds the page to what it promises: well formed, nothing fetched from anywhere,
ids unique, every link inside leads somewhere, and everything that the JSON
report names is there.
"""

import json
import re
import sys
import xml.etree.ElementTree

text = open(sys.argv[1], encoding="utf-8").read()
report = json.load(open(sys.argv[2]))
doctype, body = text.split("\n", 1)
assert doctype == "<!DOCTYPE html>", doctype
page = xml.etree.ElementTree.fromstring(body)

ids = [e.get("id") for e in page.iter() if e.get("id")]
assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)

FETCHING = {"src", "href", "srcset", "action", "data", "poster", "background", "xlink:href"}
for element in page.iter():
    assert element.tag not in ("link", "iframe", "object", "embed", "base", "img"), element.tag
    for name, value in element.attrib.items():
        assert not name.startswith("on"), name
        if name in FETCHING:
            assert value.startswith("#"), value
            assert value[1:] in ids, f"{value} leads nowhere"
        for target in re.findall(r"url\(([^)]*)\)", value):
            assert target[0] == "#" and target[1:] in ids, target
    if element.tag in ("style", "script"):
        assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch\(|XMLHttp", element.text), element.tag
assert page.find(".//meta[@name='viewport']") is not None


def words(element):
    return "".join(element.itertext())


by_id = {e.get("id"): words(e) for e in page.iter() if e.get("id")}
for i, kind in ((i, kind) for kind in ("type", "root") for i in range(len(report[kind + "s"]))):
    entry = report[kind + "s"][i]
    shown = by_id[f"{kind}-{i}"]
    assert (entry["name"] if kind == "type" else entry["path"]) in shown
    for step in entry["witness"]["callPath"]:
        assert f"{step['location']['file']}:{step['location']['line']}" in shown
    for field in entry.get("fields", []):
        assert field["name"] in shown and field["verdict"] in shown
rows = {tuple(words(cell) for cell in list(row)[:3])
        for table in page.iter("table") if table.get("class") == "fields" for row in table}
for entry in report["types"]:
    for field in entry["fields"]:
        assert (field["name"], field["verdict"], field["basis"]) in rows, field["name"]
for i, cut in enumerate(report["cuts"]):
    assert cut["stop"] in by_id[f"cut-{i}"]
# One thing is no "1 things".
assert not re.search(r"\b1 (persistent |suggested |struct )?"
                     r"(types|roots|cuts|sections|sites|files|functions|lines)\b", words(page.find("body")))
# The words of a narrow column stay whole.
assert ".fields td:not(:last-child) { white-space: nowrap; }" in page.find(".//style").text
# What a narrow screen cuts off is announced.
svg = page.find(".//svg")
if svg is not None and int(svg.get("width")) > 400:
    assert any(p.get("class") == "hint" for p in page.iter("p"))
boxes = [words(g) for g in page.iter("g")]
everything = words(page.find("body"))
for entry in report["types"]:
    assert entry["name"] in boxes
for section in report["sections"]:
    assert section["name"] in everything
count_of_link = {a.get("href")[1:]: words(a.find("b")) for a in page.find(".//nav")}
# What there is to do comes first, and is open; how the result came about is closed.
order = [e.get("id") for e in page.iter("h2")]
assert order[:3] == ["act", "check", "notes"], order
for part, severity in zip(page.iter("section"), ("act", "check", "note")):
    shown, known = words(part), [f for f in report["findings"] if f["severity"] == severity]
    count, questions = report["statistics"]["questions"][severity], sum(1 for row in part.iter("tr"))
    assert count == questions and words(part.find("h2")).split()[0] == str(count), (severity, count, questions)
    assert count_of_link[part.find("h2").get("id")] == str(count), severity
    for finding in known:
        for key in ("what", "title", "advice"):
            assert finding[key] in shown, finding[key]
    for group in part.findall("details"):
        assert (group.get("open") is None) == (severity == "note"), severity
rows = sum(1 for e in page.iter("tr"))
sites = sum(len(report[k]) for k in ("allocations", "stores", "replacedCalls", "replacedUses",
                                     "wrappedBuffers", "loadGuards"))
assert rows >= sites, (rows, sites)
# A line of the source stands with its step.
assert any("malloc" in words(pre) for pre in page.iter("pre"))
