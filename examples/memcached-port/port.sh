#!/usr/bin/env bash
# ===- port.sh - memcached to persistent memory, start to finish ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: port.sh DESTINATION [MAKE-TARGET ..]
#
# Fetches memcached 1.6.18 unless it is in the user's cache, builds it unchanged in
# DESTINATION/original, and moved in DESTINATION/moved. `nvmove` must be in PATH and
# `pkg-config nvmove` must work; libevent's headers are wanted, too. What a person
# has to write is load.patch, requests.patch and the options below. CFLAGS are added to memcached's.
set -euo pipefail

if (($# < 1)); then
  echo "usage: port.sh DESTINATION [MAKE-TARGET ..]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
destination=$1
shift
targets=("${@:-memcached}")
options=(
  --load cache_load
  --keep expanding,expand_bucket,old_hashtable,cas_id,settings.oldest_live,settings.oldest_cas
  --afresh 'cb_stack->data'
)

step() {
  local begin=$EPOCHREALTIME title=$1
  shift
  "$@" || {
    echo "port.sh: error: failed: $title" >&2
    exit 1
  }
  awk -v a="$begin" -v b="$EPOCHREALTIME" -v t="$title" 'BEGIN { printf "%-50s %6.1f s\n", t, b - a }'
}

fetch() {
  if [[ -e $destination ]]; then
    echo "port.sh: error: $destination exists" >&2
    return 1
  fi
  mkdir -p "$destination"
  destination=$(cd "$destination" && pwd)
  python3 "$here/../../test/corpus/fetch.py" "$here/source.json" "$destination/original"
}

# A subshell of its own; && because set -e is off inside a condition.
configure() (
  cd "$destination/original" && ./configure --quiet CFLAGS="-O2 ${CFLAGS-}" >configure.log 2>&1 &&
    cp -a "$destination/original" "$destination/moved"
)

loads() (cd "$destination/moved" && patch --quiet --fuzz=0 -p1 <"$here/load.patch")

# Exit status 4: there are findings to act on. There are none.
analyse() (cd "$destination/moved" && nvmove "${options[@]}" --make 'make memcached' >nvmove-report.txt)

apply() (
  cd "$destination/moved" || exit
  for p in nvmove-out/patches/*.patch; do
    patch --quiet --fuzz=0 -p1 <"$p" || exit
  done
)

requests() (cd "$destination/moved" && patch --quiet --fuzz=0 -p1 <"$here/requests.patch")

build() {
  make -C "$destination/$1" -j"$(nproc)" "${@:2}" >"$destination/$1/make.log" 2>&1 ||
    {
      grep -E ' error: |undefined reference|\*\*\* ' -A3 "$destination/$1/make.log" | head -40 >&2
      return 1
    }
}

# Warnings of memcached are errors, also in the moved program.
build_moved() {
  local cflags libs
  cflags=$(pkg-config --cflags nvmove) && libs=$(pkg-config --libs nvmove) &&
    build moved "${targets[@]}" CPPFLAGS="$cflags" LIBS="-levent $libs" LDFLAGS="-no-pie ${LDFLAGS-}" \
      CFLAGS="-O2 -fno-pie -pthread -Wall -Werror -pedantic -Wmissing-prototypes -Wmissing-declarations -Wredundant-decls ${CFLAGS-}"
}

step "fetch memcached 1.6.18" fetch
step "./configure" configure
step "make (the original)" build original "${targets[@]}"
step "patch -p1 < load.patch" loads
step "nvmove ${options[*]:0:2} .." analyse
step "patch -p1 < nvmove-out/patches/*.patch" apply
step "patch -p1 < requests.patch" requests
step "make (the moved one)" build_moved
