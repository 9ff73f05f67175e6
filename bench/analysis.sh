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
# tree, with one job and with all, beside `clang-19 -fsyntax-only` over the same
# files: what any tool that parses C has to pay. Prints a table in Markdown.
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
# release.c wants a header that only Redis's build makes.
sources=()
for file in src/*.c; do
  if [[ $file != src/release.c || -e src/release.h ]]; then sources+=("$file"); fi
done

measure() { # measure NAME: one line "seconds kibibytes" per call
  local begin=$EPOCHREALTIME
  case $1 in
  syntax) set -- clang-19 -fsyntax-only "${flags[@]}" "${sources[@]}" ;;
  one) set -- nvmove --load rdbLoad --analyze-only -j 1 "${sources[@]}" -- "${flags[@]}" ;;
  all) set -- nvmove --load rdbLoad --analyze-only "${sources[@]}" -- "${flags[@]}" ;;
  everything) set -- nvmove --load rdbLoad --force --out "$out/nvmove-out" "${sources[@]}" ;;
  esac
  if ! /usr/bin/time -v -o "$out/time" "$@" >"$out/stdout" 2>"$out/stderr"; then
    cat "$out/stderr" >&2
    exit 1
  fi
  awk -v a="$begin" -v b="$EPOCHREALTIME" '/Maximum resident/ { printf "%.3f %d\n", b - a, $NF }' "$out/time"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

names=(syntax one all everything)
for ((round = 0; round < rounds; round++)); do
  for name in "${names[@]}"; do measure "$name" >>"$out/$name.samples"; done
done

declare -A title=(
  [syntax]='`clang-19 -fsyntax-only`' [one]='`nvmove --analyze-only -j 1`'
  [all]="\`nvmove --analyze-only\` ($(nproc) jobs)" [everything]='`nvmove`, with patches and report, flags inferred'
)
base=$(cut -d' ' -f1 "$out/syntax.samples" | median)
echo "| ${#sources[@]} files, median of $rounds | seconds | beside the front end | peak memory |"
echo "|---|---|---|---|"
for name in "${names[@]}"; do
  seconds=$(cut -d' ' -f1 "$out/$name.samples" | median)
  memory=$(cut -d' ' -f2 "$out/$name.samples" | median)
  awk -v t="${title[$name]}" -v s="$seconds" -v b="$base" -v m="$memory" \
    'BEGIN { printf "| %s | %.2f | %.2f | %.0f MB |\n", t, s, s / b, m / 1024 }'
done
