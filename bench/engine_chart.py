# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chart of what engine_bench printed.

One panel for each file, one bar for each variant of the pattern `lines` (and
`undo-hoisted` of `object`), logarithmic, in ns per store.
"""

import csv
import math
from xml.sax.saxutils import escape

BAR, GAP, LEFT, PANEL, TOP = 14, 4, 120, 420, 40
COLOURS = {"plain": "#777777", "off": "#999999", "none": "#bbbbbb", "hand-undo": "#b07aa1", "pmemobj": "#b07aa1"}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [(r["variant"], float(r["ns_per_store"])) for r in rows
            if r["pattern"] == "lines" or r["variant"] == "undo-hoisted"]


def panel(title, rows, x, most, epochs):
    scale = (PANEL - LEFT - 60) / math.log10(most / 0.1)
    yield f'<text x="{x + LEFT}" y="24" font-weight="bold">{escape(title)}</text>'
    for i, (name, ns) in enumerate(rows):
        y = TOP + i * (BAR + GAP)
        width = max(1.0, scale * math.log10(ns / 0.1))
        colour = COLOURS.get(name, "#59a14f" if name in epochs else "#4e79a7")
        yield f'<text x="{x + LEFT - 6}" y="{y + BAR - 3}" text-anchor="end">{escape(name)}</text>'
        yield f'<rect x="{x + LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
        yield f'<text x="{x + LEFT + width + 4:.1f}" y="{y + BAR - 3}">{ns:.1f}</text>'


def chart(panels, epochs):
    """The SVG of [(title, rows_of a file)]; the variants that commit at the end of an epoch are green."""
    most = max(ns for _, rows in panels for _, ns in rows)
    height = TOP + max(len(rows) for _, rows in panels) * (BAR + GAP) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{PANEL * len(panels)}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, (title, rows) in enumerate(panels):
        out += panel(title, rows, i * PANEL, most, epochs)
    out += [f'<text x="8" y="{height - 8}">ns per store, logarithmic; blue: durable at each section\'s end; '
            'green: durable at the end of an epoch, or when asked</text>', "</svg>"]
    return "\n".join(out) + "\n"
