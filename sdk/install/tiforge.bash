# SPDX-License-Identifier: MIT
# bash completion for tiforge.
_tiforge()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    local data
    data=$(dirname "$(readlink -f "$(type -P tiforge)")")/../share/tiforge

    if [ "$COMP_CWORD" = 1 ]; then
        words="new build test run check trace doctor tck explain --help --version"
    else
        case $before in
        --template)
            words=$(cd "$data/templates" 2>/dev/null && ls | grep -v '^common$') ;;
        --lang) words="c c++" ;;
        --build) words="make autotools cmake" ;;
        --license) words="MIT Apache-2.0 BSD-2-Clause GPL-2.0-or-later none" ;;
        --vm) words="minivm java" ;;
        --only) words=$(sed -n 's/^@//p' "$data/rules-explain.txt" 2>/dev/null) ;;
        --fail-on) words="error warning advice" ;;
        --dir|--report|--suppress|--file|--filter) ;;
        *)
            case ${COMP_WORDS[1]} in
            new) words="--template --lang --build --dir --license --author --help" ;;
            test|run) words="--vm --help" ;;
            check) words="--vm --report --only --suppress --fail-on --poison --timeout
                    --help" ;;
            trace) words="--vm --filter --file --summary --help" ;;
            doctor) words="--glibc --help" ;;
            tck) words="--java --jobs --filter --shard --expect --report --with --timeout
                    --agent --mutate --log --after --list --coverage --quiet --help" ;;
            explain) words=$(sed -n 's/^@//p' "$data/explain.txt" \
                    "$data/rules-explain.txt" 2>/dev/null) ;;
            build) words=--help ;;
            esac ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _tiforge tiforge
