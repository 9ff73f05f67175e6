#!/bin/bash
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: findings.sh REPORT
#
# What the terminal showed of Redis: at most twelve lines of act and check together,
# no act, each followed by what to do, as many as the heading says; and the notes are counted.
set -euo pipefail

shown=$(sed -n '/^[0-9]* findings\? to /,/^+ [0-9]* notes\?: --notes, or report.txt$/p' "$1")
grep -q '^+ ' <<<"$shown" || { echo "findings.sh: error: no findings in $1"; exit 1; }
lines=$(grep -Ec '^  ([^ ]| {10} +[^ ])' <<<"$shown")
advice=$(grep -c '^      -> ' <<<"$shown")
((lines > 0 && lines <= 12 && lines == advice)) || { echo "findings.sh: error: $lines lines, $advice with advice"; echo "$shown"; exit 1; }
grep -q "^$lines findings\? to check " <<<"$shown" || { echo "findings.sh: error: the heading does not count $lines"; echo "$shown"; exit 1; }
! grep -q 'to act on' <<<"$shown" || { echo "findings.sh: error: something to act on"; echo "$shown"; exit 1; }
echo "$lines lines to check"
