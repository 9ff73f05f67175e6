#!/usr/bin/env bash
# ===- must-report.sh - Passes when a command fails for the expected reason ----===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: must-report.sh TEXT COMMAND ..
set -u
text=$1
shift
output=$("$@" 2>&1)
status=$?
if [ $status = 77 ]; then # skipped
  echo "$output"
  exit 77
fi
if [ $status = 0 ]; then
  echo "$output"
  echo "must-report.sh: the command should have failed" >&2
  exit 1
fi
if ! grep -qF -- "$text" <<<"$output"; then
  echo "$output"
  echo "must-report.sh: the command failed, but without saying: $text" >&2
  exit 1
fi
grep -F -- "$text" <<<"$output"
