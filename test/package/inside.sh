#!/bin/bash
# ===- inside.sh - Moves a program, in a system that has only the packages ------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: inside.sh program | redis       in the folder with what root.py copied
#
# Analyses, patches, builds, asks verify, which needs no flags, runs, kills and
# starts again.
set -euo pipefail

fail() {
  echo "inside.sh: error: $1" >&2
  exit 1
}

# until TRIES COMMAND..: a quarter of a second between two tries.
until_true() {
  local tries=$1
  shift
  until "$@"; do
    ((--tries)) || return 1
    sleep 0.25
  done
}

program() {
  nvmove --load load counts.c >report.txt
  for p in nvmove-out/patches/*.patch; do
    patch -p1 --fuzz=0 <"$p"
  done
  nvmove verify --load load counts.c
  nvmove --load load --out again counts.c >again.txt
  [[ ! -e again/patches ]] || fail "a second run has more patches"
  nvmove-cc -O2 counts.c -o counts

  export NVM_POOL=$PWD/pool
  echo 'a 3' >start
  mkfifo requests
  ./counts start <requests >first &
  local server=$!
  exec 9>requests
  printf 'aab' >&9
  until_true 40 grep -qx 'b 1' first || fail "no answer"
  kill -9 $server
  wait $server || true
  exec 9>&-
  printf 'aaa' | ./counts nothing >second
  [[ $(tail -n 1 second) == 'a 8' ]] || fail "after the kill: $(cat second)"
  printf 'b' | ./counts nothing | grep -qx 'b 2' || fail "b is lost"
  nvm-pool check pool | grep -w sound
}

redis() {
  CFLAGS=-O0 ./port.sh "$PWD/redis" "$PWD/redis-port" # not to be fast
  (cd redis-port && nvmove verify --load rdbLoad src/*.c)
  cat >redis.conf <<EOF
port 0
unixsocket $PWD/socket
save ""
dir $PWD
EOF
  export NVM_POOL=$PWD/pool NVM_SIZE=64M
  local server
  cli() { redis-port/src/redis-cli -s socket "$@"; }
  start() {
    redis-port/src/redis-server redis.conf >>redis.log 2>&1 &
    server=$!
    until_true 80 eval '[[ $(cli ping 2>&1) == PONG ]]' || {
      cat redis.log >&2
      fail "the server does not answer"
    }
  }
  start
  for ((i = 0; i < 2000; i++)); do echo "SET key:$i value:$i"; done | cli >answers
  [[ $(sort -u answers) == OK ]] || fail "not every key was taken"
  kill -9 $server
  wait $server || true
  start
  [[ $(cli dbsize) == 2000 && $(cli get key:1999) == value:1999 ]] || fail "keys are lost: $(cli dbsize) of 2000"
  [[ ! -e dump.rdb ]] || fail "the server has saved a file"
  kill -9 $server
  wait $server || true
  echo "2000 keys after kill -9"
}

case $1 in
program | redis) "$1" ;;
*) fail "no such program: $1" ;;
esac
