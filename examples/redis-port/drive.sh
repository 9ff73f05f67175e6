#!/bin/sh
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A driver for nvmove trial: Redis's own client; a part is a request.
set -f
[ $# = 0 ] && exec cat "${0%.sh}.txt"
# shellcheck disable=SC2086 # the words of a request
exec ./redis-cli -s sock $1
