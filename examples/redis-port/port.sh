#!/usr/bin/env bash
# ===- port.sh - Redis to persistent memory, start to finish ------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: port.sh PRISTINE DESTINATION [NVMOVE-OPTION ..]
#
# Copies the unchanged tree PRISTINE to DESTINATION, analyses it, applies the
# patches and builds it. `nvmove` must be in PATH and `pkg-config nvmove` must
# work. Nothing here edits a file of Redis: all changes are nvmove's patches.
# CFLAGS and LDFLAGS are added to Redis's own.
set -euo pipefail

if (($# < 2)); then
  echo "usage: port.sh PRISTINE DESTINATION [NVMOVE-OPTION ..]" >&2
  exit 2
fi
pristine=$1 destination=$2
shift 2
options=(--load rdbLoad --commit-at-output "$@")

step() {
  local begin=$EPOCHREALTIME title=$1
  shift
  "$@" || {
    echo "port.sh: error: failed: $title" >&2
    exit 1
  }
  awk -v a="$begin" -v b="$EPOCHREALTIME" -v t="$title" 'BEGIN { printf "%-50s %6.1f s\n", t, b - a }'
}

copy() {
  if [[ -e $destination ]]; then
    echo "port.sh: error: $destination exists" >&2
    return 1
  fi
  mkdir -p "$(dirname "$destination")"
  cp -a "$pristine" "$destination"
}

# A subshell of its own; && because set -e is off inside a condition.
analyse() (cd "$destination" && nvmove "${options[@]}" src/*.c >nvmove-report.txt)

apply() (
  cd "$destination" || exit
  for p in nvmove-out/patches/*.patch; do
    patch --quiet --fuzz=0 -p1 <"$p" || exit
  done
)

# Redis's Makefile puts LDFLAGS before the objects, where the linker would drop a
# static library; FINAL_LIBS comes after them. Its own value is repeated.
build() {
  local cflags libs
  cflags=$(pkg-config --cflags nvmove) && libs=$(pkg-config --libs nvmove) &&
    make -C "$destination" -j"$(nproc)" MALLOC=libc CFLAGS="-fwrapv $cflags ${CFLAGS-}" LDFLAGS="${LDFLAGS-}" \
      FINAL_LIBS="-lm -ldl -pthread $libs" >"$destination/make.log" 2>&1 ||
    {
      grep -E ' error: |undefined reference|\*\*\* ' -A3 "$destination/make.log" | head -40 >&2
      return 1
    }
}

step "copy the pristine tree" copy
step "nvmove ${options[*]} src/*.c" analyse
step "patch -p1 < nvmove-out/patches/*.patch" apply
step "make" build
