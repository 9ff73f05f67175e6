//===- HelpText.cpp - What --help prints ----------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/options/Options.h"

namespace nvmove {

const char *const helpText =
    R"(nvmove: finds what a C program must keep in persistent memory, and writes the patches

usage:
  nvmove --load FUNCTION [options] files... [-- compiler flags]
  nvmove --load FUNCTION --make 'make ..' [options]
  nvmove explain WHAT [--load FUNCTION [options] files... [-- compiler flags]]

  nvmove verify --load FUNCTION [options] files... [-- compiler flags]

  nvmove collect FILE.c -o FILE.facts [--depfile FILE.d] [options] [-- compiler flags]
  nvmove link --load FUNCTION [options] FILE.facts...

  nvmove trial --input FILE [--out DIR] [--points N] -- PROGRAM [arguments]
  nvmove trial --driver COMMAND [--out DIR] [--points N] -- SERVER [arguments]

`nvmove explain` says why something is or is not persistent: a type, TYPE.FIELD,
a root or another static, a function, a section, or the code at FILE:LINE.
Without files it reads the report of the last run in the output folder.

`nvmove verify` reads a program with the patches applied, and lists every place
that may write persistent memory without announcing it. Exit code 3: there are
such places. With --out it also writes the list to a folder. It also accepts files
of facts.

`nvmove collect` and `nvmove link` are the two halves of an analysis, for build
systems: collect reads one source file, link does the rest.

`nvmove trial` runs a program with the patches applied: it is given the lines of
FILE on its standard input, undisturbed, and killed and started again at many
points; what it answers must be the same. A server is asked by COMMAND: without
an argument that prints its parts, one a line; with such a line it does that part
and prints the answers. What differs is said in the program's terms. Exit
code 3: something is lost. Each run has its own copy of the current folder and a
new pool. It writes trial.txt and trial.json to the output folder.

what to look for:
  --load F[,G]          the functions that load the saved state (required)
  --stop F[,G]          do not follow calls of these functions, or the calls at
                        FILE:LINE
  --follow-messages     also follow functions that the load calls to print or log:
                        those that get fixed text in nearly every call
  --section F[,G]       make each call of these functions failure-atomic
  --afresh V[,W]        do not restore these roots and scalars, or members as
                        V.member: each start creates them
  --keep V[,W]          also restore these statics, which only handlers set
  --keep-all            restore all statics that handlers change, but for what ends
                        with the process: the program goes on where it was
  --save F[,G]          the functions that save the state; they are listed with the
                        functions that only loading and saving need
  --observed FILE[,..]  say of each verdict whether these runs have shown it; the
                        program that nvmove-cc --observe=F builds writes them
  --no-serialization    write one more patch: built with -DNVMOVE_NO_SERIALIZATION,
                        the program has no functions that only load or save
  --emulate PROFILE     for comparison, write one patch instead of the others: it
                        delays each read and write of a persistent type's field,
                        as pcm or stt-ram would
  --commit-at-output    sections commit before the next output, or before the program
                        waits, and not each at its end; for programs whose output
                        leaves only through calls of their own
  --restart-points      threads that change persistent state have restart points
                        where they hold no lock, and locks do not make sections: a
                        restart sees one checkpoint, at most NVM_EPOCH_MS (64) old
  --line-logs[=T,U]     add a line log to records of up to 48 bytes, for engine
                        incll: to these types, or to every type where it is
                        provably safe
  --algorithm A         points-to (default) or worklist
  --points-to-limit N   fall back to the worklist when the points-to graph exceeds
                        N million edges (default: 10, about 1 GB)

how the program is compiled (default: inferred from the sources):
  -p DIR                the folder with compile_commands.json (default: searched
                        for in the parent folders of the first file)
  --make COMMAND        how the program is built, as --make 'make -C src': takes
                        files and flags from a dry run, of the program that
                        contains the load and, if files are given, one of these
  --extra-arg FLAG      one more flag for every file; may be repeated
  -- FLAGS              the flags for every file, instead of a database
  --cache DIR           the folder that caches the facts of each file for the next
                        run (default: $XDG_CACHE_HOME/nvmove or ~/.cache/nvmove)
  --no-cache            do not use a cache

what to write:
  --analyze-only        write the report, but no patches
  --print WHAT          write no folder; print types, roots, sites, sections,
                        fields or facts, one per line
  --out DIR             the output folder (default: nvmove-out)
  --notes               also list notes: how the result came about
  --force               replace an output folder of an earlier run
  -o FILE               collect: the file of facts
  --file-prefix-map OLD=NEW
                        collect, link: replace the folder OLD by NEW in the names
                        of files; may be repeated
  --depfile FILE        collect: write the files that the facts depend on, as
                        rules for Make or Ninja

  --input FILE          trial: the lines that the program is given
  --driver COMMAND      trial: what asks a server, in parts
  --points N            trial: kill it at up to N points between lines, and at N
                        inside lines (default: what fits into about a minute)

  -j N                  parse N files in parallel (default: one for each core)
  --version, --help

exit codes: 0 done; 1 the input cannot be handled; 2 wrong use; 3 nvmove verify
or nvmove trial found something; 4 everything is written, and the report has findings to act on:
unless you do what they advise, data is lost or the program is wrong
)";

} // namespace nvmove
