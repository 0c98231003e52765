# SPDX-License-Identifier: MIT
# man3.awk -- a public header as a manual page in mdoc: what it says before its first
# declaration is the description, each further comment the text of the declarations
# below it.  Variables: page, file.

function escape(text)
{
    gsub(/\\/, "\\e", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# A word of running text.  A new sentence begins on a new line, a line does not begin with
# a control character, and lines are short.
function put_word(word,   at)
{
    word = escape(word)
    # mandoc takes a bare f() for a name that lacks its markup.
    at = index(word, "()")
    if (at)
        word = substr(word, 1, at) "\\&" substr(word, at + 1)
    if (line_text != "" && length(line_text) + length(word) > 76)
        end_line()
    line_text = line_text (line_text == "" ? "" : " ") word
    if (word ~ /[.]$/ && word !~ /[.][.]$/)
        end_line()
}

function end_line()
{
    if (line_text ~ /^[.']/)
        line_text = "\\&" line_text
    if (line_text != "")
        print line_text
    line_text = ""
}

function put_text(text,   part, n, i)
{
    n = split(text, part, " ")
    for (i = 1; i <= n; i++)
        put_word(part[i])
}

# The paragraphs of a comment; what is indented is an example.
function put_comment(lines, count,   i, example, text)
{
    for (i = 1; i <= count; i++) {
        text = lines[i]
        if (text ~ /^    / || (example && text == "" && lines[i + 1] ~ /^    /)) {
            end_line()
            if (!example)
                print ".Bd -literal -offset indent"
            example = 1
            sub(/^    /, "", text)
            print escape(text)
            continue
        }
        if (example) {
            print ".Ed"
            example = 0
            if (i < count)
                print ".Pp"
            if (text == "")
                continue
        }
        if (text == "") {
            end_line()
            if (i < count && lines[i + 1] !~ /^    /)
                print ".Pp"
        } else
            put_text(text)
    }
    end_line()
    if (example)
        print ".Ed"
}

function flush_block(   i)
{
    if (declared == 0) {
        # A comment without a declaration: a heading of its own text.
        commented = 0
        return
    }
    print ".Bd -literal"
    for (i = 1; i <= declared; i++)
        print escape(declaration[i])
    print ".Ed"
    if (commented) {
        print ".Pp"
        put_comment(comment, commented)
    }
    declared = commented = 0
}

# The text of a comment's line, without its frame.
function bare(line)
{
    sub(/^\/\* ?/, "", line)
    sub(/ *\*\/$/, "", line)
    if (line ~ /^ \*/)
        sub(/^ \* ?/, "", line)
    else
        sub(/^   /, "", line)
    return line
}

FNR <= 1 { next }                       # the license

# The first comment: "tiforge/x.h -- what it is".
!headed {
    done = /\*\//
    line = bare($0)
    if (line != "" && line != "/*")
        head[++heads] = line
    else if (heads)
        head[++heads] = ""
    if (!done)
        next
    headed = 1
    while (head[heads] == "")
        heads--
    first = head[1]
    rest = 2
    # The summary ends at the first full stop.
    while (first !~ /[.]( |$)/ && rest <= heads && head[rest] != "")
        first = first " " head[rest++]
    sub(/^[^ ]* -- /, "", first)
    more = first
    sub(/[.]( .*)?$/, "", first)
    sub(/^[^.]*[.] */, "", more)
    print ".Dd November 22, 2026"
    print ".Dt " toupper(page) " 3"
    print ".Os"
    print ".Sh NAME"
    print ".Nm " page
    gsub(/"/, "\\(dq", first)
    print ".Nd " first
    print ".Sh SYNOPSIS"
    print ".In tiforge/" file
    print ".Sh DESCRIPTION"
    count = 0
    if (more != "")
        text[++count] = more
    for (; rest <= heads; rest++)
        if (count || head[rest] != "")
            text[++count] = head[rest]
    put_comment(text, count)
    next
}

# C is what a page is about.
/^#ifdef __cplusplus/ { cxx = 1 }
/^#else/ || /^#endif/ { cxx = 0 }
cxx { next }
# Of a macro its head; a prototype's attribute is for compilers.
continued { continued = /\\$/; next }
/^#define .*\\$/ { continued = 1; sub(/ *\\$/, "") }
/^#include/ || /^#if/ || /^#e/ || /^extern "C"/ || /^}$/ { next }
/^#define [A-Z_]*_H$/ || /^#define TF_(PRINTF|ENTRY)/ { next }

/^\/\*/ && !in_comment && !in_declaration {
    if (declared)
        flush_block()
    commented = 0
    in_comment = 1
}
in_comment {
    line = bare($0)
    ended = /\*\/ *$/
    if (!(commented == 0 && line == "") && !(line ~ /^-- .* --$/) && line != "/*")
        comment[++commented] = line
    if (ended) {
        in_comment = 0
        while (commented && comment[commented] == "")
            commented--
    }
    next
}
/^$/ {
    if (in_declaration)
        declaration[++declared] = ""
    else if (declared)
        flush_block()
    next
}
{
    if ($0 ~ /TF_PRINTF/)
        sub(/ TF_PRINTF\([0-9, ]*\)/, "")
    declaration[++declared] = $0
    if ($0 ~ /{ *$/)
        in_declaration = 1
    if ($0 ~ /^}.*;$/)
        in_declaration = 0
}
END {
    last_block = 1
    if (declared)
        flush_block()
    print ".Sh SEE ALSO"
    print ".Xr libtiforge 3 ,"
    print page == "tf_agent" ? ".Xr tiforge-agents 7" : ".Xr tf_agent 3"
}
