# SPDX-License-Identifier: MIT
# fish completion for tiforge, which knows the words itself; file names are added.
function __tiforge_words
    set -l words (commandline -opc)
    $words[1] --complete $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c tiforge -a '(__tiforge_words)'
