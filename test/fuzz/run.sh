#!/usr/bin/env bash
# ===- run.sh - One fuzz target for a while ------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: run.sh FUZZER CORPUS-FOLDER DICTIONARY
#
# The corpus grows from run to run; an input that fails is left in it, named
# crash-*, and is tried first the next time.
set -euo pipefail
fuzzer=$1 corpus=$2 dictionary=$3
seconds=30
[[ ${NVMOVE_LONG-} != 1 ]] || seconds=300
mkdir -p "$corpus"
export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=0
exec "$fuzzer" -max_total_time=$seconds -timeout=10 -rss_limit_mb=1024 -max_len=4096 -seed=1 \
  -print_final_stats=1 -artifact_prefix="$corpus/crash-" -dict="$dictionary" "$corpus"
