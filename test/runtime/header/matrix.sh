#!/bin/sh
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: matrix.sh INCLUDE COMPILER..: the public headers alone, and every macro of nvm.h used, under
# each standard of each compiler, with all warnings that a program may be built with, as errors.

here=$(dirname "$0")
include=$1
shift
cxx_warnings="-Wall -Wextra -Werror -pedantic-errors -Wcast-qual -Wshadow -Wundef -Wredundant-decls -Wcast-align -Wvla"
warnings="$cxx_warnings -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes
  -Wdeclaration-after-statement -Wold-style-definition -Wnested-externs -Wpointer-arith -Wc++-compat
  -Wwrite-strings -Wbad-function-cast -Wswitch-enum -Wformat=2"
for compiler; do
  command -v "$compiler" > /dev/null || continue
  case $compiler in
  *++*) language=c++ standards="c++11 gnu++17 c++20" flags=$cxx_warnings ;;
  *) language=c standards="c89 gnu89 c99 gnu99 c11 gnu11 c17 gnu17 c2x gnu2x" flags=$warnings ;;
  esac
  for standard in $standards; do
    for file in "$here/uses.c" "$include"/nvmove/*.h; do
      case $file in
      *.h) headers="-include $file" file=/dev/null ;;
      *) headers= ;;
      esac
      # shellcheck disable=SC2086
      "$compiler" -x $language -std=$standard $flags -fsyntax-only -I"$include" $headers "$file" || {
        echo "matrix.sh: $compiler -std=$standard $headers $file"
        failed=1
      }
    done
  done
done
exit ${failed:-0}
