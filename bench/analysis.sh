#!/usr/bin/env bash
# ===- analysis.sh - The analysis beside the compiler's front end --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: analysis.sh TREE [ROUNDS]
#
# Time and peak memory of `nvmove --load rdbLoad src/*.c` in an unchanged Redis
# tree beside `clang-19 -fsyntax-only` over the same files, what any tool that
# parses C has to pay: with one job and with one for each core, without flags,
# with a cache that knows every file, and after an edit of one file. The rounds
# of all take turns, so that a busy machine is busy for all. Prints a table in
# Markdown.
set -euo pipefail
if (($# < 1)); then
  echo "usage: analysis.sh TREE [ROUNDS]" >&2
  exit 2
fi
tree=$(realpath "$1") rounds=${2-5}
out=$(mktemp -d -t nvmove-bench-XXXXXX)
trap 'rm -rf "$out"' EXIT
cd "$tree"

flags=(-std=gnu99 -w -DREDIS_STATIC= -I deps/hiredis -I deps/linenoise -I deps/lua/src -I deps/geohash-int)
# release.c wants a header that only Redis's build makes; the files for each kind
# of system are parts of ae.c.
sources=()
for file in src/*.c; do
  case $file in
  src/release.c) [[ ! -e src/release.h ]] || sources+=("$file") ;;
  src/ae_*.c) ;;
  *) sources+=("$file") ;;
  esac
done

cores=$(nproc)
printf '%s\0' "${sources[@]}" >"$out/sources"
# A copy to edit, so that the tree stays as it is.
cp -r "$tree" "$out/edited"

measure() { # measure NAME: one line "seconds cpu-seconds kibibytes" per call
  local begin run=(nvmove --load rdbLoad --analyze-only --force --out "$out/nvmove-out")
  case $1 in
  syntax-1) run=(clang-19 -fsyntax-only "${flags[@]}" "${sources[@]}") ;;
  syntax-all) run=(xargs -0 -n 1 -P "$cores" -a "$out/sources" clang-19 -fsyntax-only "${flags[@]}") ;;
  cold-1) run+=(--no-cache -j 1 "${sources[@]}" -- "${flags[@]}") ;;
  cold-all) run+=(--no-cache "${sources[@]}" -- "${flags[@]}") ;;
  inferred) run+=(--no-cache "${sources[@]}") ;;
  warm) run+=(--cache "$out/cache" "${sources[@]}") ;;
  edited)
    cd "$out/edited"
    echo "static int edit_$RANDOM;" >>src/t_zset.c
    run+=(--cache "$out/cache" "${sources[@]}")
    ;;
  patches) run=(nvmove --load rdbLoad --no-cache --force --out "$out/nvmove-out" "${sources[@]}") ;;
  esac
  begin=$EPOCHREALTIME
  if ! /usr/bin/time -f '%U %S %M' -o "$out/time" "${run[@]}" >"$out/stdout" 2>"$out/stderr"; then
    cat "$out/stderr" >&2
    exit 1
  fi
  awk -v a="$begin" -v b="$EPOCHREALTIME" 'NF == 3 { printf "%.3f %.3f %d\n", b - a, $1 + $2, $3 }' "$out/time"
  cd "$tree"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

names=(syntax-1 cold-1 syntax-all cold-all inferred warm edited patches)
# Both trees are in the cache before anything is measured.
measure warm >/dev/null
measure edited >/dev/null
for ((round = 0; round < rounds; round++)); do
  for name in "${names[@]}"; do measure "$name" >>"$out/$name.samples"; done
done

declare -A title=(
  [syntax-1]='`clang-19 -fsyntax-only`, 1 job' [cold-1]='`nvmove --analyze-only`, 1 job, no cache'
  [syntax-all]="\`clang-19 -fsyntax-only\`, $cores jobs" [cold-all]="\`nvmove --analyze-only\`, $cores jobs, no cache"
  [inferred]='the same, flags inferred' [warm]='the same, nothing changed since the last run'
  [edited]='the same, one file edited' [patches]='with patches and report, flags inferred, no cache'
)
declare -A base=([cold-1]=syntax-1 [syntax-1]=syntax-1)
column() { cut -d' ' -f"$2" "$out/$1.samples" | median; }
echo "| ${#sources[@]} files, median of $rounds | seconds | beside the front end | CPU seconds | beside the front end | peak memory |"
echo "|---|---|---|---|---|---|"
for name in "${names[@]}"; do
  beside=${base[$name]-syntax-all}
  awk -v t="${title[$name]}" -v s="$(column "$name" 1)" -v c="$(column "$name" 2)" -v m="$(column "$name" 3)" \
    -v bs="$(column "$beside" 1)" -v bc="$(column "$beside" 2)" \
    'BEGIN { printf "| %s | %.2f | %.2f | %.2f | %.2f | %.0f MB |\n", t, s, s / bs, c, c / bc, m / 1024 }'
done
