# bash completion for nvmove(1)
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The options that go with each verb; `run` stands for none. A name that ends in
# = may be followed by a value there alone.
_nvmove_options() {
  local analysing='--load --stop --follow-messages --section --afresh --keep --keep-all --save --observed --commit-at-output --restart-points --algorithm --points-to-limit --out'
  local writing='--no-serialization --line-logs --line-logs= --print --analyze-only --notes --force'
  local reading='-p --make --extra-arg --cache --no-cache'
  local always='-j --help --version'
  case $1 in
  run) echo "$analysing $writing --emulate $reading $always" ;;
  link) echo "$analysing $writing --file-prefix-map $always" ;;
  verify) echo "$analysing --force --file-prefix-map $reading $always" ;;
  explain) echo "$analysing --print --analyze-only $reading $always" ;;
  trial) echo "--input --driver --points --out --help --version" ;;
  collect) echo "-o --file-prefix-map --depfile $reading $always" ;;
  esac
}

_nvmove_files() {
  local pattern=$1 name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if [[ -d $name || $name == $pattern ]]; then
      COMPREPLY+=("$name")
    fi
  done < <(compgen -f -- "$2")
}

_nvmove() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]-} i
  COMPREPLY=()
  case $verb in
  explain | verify | collect | link | trial) ;;
  *) verb=run ;;
  esac
  if ((COMP_CWORD == 1)); then
    verb=run
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then # compiler flags
      _nvmove_files '*' "$word"
      return
    fi
  done
  # --name=value comes as three words.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $before in
  --emulate) COMPREPLY=($(compgen -W 'pcm stt-ram' -- "$word")) ;;
  --algorithm) COMPREPLY=($(compgen -W 'points-to worklist' -- "$word")) ;;
  --print) COMPREPLY=($(compgen -W 'types roots sites sections fields facts' -- "$word")) ;;
  -p | --cache | --out)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
    ;;
  -o | --depfile | --input | --driver) _nvmove_files '*' "$word" ;;
  --load | --stop | --section | --afresh | --keep | --save | --points-to-limit | --make | --extra-arg | --file-prefix-map | --points | -j) ;;
  *)
    if [[ $word == -* ]]; then
      COMPREPLY=($(compgen -W "$(_nvmove_options "$verb") --" -- "$word"))
      if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
      fi
      return
    fi
    if ((COMP_CWORD == 1)); then
      COMPREPLY=($(compgen -W 'explain verify collect link trial' -- "$word"))
    fi
    case $verb in
    link) _nvmove_files '*.facts' "$word" ;;
    verify) _nvmove_files '*.@(c|facts)' "$word" ;;
    trial) ;; # the program follows --
    *) _nvmove_files '*.c' "$word" ;;
    esac
    ;;
  esac
}

complete -F _nvmove nvmove
