#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of flags (minivm/jdk/flags.def) beside what each JDK that was found prints.
#
# Defaults are not compared: many depend on the machine.  A diagnostic or experimental
# flag of the table that the JDK lacks is none of this check's: updates of a release take
# such flags away, and vendors leave some out.
top=$(cd "${top_srcdir:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
work=$build/minivm/test/flags.work
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS

# printed JAVA: a line "name type lock low high" for each flag that it has; - for no range.
printed()
{
    for what in Final Ranges; do
        "$1" -XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions \
            -XX:+PrintFlags$what -version 2>/dev/null
    done | sed -nE -f "$top/minivm/test/options/flags.sed" | awk -F '[(,)]' '
        { gsub(/[ "]/, "") }
        /^FLAG/ { type[$2] = $3 " " $4 }
        /^RANGE/ { range[$2] = $3 " " $4 }
        END { for (f in type) print f, type[f], f in range ? range[f] : "- -" }' | sort
}

# listed RELEASE: the same of the table's rows.
listed()
{
    awk -F '[(,)]' -v release="$1" '
        { gsub(/[ "]/, "") }
        /^(FLAG|RANGED)/ && $2 <= release && (!$3 || $3 >= release) {
            print $4, $5, $6, $1 == "RANGED" ? $8 " " $9 : "- -"
        }' "$top/minivm/jdk/flags.def" | sort
}

count=0
seen=
for jdk in "$JDK17" "$JDK21" "$JDK25"; do
    [ -x "$jdk/bin/java" ] || continue
    release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
    case " $seen " in
    *" $release "*) continue ;;
    esac
    seen="$seen $release"
    printed "$jdk/bin/java" >hotspot.$release
    listed "$release" | grep -v '^GCStress \|^PoisonFreed \|^ScheduleSeed ' >table.$release
    {
        [ -s hotspot.$release ] || echo "JDK $release prints no flags"
        comm -23 hotspot.$release table.$release | sed "s/^/missing, or another there: /"
        # What the JDK lacks altogether.
        join -v 2 hotspot.$release table.$release |
            grep -v ' diagnostic \| experimental ' | sed 's/^/not in the JDK: /'
    } >bad.$release
    count=$((count + 1))
    [ ! -s bad.$release ] || printf 'not '
    echo "ok $count - the flags of JDK $release"
    sed 's/^/# /' bad.$release
done
[ $count -gt 0 ] || echo "# no JDK was found"
echo "1..$count"
