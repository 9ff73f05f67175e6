# ===- measure.py - Medians, tables and bar charts ----------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What the benchmark programs share; the standard library only."""

import csv
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time

# Servers are started as the end-to-end tests start them.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "e2e"))

COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#eeca3b", "#9d755d", "#bab0ac", "#1f3d66",
           "#9c4a00", "#1e5b18", "#5e2a52", "#8f1d1c")


# A processor that is at most so busy does not move figures by more than the machine itself does.
IDLE = 0.15


def busy_processors(seconds=1.0):
    """How many processors are at work, by the kernel's count; this process sleeps."""
    def ticks():
        with open("/proc/stat", encoding="utf-8") as file:
            of_all = [int(word) for word in file.readline().split()[1:9]]
        return sum(of_all), of_all[3] + of_all[4]  # idle, or waiting for a disk

    before, idle_before = ticks()
    time.sleep(seconds)
    after, idle_after = ticks()
    return os.cpu_count() * (1 - (idle_after - idle_before) / max(after - before, 1))


def machine():
    """One line on where figures come from, before they are measured. Refuses a machine that does other work, whose figures would be
    noise: the program ends; NVMOVE_BUSY=1 lets it measure all the same, and the line says so."""
    busy = max(0.0, busy_processors())
    if busy > IDLE and os.environ.get("NVMOVE_BUSY") != "1":
        raise SystemExit(f"{os.path.basename(sys.argv[0])}: error: other work keeps {busy:.1f} processors busy, so figures would be noise: "
                         "end it first. NVMOVE_BUSY=1 measures all the same, and the page says so")
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} CPUs, Linux {platform.release().split('-')[0]}, load average at the start {load:.1f}" + \
        (f", {busy:.1f} processors busy with other work" if busy > IDLE else "")


def median(values):
    return statistics.median(values)


def spread(values):
    """Half of the range, relative to the median: a plain measure of the noise."""
    middle = median(values)
    return (max(values) - min(values)) / 2 / middle if middle else 0.0


def write_csv(path, header, rows):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write_text(path, text):
    """Refuses a figure that is none: the division by what was not measured."""
    if path.endswith(".md") and (none := re.search(r"^.*(?<![\w.])-?(?:nan|inf)\b.*$", text, re.MULTILINE)):
        raise SystemExit(f"{os.path.basename(sys.argv[0])}: error: {path} would have a figure that is no number, and is not written: {none[0]}")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shown(value):
    return f"{value:,.0f}" if value >= 20 or value == int(value) else f"{value:.3g}"


def _round_up(value):
    """The next of 1, 1.2, 1.6, 2, 2.4, 4, 6 and 8 times a power of ten: a fourth of it is a round number."""
    power = 10 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 1.2, 1.6, 2, 2.4, 4, 6, 8, 10) if n * power >= value * 0.9999)


def bar_chart(path, title, unit, groups, series):
    """Grouped bars. groups: labels, of several lines perhaps; series: [(label, values)], one value per group."""
    left, top, height, bar, gap = 70, 50, 240, 26, 26
    group_width = bar * len(series) + gap
    width = left + group_width * len(groups) + 20
    across = max((width - left) // 190, 1)  # legends in a row
    below = top + height + 14 * max(group.count("\n") for group in groups)  # the last line of labels
    highest = _round_up(max(max(values) for _, values in series) or 1)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{below + 60 + 20 * math.ceil(len(series) / across)}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="22" font-size="15">{_escape(title)}</text>',
    ]
    for step in range(5):
        y = top + height - height * step / 4
        out.append(f'<line x1="{left}" x2="{width - 10}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{_shown(highest * step / 4)}</text>')
    out.append(f'<text x="{left}" y="40" fill="#666">{_escape(unit)}</text>')
    for g, group in enumerate(groups):
        x = left + g * group_width + gap / 2
        for s, (label, values) in enumerate(series):
            tall = height * values[g] / highest
            out.append(
                f'<rect x="{x + s * bar:.1f}" y="{top + height - tall:.1f}" width="{bar - 2}" height="{tall:.1f}" '
                f'fill="{COLOURS[s % len(COLOURS)]}"><title>{_escape(label)}: {_shown(values[g])}</title></rect>'
            )
        for n, line in enumerate(group.split("\n")):
            out.append(
                f'<text x="{x + bar * len(series) / 2:.1f}" y="{top + height + 18 + 14 * n}" text-anchor="middle">{_escape(line)}</text>'
            )
    for s, (label, _) in enumerate(series):
        x, y = left + s % across * 190, below + 40 + 20 * (s // across)
        out.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{COLOURS[s % len(COLOURS)]}"/>')
        out.append(f'<text x="{x + 18}" y="{y + 11}">{_escape(label)}</text>')
    out.append("</svg>")
    write_text(path, "\n".join(out) + "\n")


def line_chart(path, title, unit, groups, series):
    """One line for each of series, as bar_chart() has them; the values' axis is logarithmic."""
    left, top, height, step = 80, 50, 260, 80
    width = left + step * len(groups) + 20
    every = [value for _, values in series for value in values]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + height + 80}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="22" font-size="15">{_escape(title)}</text>',
        f'<text x="{left}" y="40" fill="#666">{_escape(unit)}</text>',
    ]

    def y_of(value):
        return top + height - height * (math.log10(value) - low) / max(high - low, 1)

    for power in range(low, high + 1):
        y = y_of(10**power)
        out.append(f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10**power:,g}</text>')
    for g, group in enumerate(groups):
        out.append(f'<text x="{left + (g + 0.5) * step}" y="{top + height + 18}" text-anchor="middle">{_escape(group)}</text>')
    for s, (label, values) in enumerate(series):
        colour = COLOURS[s % len(COLOURS)]
        points = [(left + (g + 0.5) * step, y_of(value)) for g, value in enumerate(values)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        for (x, y), value in zip(points, values):
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{_escape(label)}: {value:,.0f}</title></circle>')
        x = left + s * 120
        out.append(f'<rect x="{x}" y="{top + height + 40}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{x + 18}" y="{top + height + 51}">{_escape(label)}</text>')
    out.append("</svg>")
    write_text(path, "\n".join(out) + "\n")


def fresh(folder):
    """A path for a pool of this process, where nothing is."""
    path = os.path.join(folder, f"nvmove-bench-{os.getpid()}")
    if os.path.exists(path):
        os.remove(path)
    return path


def compiled(source, program, *libraries):
    """Compiles one of the C programs beside this file, with the runtime's headers, which pkg-config knows."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "nvmove"], check=True, capture_output=True, text=True)
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run(["cc", "-O2", os.path.join(here, source), "-o", program, *libraries, *flags.stdout.split()], check=True)
    return program
