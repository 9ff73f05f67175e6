#!/usr/bin/env python3
# ===- scale.py - Time and memory of the analysis against size -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Measures the analysis of the first N files of a database, for growing N.

Collects each subset without a cache, then links it, and writes what each half
costs as CSV and as a chart. FUNCTION has to be defined in the file FIRST, which is
in every subset.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import tempfile
import time

PANELS = (("CPU seconds", "cpu_seconds"), ("peak memory, MB", "peak_mb"))
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57")


def measure(command):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.NamedTemporaryFile("r") as report:
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", report.name, *command], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peak = int(report.read().split()[-1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(time.monotonic() - begin, 2), "cpu_seconds": round(cpu, 2), "peak_mb": peak // 1024}


def lines_of(files):
    total = 0
    for name in files:
        with open(name, "rb") as file:
            total += file.read().count(b"\n")
    return total


def chart(rows, path):
    steps = sorted({row["step"] for row in rows})
    width, height, left = 420, 300, 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * width}" height="{height}" font-family="sans-serif" '
           'font-size="12">']
    for panel, (title, key) in enumerate(PANELS):
        x0 = panel * width + left
        wide, high = width - left - 20, height - 80
        most_x = max(row["lines"] for row in rows)
        most_y = max(row[key] for row in rows) or 1
        out.append(f'<text x="{x0}" y="20" font-weight="bold">{title}</text>'
                   f'<path d="M{x0} 40v{high}h{wide}" fill="none" stroke="black"/>'
                   f'<text x="{x0 + wide}" y="{height - 20}" text-anchor="end">{most_x:,} lines</text>'
                   f'<text x="{x0 - 5}" y="45" text-anchor="end">{most_y:g}</text>')
        for number, step in enumerate(steps):
            points = [(x0 + wide * row["lines"] / most_x, 40 + high * (1 - row[key] / most_y))
                      for row in rows if row["step"] == step]
            colour = COLOURS[number]
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="' +
                       " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
            out.append(f'<text x="{x0 + 10}" y="{60 + 16 * number}" fill="{colour}">{step}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", help="a folder with compile_commands.json")
    parser.add_argument("function")
    parser.add_argument("first")
    parser.add_argument("output", help="OUTPUT.csv and OUTPUT.svg are written")
    parser.add_argument("--sizes", default="50,100,200,400,100000")
    parser.add_argument("--algorithm", default="points-to")
    options = parser.parse_args()
    tree = os.path.realpath(options.tree)
    with open(os.path.join(tree, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    files = list(dict.fromkeys(os.path.realpath(os.path.join(c["directory"], c["file"])) for c in commands))
    first = os.path.realpath(os.path.join(tree, options.first))
    files.sort(key=lambda name: (name != first, not name.startswith(os.path.dirname(os.path.dirname(first))), name))
    rows = []
    for size in map(int, options.sizes.split(",")):
        part = files[:size]
        with tempfile.TemporaryDirectory() as folder:
            command = ["nvmove", "-p", tree, "--load", options.function, "--print", "types", "--algorithm",
                       options.algorithm, "--cache", folder, *part]
            for step in ("everything", "with a full cache"):
                row = {"step": step, "files": len(part), "lines": lines_of(part), **measure(command)}
                rows.append(row)
                print(row, flush=True)
    with open(options.output + ".csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    chart(rows, options.output + ".svg")


if __name__ == "__main__":
    main()
