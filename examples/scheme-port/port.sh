#!/usr/bin/env bash
# ===- port.sh - TinyScheme to persistent memory, start to finish --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: port.sh PRISTINE DESTINATION
#
# Copies the interpreter from the unchanged tree PRISTINE, edits by hand what restart.patch and
# main.c say, and builds it three times: scheme-plain before nvmove, scheme-unannounced with all
# layers of its patches but the last, which is enough for NVM_ENGINE=checkpoint, and scheme with
# all of them. `nvmove` must be in PATH and `pkg-config nvmove` must work. CFLAGS replaces -O2 -g.
set -euo pipefail

if (($# != 2)); then
  echo "usage: port.sh PRISTINE DESTINATION" >&2
  exit 2
fi
pristine=$1 destination=$2 here=$(cd "$(dirname "$0")" && pwd)
if [[ ! -e $pristine/scheme.c ]]; then
  echo "port.sh: error: $pristine is not a tree of TinyScheme" >&2
  exit 1
fi
if [[ -e $destination ]]; then
  echo "port.sh: error: $destination exists" >&2
  exit 1
fi
# As its makefile has it, but for what opens files or libraries while a program runs; with room
# for a million cells.
features=(-DSTANDALONE=0 -DUSE_MATH=1 -DUSE_ASCII_NAMES=0 -DSHOW_ERROR_LINE=0 -DCELL_NSEGMENT=200)
read -ra cflags <<<"$(pkg-config --cflags nvmove) ${CFLAGS--O2 -g}"
read -ra libs <<<"$(pkg-config --libs nvmove)"

build() { cc -Wno-char-subscripts "${cflags[@]}" "${features[@]}" -o "$1" scheme.c main.c "${libs[@]}" -lm; }

mkdir -p "$destination"
cp "$pristine"/{scheme.c,scheme.h,scheme-private.h,opdefines.h,init.scm} "$here/main.c" "$destination"
cd "$destination"
patch --quiet --fuzz=0 -p1 <"$here/restart.patch"
build scheme-plain
nvmove --load begin --section proceed --keep num_zero,num_one scheme.c main.c -- "${features[@]}" >nvmove-report.txt || {
  cat nvmove-report.txt >&2
  exit 1
}
for layer in nvmove-out/patches/*.patch; do
  [[ $layer == */4-* ]] && build scheme-unannounced
  patch --quiet --fuzz=0 -p1 <"$layer"
done
build scheme
