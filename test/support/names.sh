#!/usr/bin/env bash
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: names.sh CTEST BUILD-FOLDER
#
# Prints the names of tests that are longer than a line or hold an address or
# the bytes of a parameter, and fails if there are any.
set -euo pipefail
names=$("$1" -N --test-dir "$2")
if ! grep -q 'Total Tests: [1-9]' <<<"$names"; then
  echo "names.sh: error: $2 has no tests" >&2
  exit 1
fi
if grep -E '.{121}|0x[0-9a-f]{4}|GetParam|-byte object' <<<"$names"; then
  echo "names.sh: error: give the parameter a name in INSTANTIATE_TEST_SUITE_P" >&2
  exit 1
fi
