# SPDX-License-Identifier: MIT
# tiforge test -- the project's TAP tests on several VMs.

help_test()
{
    cat <<'END'
usage: tiforge test [--vm VM]... [--timeout SECONDS] [--report FILE.xml]
                    [--check | --faults [--nth N] | --stress [--seed N]] [DIR]

Builds the project in DIR (here, if none is given), then runs its TAP tests,
DIR/t/*.t, with each VM: minivm, and java if there is one. --vm names another
launcher, or minivm, and may be repeated; then only those are used. A test finds
the launcher in $JAVA and the agent in $AGENT.

--timeout says how long a test may take: a file of them 600 seconds if it does not,
and a program that it runs 120. What hangs is ended, with all processes that it
started, and the stacks of its threads are shown.

--report also writes all points to a file in JUnit's format: a suite for each VM.

--check runs the tests with the checking layer of tiforge check between the agent and
the VM; a rule of severity error or warning that is broken is a point that fails.

--faults, on minivm unless --vm says another, records the functions of JVM TI that the
agent calls, and then runs the tests once for each of their errors, which the first
call of that function gives, or the Nth. Whether the tests pass then does not count: a
crash, a hang, a strange exit status, a leak or another broken rule is a failure.

--stress, on minivm unless --vm says another, disturbs the agent: by delays and
collections of garbage in its callbacks and threads that come and go, drawn from the
seed N (1), and by the program's end in the first callback of each event. It judges as
--faults does.

Prints the points that failed, and those that came out differently. Exit status: 0
if all points passed on all VMs, 1 otherwise.
END
}

# What the layer has reported for the processes of a test, as a point of it.
tell_findings() # FILE
{
    cat "$scratch"/found.*.json 2>/dev/null | awk '
        /^ *"(rule|severity|message)": / {
            key = $1
            gsub(/[":]/, "", key)
            sub(/^[^:]*: "/, "")
            sub(/",?$/, "")
            value[key] = $0
            if (key == "message" && value["severity"] != "advice")
                print value["severity"] ": " value["message"] " [" value["rule"] "]"
        }' | sort -u >"$scratch/findings"
    [ -s "$scratch/findings" ] && verdict='not ok' || verdict=ok
    say "$verdict - $1: breaks no rule of tiforge check"
    sed 's/^/  # /' "$scratch/findings" >>"$scratch/said"
}

# The layer under the name of the agent, in a folder of its own: what loads the agent gets
# the layer, which loads the agent.
stand_in() # AGENT
{
    layer=$lib/tiforge/check/libtiforge-check.so
    [ -f "$layer" ] || fail "there is no '$layer'"
    case $1$scratch in
    *,*) fail "the name of the agent must have no comma: '$1'" ;;
    esac
    mkdir -p "$scratch/layer" && cp "$layer" "$scratch/layer/${1##*/}"
}

# Run all tests of a project: "FILE: ok - NAME" for each point, its number left out.
test_on() # DIR AGENT JAVA
{
    for file in "$1"/t/*.t; do
        rm -f "$scratch"/found.*
        JAVA=$3 AGENT=$2 TIFORGE=$self TIFORGE_TIMEOUT=$program_limit \
            TIFORGE_CHECK=$settings \
            sh "$data/templates/common/bounded.sh" "$file_limit" sh "$file" \
            </dev/null >"$scratch/tap" 2>"$scratch/err" &
        bounded=$!
        wait "$bounded"
        status=$?
        bounded=
        [ $status -ne 124 ] ||
            say "not ok - ${file##*/}: timed out after $file_limit s"
        awk -v file="${file##*/}" -v status=$status '
            /^(not )?ok / {
                points++
                verdict = /^not/ ? "not ok" : "ok"
                if (/# (SKIP|TODO|skip|todo)/) verdict = "skip"
                sub(/^(not )?ok [0-9]*( - )?/, "")
                print verdict " - " file ": " $0
            }
            /^1\.\.[0-9]+/ { planned = 1; split($0, plan, /\.\.| /); want = plan[2] }
            END {
                if (status != 124 && (!planned || points != want))
                    print "not ok - " file ": ended early, exit status " status
            }' "$scratch/tap"
        { sed -n 's/^#/  #/p' "$scratch/tap"
            sed 's/^/  # /' "$scratch/err"; } >"$scratch/said"
        [ -z "$settings" ] || tell_findings "${file##*/}"
        cat "$scratch/said" >>"$scratch/comments"
        # Whose they are stands before them, for the report.
        awk -v file="${file##*/}" '{ print file ":" $0 }' "$scratch/said" \
            >>"$scratch/notes.$count"
    done
}

# The one that runs ends its processes.
stop_tests() # STATUS
{
    [ -z "$bounded" ] || { kill -TERM "$bounded" && wait "$bounded"; } 2>/dev/null
    exit "$1"
}

# "minivm" or "HotSpot 17.0.1": what the VM says of itself.
name_of() # JAVA
{
    timeout -k 5 60 "$1" -version 2>&1 </dev/null | awk '
        /version "/ { split($0, part, "\""); release = " " part[2] }
        / VM / || /minivm/ {
            name = (/OpenJ9/ ? "OpenJ9" : "HotSpot") release
            if (/minivm/)
                name = "minivm"
        }
        END { if (!name) exit 1; print name }'
}

lines='
'

run_test()
{
    vms= file_limit=600 program_limit=120 bounded= report= settings= mode= nth=1 seed=1
    while [ $# -gt 0 ]; do
        case $1 in
        --vm) [ $# -gt 1 ] || fail "--vm wants a launcher"
            [ "$2" = minivm ] && vm=$minivm || vm=$2
            name_of "$vm" >/dev/null || fail "'$vm' is no launcher of a VM"
            vms=$vms$lines$vm
            shift 2 ;;
        --timeout) [ $# -gt 1 ] || fail "--timeout wants a number of seconds"
            case $2 in
            ''|*[!0-9]*|0*) fail "--timeout wants a number of seconds, not '$2'" ;;
            esac
            file_limit=$2
            [ "$2" -ge "$program_limit" ] || program_limit=$2
            shift 2 ;;
        --report) [ $# -gt 1 ] || fail "--report wants a file"
            case $2 in
            *.xml) ;;
            *) fail "test: a report is a file .xml, not '$2'" ;;
            esac
            [ -d "$(dirname -- "$2")" ] || fail "test: there is no folder for '$2'"
            report=$2
            shift 2 ;;
        --check|--faults|--stress) mode=$1; shift ;;
        --seed) [ $# -gt 1 ] || fail "--seed wants a number"
            case $2 in
            ''|*[!0-9]*|0*) fail "--seed wants a number from 1 on, not '$2'" ;;
            esac
            seed=$2
            shift 2 ;;
        --nth) [ $# -gt 1 ] || fail "--nth wants a number"
            case $2 in
            ''|*[!0-9]*|0*) fail "--nth wants a number, not '$2'" ;;
            esac
            nth=$2
            shift 2 ;;
        -h|--help) help_test; exit 0 ;;
        -*) no_option test "$1" ;;
        *) break ;;
        esac
    done
    [ $# -le 1 ] || fail "test: one folder only"
    dir=${1:-.}
    build_project "$dir" || fail "'$dir' does not build"
    agent=$(readlink -f "$(built_agent "$dir")")
    [ -n "$agent" ] || fail "the build of '$dir' made no lib*.so"
    if [ -z "$vms" ]; then
        [ -x "$minivm" ] && vms=$minivm
        case $mode in
        --faults|--stress) [ -n "$vms" ] || vms=$(find_java) ;;
        *) vms=$vms$lines$(find_java) ;;
        esac
    fi
    # Each line an argument, whatever characters are in it.
    IFS=$lines
    set -f
    set -- $vms
    set +f
    unset IFS
    [ $# -gt 0 ] || fail "neither minivm nor java to be found"

    scratch=$(mktemp -d) || exit 2
    trap 'rm -rf "$scratch"' EXIT
    trap 'stop_tests 130' INT
    trap 'stop_tests 143' TERM HUP
    bad=0 count=0
    if [ -n "$mode" ]; then
        tested=$agent
        stand_in "$tested"
        agent=$scratch/layer/${tested##*/}
        settings=agent=$tested,report=$scratch/found.%p.json
    fi
    case $mode in
    --faults|--stress)
        . "$data/command/faults.sh"
        for vm; do
            "test_${mode#--}" "$dir" "$agent" "$vm" || bad=1
        done
        exit $bad ;;
    esac
    for vm; do
        count=$((count + 1))
        : >"$scratch/comments"
        : >"$scratch/notes.$count"
        began=$(date +%s)
        test_on "$dir" "$agent" "$vm" >"$scratch/vm.$count"
        name=$(name_of "$vm")
        echo "$name" >"$scratch/name.$count"
        echo $(($(date +%s) - began)) >"$scratch/seconds.$count"
        awk -v name="$name" '
            /^ok/ { ok++ } /^skip/ { skipped++ } /^not ok/ { failed++ }
            END {
                printf "%s: %d passed, %d failed, %d skipped\n", name, ok, failed,
                    skipped
            }' "$scratch/vm.$count" | paint
        if grep -q '^not ok' "$scratch/vm.$count"; then
            show_failures "$count" | paint
            bad=1
        fi
        [ -s "$scratch/vm.$count" ] || { echo "no test points"; bad=1; }
    done
    show_differences >"$scratch/differences"
    paint <"$scratch/differences"
    [ -z "$report" ] || write_report >"$report" || fail "test: cannot write '$report'"
    exit $bad
}

# Text that may stand in an XML file: characters that XML has, in UTF-8.
xml_clean()
{
    tr -d '\000-\010\013\014\016-\037' | {
        if command -v iconv >/dev/null; then
            iconv -c -f UTF-8 -t UTF-8
        else
            LC_ALL=C tr '\200-\377' '?'
        fi
    }
}

# The points of all VMs in the format of JUnit that build servers read.  What a file
# printed as comments stands with each of its points that failed.
write_report()
{
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo '<testsuites>'
    vm_number=1
    while [ $vm_number -le $count ]; do
        xml_clean <"$scratch/notes.$vm_number" >"$scratch/notes"
        xml_clean <"$scratch/vm.$vm_number" >"$scratch/points"
        awk -v vm="$(cat "$scratch/name.$vm_number")" \
            -v seconds="$(cat "$scratch/seconds.$vm_number")" '
            function escaped(text) {
                gsub(/&/, "\\&amp;", text)
                gsub(/</, "\\&lt;", text)
                gsub(/>/, "\\&gt;", text)
                gsub(/"/, "\\&quot;", text)
                return text
            }
            FILENAME ~ /notes$/ {
                file = $0
                sub(/:.*/, "", file)
                notes[file] = notes[file] escaped(substr($0, length(file) + 2)) "\n"
                next
            }
            {
                verdict[++points] = $1
                name[points] = $0
                sub(/^[a-z ]* - /, "", name[points])
                of[points] = name[points]
                sub(/: .*/, "", of[points])
                sub(/^[^:]*: /, "", name[points])
                failed += $1 == "not"
                skipped += $1 == "skip"
            }
            END {
                printf "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" ",
                    escaped(vm), points, failed
                printf "errors=\"0\" skipped=\"%d\" time=\"%d\">\n", skipped, seconds
                for (i = 1; i <= points; i++) {
                    printf "<testcase classname=\"%s %s\" name=\"%s\"", escaped(vm),
                        escaped(of[i]), escaped(name[i])
                    if (verdict[i] == "not")
                        print "><failure message=\"not ok\">" notes[of[i]] \
                            "</failure></testcase>"
                    else if (verdict[i] == "skip")
                        print "><skipped/></testcase>"
                    else
                        print "/>"
                }
            }' "$scratch/notes" "$scratch/points" || return 1
        if [ $vm_number = 1 ] && [ -s "$scratch/differences" ]; then
            echo '<system-out>'
            xml_clean <"$scratch/differences" |
                sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
            echo '</system-out>'
        fi
        echo '</testsuite>'
        vm_number=$((vm_number + 1))
    done
    echo '</testsuites>'
}

# The points that failed, and what the tests said.  An agent that lacks a capability, or
# calls in the wrong phase, says where; most of what fails in that file follows from it.
# So that comes first and once, then the first point, and the others are summed up.
show_failures() # NUMBER-OF-VM
{
    awk '
        FILENAME ~ /notes/ {
            file = $0
            sub(/:.*/, "", file)
            text = substr($0, length(file) + 2)
            gsub(/^[ #]+/, "", text)
            if (text ~ /_(MUST_POSSESS_CAPABILITY|WRONG_PHASE).*[(][^()]*:[0-9]+[)]$/ &&
                !((file, text) in told)) {
                told[file, text] = 1
                cause[file] = cause[file] "cause: " text "\n"
            }
            next
        }
        /^not ok/ {
            file = $0
            sub(/^not ok - /, "", file)
            sub(/:.*/, "", file)
            if (!(file in cause))
                print
            else if (!shown[file]++)
                printf "%s%s\n", cause[file], $0
            else {
                if (!more[file]++)
                    files[++count] = file
            }
        }
        END {
            for (i = 1; i <= count; i++)
                print "not ok - " files[i] ": " more[files[i]] " more point" \
                    (more[files[i]] == 1 ? "" : "s") ", which may follow from that"
        }' "$scratch/notes.$1" "$scratch/vm.$1" >"$scratch/failures"
    cat "$scratch/failures"
    if grep -q '^cause: ' "$scratch/failures"; then
        awk '!seen[$0]++' "$scratch/comments"
    else
        cat "$scratch/comments"
    fi
}

# The points that came out differently than with the first VM.  The first point of a name
# is compared with the first of that name, the second with the second, and so on.
show_differences()
{
    first=$(cat "$scratch/name.1")
    i=2
    while [ $i -le $count ]; do
        awk -v first="$first" -v second="$(cat "$scratch/name.$i")" '
            {
                verdict = name = $0
                sub(/ - .*/, "", verdict)
                sub(/^[a-z ]* - /, "", name)
            }
            { key = name SUBSEP (++met[FILENAME, name]) }
            FNR == NR { seen[key] = verdict; next }
            key in seen {
                if (seen[key] != verdict)
                    print "differs: " name " (" first ": " seen[key] ", " second ": " \
                        verdict ")"
                delete seen[key]
                next
            }
            { print "differs: " name " (only on " second ")" }
            END {
                for (key in seen) {
                    sub(SUBSEP ".*", "", key)
                    print "differs: " key " (only on " first ")"
                }
            }
        ' "$scratch/vm.1" "$scratch/vm.$i"
        i=$((i + 1))
    done
}

. "$data/command/build.sh"
