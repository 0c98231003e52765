#compdef tiforge
# SPDX-License-Identifier: MIT
# zsh completion for tiforge, which knows the words itself; file names are added.
_tiforge()
{
    local -a found
    found=(${(f)"$($words[1] --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    # Behind NAME= and an agent's option more of the word follows.
    if [[ $words[CURRENT] == *=* || $words[2] == (run|check|trace) ]]; then
        compadd -S '' -a found
    else
        compadd -a found
    fi
    [[ $words[CURRENT] == (-*|*=*) ]] || _files
}
_tiforge "$@"
