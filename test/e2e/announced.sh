#!/usr/bin/env bash
# ===- announced.sh - nvmove verify on the port, and after an edit -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: announced.sh PORT
#
# Nothing is found in the port as nvmove made it. In a copy with one hook less,
# exactly that store is.
set -euo pipefail
port=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

verify() (cd "$1" && nvmove verify --load rdbLoad src/*.c)

verify "$port" || {
  echo "announced.sh: the port is not as it should be" >&2
  exit 1
}
cp -a "$port/src" "$port/deps" "$copy"
sed -i '0,/NVM(entry->next) = /s//entry->next = /' "$copy/src/dict.c"
cmp -s "$port/src/dict.c" "$copy/src/dict.c" && {
  echo "announced.sh: the hook to be taken away is not there" >&2
  exit 1
}
status=0
found=$(verify "$copy" | grep ': error: ') || status=$?
echo "$found"
[[ $(wc -l <<<"$found") == 1 && $found == src/dict.c:*dictEntry.next*unannounced-store* ]]
