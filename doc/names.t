#!/bin/sh
# SPDX-License-Identifier: MIT
#
# One test per document: what it names in backquotes is there.  Of each span these are
# looked up:
#   path/file.c: name     name is defined in that file: a function, a macro, a struct; of
#                         files in other languages than C: the word occurs in it
#   name()                a function or macro of that name is defined in some file
#   struct name, union name, enum name
#                         it is defined in some file
#   path/file             words that begin with a folder of the tree, or end like a source
#                         file: found from the top, from the document's folder or from
#                         minivm/, in the source or the build folder; a name of a source
#                         file alone may be anywhere.  Patterns (*) match at least one
#                         file.  A part NAME, MODULE, AREA, DIR, FILE stands for any.
# A block between ``` is left out; one with a file's name makes it (```c src/agent.c).
# The glossary is alphabetical, each term once.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
top_builddir=$(cd "$top_builddir" && pwd)
cd "$top_srcdir" || exit 1
tmp=${TMPDIR:-/tmp}/names.$$
trap 'rm -f "$tmp".*' EXIT

# Files of the source folder, and those that the build made, under the same names.
list_files()
{
    find . \( -name .git -o -name '_*build' -o -name '*.work' -o -name autom4te.cache \) \
        -prune -o -print | sed 's,^\./,,'
}
{
    list_files
    (cd "$top_builddir" && list_files)
} | sort -u >"$tmp.files"

# Definitions: "file name", of functions, macros, structs, unions and enums in C.
cat >"$tmp.awk" <<'END'

    FNR == 1 { candidate = "" }
    # A function: its name begins a line, and behind its parameters stands a body.
    candidate == "" && /^[A-Za-z_][A-Za-z0-9_]*\(/ {
        candidate = $0
        sub(/\(.*/, "", candidate)
        depth = 0
        parameters = $0
        sub(/^[^(]*/, "", parameters)
        # A row of a table that makes functions, or a macro that is told a name.
        count = candidate ~ /^[A-Z_0-9]+$/ ? split(parameters, name, /[(), ]+/) : 0
        while (count > 0)
            print FILENAME, name[count--]
        scan(parameters)
        next
    }
    candidate != "" { scan($0); next }
    /^#[ \t]*define[ \t]+[A-Za-z_]/ {
        macro = $0
        sub(/^#[ \t]*define[ \t]+/, "", macro)
        sub(/[^A-Za-z0-9_].*/, "", macro)
        print FILENAME, macro
    }
    match($0, /(struct|union|enum)[ \t]+[A-Za-z_][A-Za-z0-9_]*[ \t]*\{/) {
        split(substr($0, RSTART, RLENGTH), word, /[ \t{]+/)
        print FILENAME, word[1] " " word[2]
    }
    # Read on until the parentheses are closed and what follows is known.
    function scan(text,   i, c) {
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(")
                depth++
            else if (c == ")")
                depth--
            else if (depth == 0 && c == "{") {
                print FILENAME, candidate
                candidate = ""
                return
            } else if (depth == 0 && c !~ /[ \t\\]/) {
                candidate = ""
                return
            }
        }
    }
END
definitions()
{
    grep -E '\.(c|h|cc|hh|def)$' "$tmp.files" | while read -r file; do
        [ -f "$file" ] && echo "$file"
    done | LC_ALL=C xargs awk -f "$tmp.awk"
}
{
    definitions
    (cd "$top_builddir" && definitions)
} >"$tmp.definitions"

cat >"$tmp.awk" <<'END'
    function fail(text) { failures = failures "# " text "\n" }
    # Compares as the file system does: * stands for anything but /.
    function matches_some(pattern,   i, expression) {
        expression = pattern
        gsub(/[.+()]/, "[&]", expression)
        gsub(/\*/, "[^/]*", expression)
        expression = "^" expression "$"
        for (i = 1; i <= file_count; i++)
            if (files[i] ~ expression)
                return 1
        return 0
    }
    # The name in the tree of what document calls name, or "".
    function find(name,   i, try) {
        sub(/^\.\//, "", name)
        sub(/\/$/, "", name)
        try[1] = name
        try[2] = folder name
        try[3] = "minivm/" name
        for (i = 1; i <= 3; i++)
            if (try[i] in exists || (try[i] ~ /\*/ && matches_some(try[i])))
                return try[i]
        i = name
        sub(/.*\//, "", i)
        if (i in known && known[i] ~ (" ([^ ]*/)?" name " "))
            return known[i]
        return ""
    }
    function looks_like_file(word,   first) {
        if (word !~ /^[A-Za-z0-9_.\/*+-]+$/ || word ~ /\.work\// || word ~ /^\/|^-/)
            return 0
        first = word
        sub(/\/.*/, "", first)
        if (index(word, "/") && first in top)
            return 1
        return word ~ /\.(c|h|cc|def|t|md|ac|am|mk|map|sed|awk|py)$/ && word !~ /^[*.]/
    }
    function is_defined_in(path, name,   line, found) {
        if (path ~ /\.(c|h|cc|def)$/ && ((path " " name) in definition \
                || (path " struct " name) in definition \
                || (path " enum " name) in definition \
                || (path " union " name) in definition))
            return 1
        # Rows of a table, and other languages.
        while ((getline line < path) > 0)
            if ((" " line " ") ~ ("[^A-Za-z0-9_]" name "[^A-Za-z0-9_]") \
                && (path !~ /\.c$|\.h$/ || line ~ ("^" name "[ ,]")))
                found = 1
        close(path)
        return found
    }
    # path may be several files, as a pattern or a bare name.
    function check_definition(text,   path, name, found, list, i, n) {
        path = text
        sub(/: .*/, "", path)
        name = text
        sub(/^[^ ]*: /, "", name)
        sub(/\(\)$/, "", name)
        sub(/^(struct|enum|union) /, "", name)
        found = find(path)
        if (found == "") {
            fail("`" text "`: no file " path)
            return
        }
        n = split(found, list, " ")
        for (i = 1; i <= n; i++)
            if (is_defined_in(list[i], name))
                return
        fail("`" text "`: " path " defines no " name)
    }
    function check_span(span,   words, n, i, word, part, parts, count, skip) {
        if (span ~ /^[A-Za-z0-9_.\/-]+\.[a-z0-9]+: [A-Za-z_][A-Za-z0-9_ ]*(\(\))?$/) {
            check_definition(span)
            return
        }
        if (span ~ /^[A-Za-z_][A-Za-z0-9_]*\(\)$/) {
            sub(/\(\)$/, "", span)
            if (!(span in defined))
                fail("`" span "()` is not defined")
            return
        }
        if (span ~ /^(struct|union|enum) [A-Za-z_][A-Za-z0-9_]*$/) {
            if (!(span in defined))
                fail("`" span "` is not defined")
            return
        }
        n = split(span, words, " ")
        for (i = 1; i <= n; i++) {
            word = words[i]
            sub(/[,;:.)]+$/, "", word)
            if (!looks_like_file(word))
                continue
            count = split(word, parts, "/")
            skip = 0
            for (part = 1; part <= count; part++)
                if (parts[part] ~ /^(NAME|MODULE|AREA|DIR|FILE)([.-]|$)/)
                    skip = 1
            if (find(word) == "" && !skip)
                fail("`" span "`: no file " word)
        }
    }
    function check_paragraph(   parts, n, i) {
        gsub(/``/, "", paragraph)
        n = split(paragraph, parts, "`")
        if (n > 0 && n % 2 == 0)
            fail("a backquote without its other: " substr(paragraph, 1, 60))
        for (i = 2; i <= n; i += 2)
            check_span(parts[i])
        paragraph = ""
    }
    function check_document(document,   line, is_code, term, last, word) {
        folder = document
        if (!sub(/[^\/]*$/, "", folder))
            folder = ""
        failures = ""
        paragraph = ""
        is_code = lines = 0
        # Files that the document itself has.
        while ((getline line < document) > 0)
            if (line ~ /^ *```/ && split(line, word, " ") == 2)
                exists[word[2]] = 1
        close(document)
        while ((getline line < document) > 0) {
            lines++
            if (line ~ /^ *```/) {
                is_code = !is_code
                continue
            }
            if (is_code)
                continue
            if (document ~ /glossary/ && match(line, /^\*\*[^*]+\*\*/)) {
                term = tolower(substr(line, 3, RLENGTH - 4))
                if (term <= last)
                    fail("\"" term "\" stands behind \"" last "\"")
                last = term
            }
            if (line ~ /^[ \t]*$/ || line ~ /^ *([-*|]|[0-9]+\.) /)
                check_paragraph()
            paragraph = paragraph " " line
        }
        check_paragraph()
        close(document)
        # What the test itself makes up is wrong in each line.
        if (document ~ /^\//)
            failures = gsub(/\n/, "", failures) == lines ? "" : "# too few are found\n"
        print (failures == "" ? "ok " : "not ok ") ++tests " - " \
            (document ~ /^\// ? "wrong names are found" : document " names what is there")
        printf "%s", failures
    }
    FILENAME ~ /files$/ {
        files[++file_count] = $0
        exists[$0] = 1
        name = $0
        if (!index(name, "/"))
            top[name] = 1
        sub(/.*\//, "", name)
        known[name] = known[name] " " $0 " "
        next
    }
    FILENAME ~ /definitions$/ {
        definition[$0] = 1
        name = $0
        sub(/^[^ ]* /, "", name)
        defined[name] = 1
        next
    }
    { check_document($0) }
    END { print "1.." tests }
END

cat >"$tmp.md" <<'END'
- `minivm/interp/interp.c: interp_lop`
- `minivm/runtime/vm.h: object_new`
- `insn.h: translate`
- `minivm/interp/ops.def: CONST65`
- `mutex_lok()`
- `struct clas`
- `minivm/nothing.c`
- `nothing.c`
- `minivm/nothing/`
- `minivm/test/*-u.c`
- `struct class
END
{
    for document in README.md CONTRIBUTING.md doc/*.md tck/README.md bench/README.md \
        minivm/fuzz/README.md; do
        [ -f "$document" ] && echo "$document"
    done
    echo "$tmp.md"
} | LC_ALL=C awk -f "$tmp.awk" "$tmp.files" "$tmp.definitions" -
