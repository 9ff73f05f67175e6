#!/usr/bin/env bash
# ===- redis-suite.sh - Redis's own test suite on pools -----------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: redis-suite.sh [--no-pool] [--verify] [--keep] [--output FILE] TREE [UNIT ..]
#
# Runs units of the suite (default: all units, with NVMOVE_LONG=1 replication as
# well) with the server in TREE. The suite starts many servers, each in a folder
# of its own, and expects a new folder's server to be empty; so the server is
# wrapped: the pool lies in the folder that the configuration names. A server
# that the suite starts again in the same folder meets its own pool, as a user's
# would; with NVMOVE_SUITE_POOL=new each start has a new one. --output keeps what the suite said. The unit `cluster` is the suite's second
# part, of twenty servers, without the tests that run redis-trib (it needs Ruby).
set -euo pipefail

units=(unit/printver unit/dump unit/auth unit/protocol unit/keyspace unit/scan
  unit/type/string unit/type/incr unit/type/list unit/type/list-2 unit/type/list-3
  unit/type/set unit/type/zset unit/type/hash unit/sort unit/expire unit/other
  unit/multi unit/quit unit/aofrw unit/pubsub unit/slowlog unit/scripting
  unit/maxmemory unit/introspection unit/introspection-2 unit/limits
  unit/obuf-limits unit/bitops unit/bitfield unit/geo unit/memefficiency
  unit/hyperloglog)
# Of the integration units only replication: those of dump and append-only files
# damage the file and expect that the server reads it, which a pool makes idle.
if [[ ${NVMOVE_LONG-} == 1 ]]; then
  units+=(integration/replication integration/replication-2 integration/replication-3
    integration/replication-4 integration/replication-psync)
fi

pool=1 verify=0 keep=0 output=
while [[ ${1-} == --* ]]; do
  case $1 in
  --no-pool) pool=0 ;;
  --verify) verify=1 ;;
  --keep) keep=1 ;;
  --output)
    output=$(realpath "$2")
    shift
    ;;
  *)
    echo "redis-suite.sh: error: unknown option $1" >&2
    exit 2
    ;;
  esac
  shift
done
if (($# < 1)); then
  echo "usage: redis-suite.sh [--no-pool] [--verify] [--keep] [--output FILE] TREE [UNIT ..]" >&2
  exit 2
fi
tree=$(realpath "$1")
shift
(($#)) && units=("$@")

# The suite writes below its own tree and runs src/redis-server, so it gets a
# tree of its own, into which the wrapper can be put.
work=$(mktemp -d -t nvmove-suite-XXXXXX)
cleanup() {
  if ((keep)); then echo "kept: $work"; else rm -rf "$work"; fi
}
trap cleanup EXIT
mkdir "$work/src"
cp -a "$tree/tests" "$tree/redis.conf" "$work"
for program in redis-cli redis-benchmark redis-check-aof redis-check-rdb; do
  if [[ -e $tree/src/$program ]]; then ln -s "$tree/src/$program" "$work/src/$program"; fi
done

cat >"$work/src/redis-server" <<WRAPPER
#!/usr/bin/env bash
# The suite calls this with the path of a configuration file.
dir=\$(sed -n 's/^dir //p' "\${1-}" 2>/dev/null | tr -d '"' | tail -n 1)
if (($pool)) && [[ -n \$dir ]]; then
  export NVM_POOL=\$dir/pool${NVMOVE_SUITE_POOL:+.\$\$} NVM_SIZE=\${NVM_SIZE-128M}
  (($verify)) && export NVM_VERIFY=1
fi
exec "$tree/src/redis-server" "\$@" 2>>"$work/stderr"
WRAPPER
chmod +x "$work/src/redis-server"

tclsh=$(command -v tclsh8.6 || command -v tclsh) || {
  echo "redis-suite.sh: error: tclsh is missing" >&2
  exit 1
}
cd "$work"
status=0
# Redis 3 takes a list of units, Redis 7 one each time.
single=(--single "${units[*]}")
if grep -q 'lappend ::single_tests' tests/test_helper.tcl; then
  mapfile -t single < <(printf -- '--single\n%s\n' "${units[@]}")
fi
if [[ ${units[*]} == cluster ]]; then
  grep -l redis-trib tests/cluster/tests/*.tcl | xargs -r rm
  "$tclsh" tests/cluster/run.tcl >"$work/output" 2>&1 || status=$?
  # In the form of the other part: the unit is named with each test, since all units begin alike.
  sed -i -E 's/\x1b\[[0-9;]*m//g; /^Testing unit: /{s/^Testing unit: //;h;d}; s/^[0-9:]{8}> //; /: [^:]*OK$/{s/: [^:]*OK$//;G;s/(.*)\n(.*)/[ok]: \2: \1/;b}
    /^(Starting|Cleaning|GOOD|\(Jumping)/b; /^[^:]*: ./{G;s/(.*)\n(.*)/[err]: \2: \1/}' "$work/output"
else
  "$tclsh" tests/test_helper.tcl --clients "${NVMOVE_SUITE_CLIENTS-4}" --timeout 300 \
    "${single[@]}" >"$work/output" 2>&1 || status=$?
fi
if [[ -n $output ]]; then sed 's/\x1b\[[0-9;]*m//g' "$work/output" >"$output"; fi

ok=$(grep -ac '\[.*ok.*\]: ' "$work/output" || true)
failures=$(sed 's/\x1b\[[0-9;]*m//g' "$work/output" | grep -aE '^\[(err|exception)\]' | sort -u || true)
if [[ -n $failures ]]; then
  echo "$failures"
fi
if ((status)) && [[ -z $failures ]]; then
  tail -n 40 "$work/output"
fi
# The suite deletes its servers' folders, hence the wrapper's file of their
# standard errors: the runtime speaks there.
complaints=$(grep -aE 'unannounced|nvmove: (error|bug)' "$work/stderr" 2>/dev/null | sort | uniq -c | head -n 40 || true)
if [[ -n $complaints ]]; then
  echo "the runtime complained:"
  echo "$complaints"
fi
pools=$(grep -ac '^nvmove: pool ' "$work/stderr" 2>/dev/null || true)
if ((pool)) && ((${pools:-0} == 0)); then
  echo "no server opened a pool: is $tree a port?"
  status=1
fi
count=$(grep -c . <<<"$failures" || true)
echo "redis-suite: ${#units[@]} units, $ok tests passed, $count failed, ${pools:-0} servers on pools"
if ((status)) || ((ok == 0)) || [[ -n $complaints ]]; then exit 1; fi
