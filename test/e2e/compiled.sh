#!/usr/bin/env bash
# ===- compiled.sh - Redis moved by the compiler -------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: compiled.sh PRISTINE DESTINATION
#
# Copies the unchanged tree PRISTINE to DESTINATION, and builds it there with
# nvmove-cc in the place of the compiler, as README shows. No source may change,
# and the server must be moved, with the types that the patches find.
set -euo pipefail
pristine=$1 destination=$2
rm -rf "$destination"
mkdir -p "$(dirname "$destination")"
cp -a "$pristine" "$destination"
make -C "$destination" -j2 CC="nvmove-cc --load rdbLoad --commit-at-output gcc" MALLOC=libc >"$destination/make.log" 2>&1 || {
  tail -30 "$destination/make.log"
  exit 1
}
fail() {
  echo "compiled.sh: error: $1" >&2
  exit 1
}
grep ' \(warning\|note\|error\): .*\[[a-z-]*\]$' "$destination/make.log" | grep -v '\[-W' | cut -c1-160
grep -q '^redis-server: note: moved: 17 persistent types' "$destination/make.log" || fail "the server is not moved as the patches move it"
grep -q '^redis-cli: note: .*linked-as-is' "$destination/make.log" || fail "of redis-cli nothing is said"
! grep '^[^ ]*: error: ' "$destination/make.log"
(cd "$pristine" && find . -name '*.[ch]' ! -name release.h | sort | xargs sha256sum) | (cd "$destination" && sha256sum --check --quiet) || fail "a source has changed"
# Debug information names the user's files, not those of another tree.
folders=$(readelf --debug-dump=info "$destination/src/redis-server" 2>/dev/null | sed -n 's/.*DW_AT_comp_dir.*: //p' | sort -u)
[[ $folders == *"$destination/src"* && $folders != *nvmove-cc* ]] || fail "debug information names $folders"
