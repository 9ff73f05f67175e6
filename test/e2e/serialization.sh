#!/usr/bin/env bash
# ===- serialization.sh - Redis without its load and save ----------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: serialization.sh PRISTINE DESTINATION
#
# The tree with all five patches compiles and links with and without
# NVMOVE_NO_SERIALIZATION. Without the load and the save it serves, refuses to
# save, and has everything after kill -9.
set -euo pipefail
pristine=$1 destination=$2
rm -rf "$destination"
cp -a "$pristine" "$destination"
cd "$destination"
nvmove --load rdbLoad --save rdbSave,rdbSaveBackground,rdbSaveToSlavesSockets --no-serialization src/*.c \
  >nvmove-report.txt
for p in nvmove-out/patches/*.patch; do patch --quiet --fuzz=0 -p1 <"$p"; done

build() {
  make -j"$(nproc)" MALLOC=libc OPTIMIZATION=-O0 CFLAGS="-fwrapv $(pkg-config --cflags nvmove) $*" \
    FINAL_LIBS="-lm -ldl -pthread $(pkg-config --libs nvmove)" >make.log 2>&1 || {
    tail -n 20 make.log
    exit 1
  }
}
defines() { nm src/redis-server | grep -c " [Tt] $1\$" || true; }
build
[[ $(defines rdbSaveRio) == 1 ]]
make -C src clean >/dev/null
build -DNVMOVE_NO_SERIALIZATION
[[ $(defines rdbSaveRio) == 0 && $(defines rdbSave) == 1 ]]

folder=$(mktemp -d)
server=
trap '[[ $server ]] && kill -9 "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cli() { src/redis-cli -s "$folder/socket" "$@"; }
start() {
  NVM_POOL=$folder/pool NVM_SIZE=256M src/redis-server --port 0 --unixsocket "$folder/socket" --save "" \
    --dir "$folder" >>"$folder/log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    [[ $(cli ping 2>/dev/null) == PONG ]] && return
    sleep 0.1
  done
  cat "$folder/log"
  exit 1
}
start
cli set key value
cli rpush list a b c
cli zadd set 2 member
[[ $(cli save) == ERR* && $(cli bgsave) == ERR* ]]
kill -9 "$server"
wait "$server" 2>/dev/null || true
start
[[ $(cli dbsize) == 3 && $(cli get key) == value && $(cli zscore set member) == 2 ]]
[[ $(cli lrange list 0 -1 | tr '\n' ' ') == "a b c " ]]
cli shutdown nosave || true
wait "$server" 2>/dev/null || true
server=
