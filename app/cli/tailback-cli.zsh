#compdef tailback-cli
# zsh completion for tailback-cli
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands and their options are those that --help lists.

_tailback_cli_commands () {
  tailback-cli --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1:\2/p'
}

_tailback_cli_flags () {   # COMMAND
  tailback-cli $1 --help 2>/dev/null |
    sed -n 's/^  \(-[a-zA-Z], \)*\(--[a-z][a-z-]*\)\(=[^ ]*\)\{0,1\}  *\(.*\)/\2:\4/p'
}

_tailback_cli_ids () {   # KIND
  tailback-cli list 2>/dev/null |
    awk -v kind="$1:" '/^[a-z]+:$/ { here = ($0 == kind) } here && /^  [^ ]/ { print $1 }'
}

# Names of the options of a plug-in.
_tailback_cli_options () {   # KIND ID
  tailback-cli list 2>/dev/null | awk -v kind="$1:" -v id="$2" '
    /^[a-z]+:$/ { here = ($0 == kind); found = 0 }
    here && /^  [^ ]/ { found = ($1 == id) }
    here && found && /^    [^ ]/ { print $1 }'
}

# The word after one of the given options, for instance after --collector.
_tailback_cli_given () {
  local i
  for ((i = 2; i + 1 < CURRENT; i++)); do
    if (( ${argv[(Ie)$words[i]]} )); then print -r -- $words[i+1]; return; fi
  done
}

_tailback_cli_option_names () {   # COMMAND
  local id
  case $1 in
    record) id=$(_tailback_cli_given --collector)
      [[ -z $id && -n $(_tailback_cli_given -f --function) ]] && id=latency
      _tailback_cli_options collector ${id:-ebpf} ;;
    analyze|compare) _tailback_cli_options analysis "$(_tailback_cli_given -a --analysis)" ;;
    export) _tailback_cli_options exporter "$(_tailback_cli_given -e --exporter)" ;;
    import) _tailback_cli_options importer "$(_tailback_cli_given --importer)" ;;
  esac
}

_tailback_cli () {
  local -a found
  local kind
  if (( CURRENT == 2 )); then
    found=(${(f)"$(_tailback_cli_commands)"} --help --version)
    _describe command found
    return
  fi
  case $words[2]:$words[CURRENT-1] in
    *:-a|*:--analysis) found=($(_tailback_cli_ids analysis)) ;;
    *:-e|*:--exporter) found=($(_tailback_cli_ids exporter)) ;;
    *:--option) compadd -S = -- $(_tailback_cli_option_names $words[2]); return ;;
    *:--values) found=($(_tailback_cli_option_names $words[2])) ;;
    *:--collector) found=($(_tailback_cli_ids collector)) ;;
    *:--importer) found=($(_tailback_cli_ids importer)) ;;
    record:-f|*:--function) compadd -S '' -- syscall: kernel:; return ;;
    record:--scope) found=(system command process) ;;
    *:--scope) found=(command system all) ;;
    *:-f|*:--format) found=(text json html) ;;
    *:--normalize) found=(none duration work) ;;
    new-plugin:-l|*:--language) found=(python c) ;;
    new-plugin:-k|*:--kind) found=(analysis importer exporter) ;;
    *:-p|*:--pid) _pids; return ;;
    *:-o|*:--output) _files; return ;;
    *:--) _command_names -e; return ;;
    check-plugin:check-plugin)
      [[ $words[CURRENT] == -* ]] || for kind in analysis collector exporter importer; do
        found+=($kind/${^$(_tailback_cli_ids $kind)})
      done ;;
  esac
  if (( $#found )); then
    compadd -- $found
  elif [[ $words[CURRENT] == -* ]]; then
    found=(${(f)"$(_tailback_cli_flags $words[2])"})
    _describe option found
  else
    _files
  fi
}

_tailback_cli "$@"
