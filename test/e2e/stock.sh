#!/usr/bin/env bash
# ===- stock.sh - Builds the unchanged Redis -----------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: stock.sh PRISTINE DESTINATION
#
# With the same allocator and flags as the port, so that the two compare.
# -fwrapv: two tests of BITFIELD fail otherwise, by undefined behaviour in Redis.
set -euo pipefail
pristine=$1 destination=$2
[[ -x $destination/src/redis-server && -x $destination/src/redis-check-aof ]] && exit 0
rm -rf "$destination"
cp -a "$pristine" "$destination"
make -C "$destination" -j"$(nproc)" MALLOC=libc CFLAGS=-fwrapv >"$destination/make.log" 2>&1 || {
  tail -n 20 "$destination/make.log"
  exit 1
}
