# fish completion for tailback-cli
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands and their options are those that --help lists.

function __tailback_cli_commands
    tailback-cli --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*) +(.*)$' '$1'\t'$2'
end

function __tailback_cli_flags -a command
    tailback-cli $command --help 2>/dev/null |
        string replace -rf '^  (?:-[a-zA-Z], )*(--[a-z][a-z-]*)(?:=\S+)? +(.*)$' '$1'\t'$2'
end

function __tailback_cli_ids -a kind
    tailback-cli list 2>/dev/null |
        awk -v kind="$kind:" '/^[a-z]+:$/ { here = ($0 == kind) } here && /^  [^ ]/ { print $1 }'
end

# Names of the options of a plug-in.
function __tailback_cli_options -a kind id
    tailback-cli list 2>/dev/null | awk -v kind="$kind:" -v id="$id" '
        /^[a-z]+:$/ { here = ($0 == kind); found = 0 }
        here && /^  [^ ]/ { found = ($1 == id) }
        here && found && /^    [^ ]/ { print $1 }'
end

# The word after one of the given options, for instance after --collector.
function __tailback_cli_given
    set -l words (commandline -opc)
    for i in (seq 2 (math (count $words) - 1))
        if contains -- $words[$i] $argv
            echo $words[(math $i + 1)]
            return
        end
    end
end

function __tailback_cli_option_names -a command
    switch $command
        case record
            set -l id (__tailback_cli_given --collector)
            if test -z "$id" -a -n "$(__tailback_cli_given -f --function)"
                set id latency
            end
            test -n "$id"; or set id ebpf
            __tailback_cli_options collector $id
        case analyze compare
            __tailback_cli_options analysis (__tailback_cli_given -a --analysis)
        case export
            __tailback_cli_options exporter (__tailback_cli_given -e --exporter)
        case import
            __tailback_cli_options importer (__tailback_cli_given --importer)
    end
end

function __tailback_cli_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    if test (count $words) -eq 1
        __tailback_cli_commands
        printf '%s\n' --help --version
        return
    end
    switch $words[2]:$words[-1]
        case '*:-a' '*:--analysis'
            __tailback_cli_ids analysis
        case '*:-e' '*:--exporter'
            __tailback_cli_ids exporter
        case '*:--option'
            __tailback_cli_option_names $words[2] | string replace -r '$' =
        case '*:--values'
            __tailback_cli_option_names $words[2]
        case '*:--collector'
            __tailback_cli_ids collector
        case '*:--importer'
            __tailback_cli_ids importer
        case record:-f '*:--function'
            printf '%s\n' syscall: kernel:
        case record:--scope
            printf '%s\n' system command process
        case '*:--scope'
            printf '%s\n' command system all
        case '*:-f' '*:--format'
            printf '%s\n' text json html
        case '*:--normalize'
            printf '%s\n' none duration work
        case new-plugin:-l '*:--language'
            printf '%s\n' python c
        case new-plugin:-k '*:--kind'
            printf '%s\n' analysis importer exporter
        case '*:-p' '*:--pid'
            __fish_complete_pids
        case '*:-o' '*:--output'
            __fish_complete_path $current
        case '*:--'
            __fish_complete_command
        case '*'
            if string match -q -- '-*' $current
                __tailback_cli_flags $words[2]
            else if test "$words[2..]" = check-plugin
                for kind in analysis collector exporter importer
                    __tailback_cli_ids $kind | string replace -r '^' $kind/
                end
            else
                __fish_complete_path $current
            end
    end
end

complete -c tailback-cli -f -a '(__tailback_cli_complete)'
