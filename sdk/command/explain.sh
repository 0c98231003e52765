# SPDX-License-Identifier: MIT
# tiforge explain -- an entry of the facts table.

help_explain()
{
    cat <<'END'
usage: tiforge explain NAME...

Explains functions, events, errors, capabilities and phases of JVM TI 21: phases,
capabilities, errors, callback safety, and advice; types and constants of JVM TI and
JNI; JNI's functions; what libtiforge has, tf_...; and the rules of tiforge check.
NAME is a name with or without its prefix, in any case, or a number: an error's, an
event's, the slot of a function of JVM TI.

    tiforge explain GetStackTrace WRONG_PHASE can_tag_objects 62 memory.leak
    tiforge explain GetStringUTFChars jthread JVMTI_VISIT_ABORT tf_check
END
}

run_explain()
{
    [ $# -gt 0 ] || { help_explain >&2; exit 2; }
    missing=0
    for name; do
        found=0
        # Blocks are parted by lines with the names of the next one: "@name name ...".  All
        # is read twice: where a name is there as it was written, other cases do not count.
        awk -v wanted="$name" -v bold="$bold" -v plain="$plain" '
            BEGIN {
                lower = tolower(wanted)
                sub(/^jvmti_(error_|event_|phase_)?/, "", lower)
            }
            !printing {
                if (/^@/)
                    for (i = 1; i <= NF; i++)
                        if (substr($i, i == 1 ? 2 : 1) == wanted)
                            as_written = 1
                next
            }
            /^@/ {
                found = 0
                for (i = 1; i <= NF; i++) {
                    name = substr($i, i == 1 ? 2 : 1)
                    if (as_written ? name == wanted : tolower(name) == lower)
                        found = 1
                }
                if (found && any++)
                    print ""
                first = 1
                next
            }
            found {
                print first ? bold $0 plain : $0
                first = 0
            }
            END { exit any ? 0 : 3 }' "$data/explain.txt" "$data/rules-explain.txt" \
            printing=1 "$data/explain.txt" "$data/rules-explain.txt" ||
            found=$?
        # Other errors are those of writing: a reader that has seen enough, as head has.
        [ $found = 0 ] || [ $found = 3 ] || exit $found
        [ $found = 0 ] || {
            meant=$(sed -n 's/^@//p' "$data/explain.txt" "$data/rules-explain.txt" |
                tr ' ' '\n' | grep '[a-z_A-Z]' | did_you_mean "$name")
            say "${red_err}tiforge: nothing is called '$name'$meant$plain_err" >&2
            awk -v wanted="$name" -v meant="$meant" '
                BEGIN { wanted = tolower(wanted) }
                wanted != "" && /^@/ && index(tolower($1), wanted) &&
                    !index(meant, "\047" substr($1, 2) "\047") {
                    names = names " " substr($1, 2)
                }
                END { if (names) print "tiforge: there are:" names }
            ' "$data/explain.txt" "$data/rules-explain.txt" >&2
            missing=1
        }
    done
    exit $missing
}
