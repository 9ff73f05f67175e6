#!/usr/bin/env bash
# ===- tarball.sh - The runtime's tarball, wherever it is unpacked --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: tarball.sh PACKAGES
#
# Builds the smallest program with nvmove-cc, pkg-config and CMake, each from the
# unpacked tarball alone, and looks at its pool with nvm-pool.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../runtime/install" && pwd)
packages=$(cd "$1" && pwd)
tarballs=("$packages"/nvmove-runtime-*.tar.gz)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

tar -xzf "${tarballs[0]}"
top=$work/$(basename "${tarballs[0]}" .tar.gz)
test -s "$top/share/doc/nvmove/LICENSE"
unset PKG_CONFIG_PATH
"$top/bin/nvmove-cc" -O2 "$source/app.c" -o by-nvmove-cc
PKG_CONFIG_PATH=$(dirname "$(find "$top" -name nvmove.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
cc $(pkg-config --cflags nvmove) "$source/app.c" $(pkg-config --libs nvmove) -o by-pkg-config
unset PKG_CONFIG_PATH
cmake -S "$source" -B by-cmake "-DCMAKE_PREFIX_PATH=$top" >cmake.log
cmake --build by-cmake >>cmake.log
for program in ./by-nvmove-cc ./by-pkg-config ./by-cmake/app; do
  rm -f pool
  NVM_POOL=$PWD/pool $program
  "$top/bin/nvm-pool" check pool | grep -w sound
done
