#!/usr/bin/env bash
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: run.sh FOLDER DRIVER FILE .. -- SERVER [ARGUMENT ..]
#
# A trial in a new FOLDER, to which the files are copied, with 4 kills between
# parts and up to 4 inside of them; fails if anything is lost, or if it was not killed.
set -euo pipefail
folder=$1 driver=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
while [[ $1 != -- ]]; do
  cp "$1" "$folder"
  shift
done
cd "$folder"
nvmove trial --driver "$driver" --points 4 "$@"
grep -Eq 'killed 4 times between parts and [1-4] times? inside parts' nvmove-out/trial.txt
