# SPDX-License-Identifier: MIT
# explain-headers.awk -- the declarations of a public header as entries of explain.txt.
#
# A comment belongs to the declarations that follow it without a blank line; each name
# that they declare, tf_... or TF_..., finds the entry.  One more has the header's names.

function basename(path) {
    sub(/.*\//, "", path)
    return path
}

# The names that a line declares: what stands before the first parenthesis, or the first
# name of a type; of a list of enumerators all.
function collect(line,   rest) {
    if (line ~ /^ *TF_[A-Z_0-9]+/ || line ~ /^enum .*{.*TF_/) {
        rest = line
        sub(/\/\*.*/, "", rest)
        while (match(rest, /[tT][fF]_[A-Za-z0-9_]+/)) {
            add_name(substr(rest, RSTART, RLENGTH))
            rest = substr(rest, RSTART + RLENGTH)
        }
    } else if (line ~ /^ / || line ~ /^[{}]/)
        return
    else if (match(line, /[tT][fF]_[A-Za-z0-9_]+ *\(/)) {
        rest = substr(line, RSTART, RLENGTH)
        sub(/ *\($/, "", rest)
        add_name(rest)
    } else if (match(line, /[tT][fF]_[A-Za-z0-9_]+/))
        add_name(substr(line, RSTART, RLENGTH))
}

function add_name(name) {
    if (!(name in seen_here)) {
        seen_here[name] = 1
        names = names " " name
    }
}

function flush_entry(   i) {
    if (lines && names != "") {
        sub(/^ /, "", names)
        print "@" names
        whole = whole (whole == "" ? "" : " ") names
        sub(/ .*/, "", names)
        print names ": libtiforge, tiforge/" basename(FILENAME)
        print ""
        for (i = 1; i <= lines; i++)
            print "    " declaration[i]
        if (comments) {
            print ""
            for (i = 1; i <= comments; i++)
                print (comment[i] == "" ? "" : "  " comment[i])
        }
    }
    lines = comments = 0
    names = ""
    split("", seen_here)
}

/^#include/ || /^namespace/ { comments = 0 }
/^#ifdef __cplusplus/ { if (lines) flush_entry(); cplusplus = 1; next }
cplusplus && /^#(endif|else)/ { cplusplus = 0; next }
cplusplus { next }
/^#(if|ifdef|ifndef|else|endif|include)/ || /^#define TIFORGE_[A-Z]*_H/ { next }
/^}$/ { next }

/^\/\*/ {
    if (lines)
        flush_entry()
    comments = 0
    in_comment = 1
}
in_comment {
    text = $0
    done = text ~ /\*\//
    sub(/^\/\* ?/, "", text)
    sub(/ *\*\/ *$/, "", text)
    if (text ~ /^ \*/)
        sub(/^ \* ?/, "", text)
    else
        sub(/^   /, "", text)
    if (text != "" || comments)
        comment[++comments] = text
    if (done) {
        in_comment = 0
        while (comments && comment[comments] == "")
            comments--
    }
    next
}
/^$/ { if (!nested && lines) flush_entry(); next }
{
    declaration[++lines] = $0
    if (!continued)
        collect($0)
    continued = /\\$/
    opened = gsub(/{/, "{")
    nested += opened - gsub(/}/, "}")
}
# The name of the manual page leads to all that the header declares, unless it is one of
# the names.
END {
    flush_entry()
    page = basename(FILENAME)
    sub(/\.h$/, "", page)
    page = "tf_" page
    if (whole == "" || index(" " whole " ", " " page " "))
        exit
    print "@" page
    print page ": libtiforge, tiforge/" basename(FILENAME) ", see " page "(3)"
    print ""
    count = split(whole, each, " ")
    for (i = 1; i <= count; i++)
        print "    " each[i]
}
