# SPDX-License-Identifier: MIT
# embed.awk -- a text file as a C string: awk -v name=NAME -f embed.awk FILE.  The comment
# with the license at its beginning is left out.
BEGIN { print "/* Generated. */\nstatic const char " name "[] =" }
NR == 1 && /SPDX-License/ { next }
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    print "    \"" $0 "\\n\""
}
END { print "    \"\";" }
