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

`nvmove explain` says why something is or is not persistent: a type, TYPE.FIELD,
a root or another static, a function, a section, or what stands at FILE:LINE.
Without files it reads the report that the last run left in the output folder.

`nvmove verify` reads a program with the patches applied, and lists every place
that may write persistent memory without announcing it. Exit code 3: there are
such places. With --out it also writes them into a folder. It takes files of facts,
too.

`nvmove collect` and `nvmove link` are the two halves of an analysis, for build
systems: collect reads one source file, link does the rest.

what to look for:
  --load F[,G]          the functions that load the saved state (required)
  --stop F[,G]          do not follow calls of these functions, or the calls at
                        FILE:LINE
  --follow-messages     follow also the messages that the load prints or logs, by
                        functions that are handed fixed text nearly everywhere
  --section F[,G]       make each call of these functions failure-atomic
  --afresh V[,W]        do not keep these roots and restored scalars, V.member
                        included: each start makes them
  --keep V[,W]          these statics come back, too, which handlers alone set
  --save F[,G]          the functions that save the state; listed with what only
                        loading and saving need
  --no-serialization    one more patch: with -DNVMOVE_NO_SERIALIZATION the program
                        is built without that
  --emulate PROFILE     for comparison, in the place of the other patches: one that
                        delays each read and write of a persistent type's field,
                        as pcm or stt-ram would
  --commit-at-output    sections commit before the next output, or before the program
                        waits, and not each at its end; for programs that let
                        nothing out but by their own calls
  --restart-points      threads that change what is kept are at restart points where
                        they hold no lock, and locks make no sections: the state
                        is that of one moment, at most NVM_EPOCH_MS (64) back
  --line-logs[=T,U]     give records of up to 48 bytes room for the copy of a word,
                        which engine incll makes use of; these types alone, or all
                        of which that is certain to be right
  --algorithm A         points-to (default) or worklist
  --points-to-limit N   give points-to up for the worklist when its graph gets more
                        than N million edges (default: 10, about 1 GB)

how the program is compiled (without these it is found out from the sources):
  -p DIR                the folder with compile_commands.json; found by itself
                        in the folders above the first file
  --make COMMAND        how the program is built: takes files and flags from a dry
                        run, --make 'make -C src'; all of the program that
                        loads, and has one of the files if some are given
  --extra-arg FLAG      one more flag for every file; may be repeated
  -- FLAGS              the flags for every file, instead of a database
  --cache DIR           keep what was found in each file, for the next run, here
                        (default: $XDG_CACHE_HOME/nvmove or ~/.cache/nvmove)
  --no-cache            do without

what to write:
  --analyze-only        the report, but no patches
  --print WHAT          write no folder; print types, roots, sites, sections,
                        fields or facts, one a line
  --out DIR             the output folder (default: nvmove-out)
  --notes               list the notes, too: how the result came about
  --force               replace an output folder that nvmove made before
  -o FILE               collect: the file of facts
  --file-prefix-map OLD=NEW
                        collect, link: say that what lies in folder OLD lies in
                        NEW; may be repeated
  --depfile FILE        collect: write there what the facts depend on, as rules
                        for Make or Ninja

  -j N                  parse N files at once (default: one for each core)
  --version, --help

exit codes: 0 done; 1 the input cannot be handled; 2 wrong use; 3 nvmove verify
found something; 4 everything is written, and the report begins its findings with
some to act on: data is lost, or the program is wrong, unless you do what they say
)";

} // namespace nvmove
