# SPDX-License-Identifier: MIT
# bash completion for tiforge, which knows the words itself; file names are added.
_tiforge()
{
    local line=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]} words whole cut
    local IFS=$'\n'

    # bash takes = and : for ends of words; an agent's options have them inside.
    read -ra words -d '' <<<"${line//[[:blank:]]/$'\n'}"
    [[ $line != *[[:blank:]] ]] || words+=('')
    whole=${words[-1]}
    cut=${#whole}-${#word}
    [[ $word != [=:] ]] || cut=${#whole}
    COMPREPLY=()
    for words in $("${words[0]}" --complete "${words[@]:1}" 2>/dev/null); do
        COMPREPLY+=("${words:$((cut))}")
    done
    # What goes on behind these is no end of a word.
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
    [[ $whole == -* || $whole == *=* ]] || COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _tiforge tiforge
