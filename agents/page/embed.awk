# SPDX-License-Identifier: MIT
# embed.awk -- a text file as a C string: awk -v name=NAME -f embed.awk FILE.  The comment
# with the license at its beginning is left out.

# With a backslash before each backslash and quote.  gsub() is no help: awks differ in
# what they take backslashes of a replacement for.
function quoted(line,   text, at) {
    while (match(line, /[\\"]/)) {
        text = text substr(line, 1, RSTART - 1) "\\" substr(line, RSTART, 1)
        line = substr(line, RSTART + 1)
    }
    return text line
}

BEGIN { print "/* Generated. */\nstatic const char " name "[] =" }
NR == 1 && /SPDX-License/ { next }
{ print "    \"" quoted($0) "\\n\"" }
END { print "    \"\";" }
