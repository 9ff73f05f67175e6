#!/usr/bin/env bash
# ===- port.sh - the simulation to persistent memory, start to finish ---------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: port.sh list|array|blocks|ranks DESTINATION
#
# Copies the sources to DESTINATION, analyses them, applies the patches and builds the program of
# this layout. `nvmove` must be in PATH and `pkg-config nvmove` must work. CFLAGS replaces -O3 -g.
set -euo pipefail

if (($# != 2)) || [[ ! $1 =~ ^(list|array|blocks|ranks)$ ]]; then
  echo "usage: port.sh list|array|blocks|ranks DESTINATION" >&2
  exit 2
fi
program=fluid-$1 destination=$2 here=$(cd "$(dirname "$0")" && pwd)
if [[ -e $destination ]]; then
  echo "port.sh: error: $destination exists" >&2
  exit 1
fi
mkdir -p "$destination"
cp -r "$here/src" "$here/Makefile" "$destination"
cd "$destination"
nvmove --load state_load --section one_step --make "make $program" >nvmove-report.txt
for p in nvmove-out/patches/*.patch; do
  patch --quiet --fuzz=0 -p1 <"$p"
done
cflags=$(pkg-config --cflags nvmove) libs=$(pkg-config --libs nvmove)
make --silent "$program" CFLAGS="${CFLAGS--O3 -g} $cflags" LDLIBS="$libs"
