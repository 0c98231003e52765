# SPDX-License-Identifier: MIT
# tiforge mark -- the points of many submissions of labs.

help_mark()
{
    cat <<'END'
usage: tiforge mark [OPTION...] DIR...

Marks submissions of the course's labs: folders that tiforge lab start made, or archives
of them (.tar, .tar.gz, .tar.xz, .zip). Each is built and run on its own, within limits
of time, memory, processes, output and files, and where the system allows without
network and with all other files read-only. Nothing of it is left behind.

  --lab N        the lab; without it that which a folder's file .tiforge-lab names
  --vm VM        a launcher such as java (minivm)
  --jobs N       so many at the same time (half of the processors)
  --seed N       what names and numbers in the programs are made of (by chance)
  --csv FILE     a table: submission, lab, points, and each criterion
  --html FILE    the table as a page, and beside it a page for each submission
  --hide DIR     a folder that submissions shall not see; may be repeated

Exit status: 0 if all were marked, whatever their points, 2 otherwise.
END
}

take_mark_option() # OPTION VALUE
{
    case $1 in
    --vm) find_vm "$2" ;;
    --lab) wanted_lab=$2; find_lab "$2" ;;
    --jobs|--seed)
        is_number "$2" || fail "mark: $1 wants a number, not '$2'"
        [ "$1" = --seed ] && seed=$2 || jobs=$2
        [ "$jobs" != 0 ] || fail "mark: --jobs wants a number from 1" ;;
    --hide)
        [ -d "$2" ] || fail "mark: there is no folder '$2'"
        hide_path "$(readlink -f "$2")" ;;
    --csv|--html)
        [ -d "$(dirname -- "$2")" ] || fail "mark: there is no folder for '$2'"
        [ "$1" = --csv ] && csv=$2 || html=$2 ;;
    esac
}

# The lab of a submission in $lab_dir; what an archive has inside is not looked at.
lab_for() # SUBMISSION
{
    lab=$wanted_lab
    [ -n "$lab" ] || lab=$(head -c 200 "$1/.tiforge-lab" 2>/dev/null |
        sed -n 's/^lab: *\([0-9]*\)$/\1/p')
    [ -n "$lab" ] || fail "of which lab is '$1'? give --lab"
    find_lab "$lab"
}

# One submission, in a process of its own; its folder stays for the report.
mark_one() # NUMBER SUBMISSION NAME
{
    box=$marking/$1
    inputs=$marking/inputs-$(lab_number)
    mkdir "$box" || return 1
    [ -z "$marker_uid" ] || marker_uid=$((64500 + $1 % 400))
    mark_submission "$2" 2>"$box/complaints"
    printf '%s\n' "$3" >"$box/name"
    {
        echo "lab=$(lab_number)"
        echo "lost=${runs_lost:-0}"
    } >"$box/facts"
    count_points >"$box/points"
}

# Wait until fewer than $jobs run; $running has their ids.
wait_for_slot()
{
    while :; do
        still= n=0
        for pid in $running; do
            kill -0 "$pid" 2>/dev/null || continue
            still="$still $pid"
            n=$((n + 1))
        done
        running=$still
        [ $n -ge "$jobs" ] || break
        sleep 0.1
    done
}

# Ends the jobs; a confined run ends with the shell that started it.
stop_marking() # STATUS
{
    trap '' TERM INT HUP
    [ -z "$running" ] || kill -TERM $running 2>/dev/null
    wait
    sleep 0.5
    exit "$1"
}

# ---- Reports ----

# A field of a CSV file (RFC 4180).
csv_field() # TEXT
{
    # A spreadsheet takes these for the beginning of a formula.
    case $1 in
    [=+@-]*) set -- " $1" ;;
    esac
    printf '"%s"' "$(harmless "$1" | sed 's/"/""/g')"
}

write_csv()
{
    echo "submission,lab,points,of,seed,runs ended by a limit,criteria"
    for number in $(seq "$count"); do
        box=$marking/$number
        printf '%s,%s,%s,%s,%s,' "$(csv_field "$(cat "$box/name")")" \
            "$(sed -n 's/^lab=//p' "$box/facts")" \
            "$(sed -n 's/^total|\(.*\)|\(.*\)/\1,\2/p' "$box/points")" "$seed" \
            "$(sed -n 's/^lost=//p' "$box/facts")"
        csv_field "$(awk -F'|' '$1 != "total" { printf "%s%s=%s/%s", sep, $1, $2, $3
            sep = " " }' "$box/points")"
        echo
    done
}

escape_html()
{
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
}

html_head() # TITLE
{
    cat <<END
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>$(say "$1" | escape_html)</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse } td, th { border: 1px solid #999; padding: .2em .6em }
th { text-align: left } td.number { text-align: right } .lost { background: #fdd }
pre { background: #eee; padding: .5em; white-space: pre-wrap }
</style></head><body><h1>$(say "$1" | escape_html)</h1>
END
}

# A row of points.
html_row() # TITLE POINTS OF
{
    class=
    [ "$2" = "$3" ] || class=' class=lost'
    say "<tr$class><td>$(say "$1" | escape_html)</td><td class=number>$2</td>" \
        "<td class=number>$3</td></tr>"
}

# The page of one submission.
html_page() # NUMBER
{
    box=$marking/$1
    find_lab "$(sed -n 's/^lab=//p' "$box/facts")"
    html_head "$(harmless "$(cat "$box/name")")"
    say "<p>Lab $(lab_number): $(lab_field title | escape_html)</p><table>"
    say "<tr><th>criterion</th><th>points</th><th>of</th></tr>"
    while IFS='|' read -r id points of title read; do
        case $id in
        total) html_row "all" "$points" "$of" ;;
        *) html_row "$title" "$points" "$of" ;;
        esac
    done <"$box/points"
    say "</table>"
    while IFS='|' read -r id points of title read; do
        [ "$id" != total ] && [ "$points" != "$of" ] || continue
        say "<h2>$(say "$title" | escape_html)</h2><pre>"
        explain_lost "$id" "$read" | escape_html
        say "</pre>"
    done <"$box/points"
    awk -F'\t' '$1 == "build" { print "It does not build: " $5 }' "$box/verdicts" |
        escape_html | sed 's,.*,<pre>&</pre>,'
    say "</body></html>"
}

# The table, and beside it the pages.
write_html() # FILE
{
    pages=${1%.html}-pages
    mkdir -p "$pages" || return 1
    {
        html_head "Points"
        say "<p>$count submissions, seed $seed</p><table><tr><th>submission</th>" \
            "<th>points</th><th>of</th></tr>"
        for number in $(seq "$count"); do
            html_page "$number" >"$pages/$number.html" || return 1
            link="<a href=\"$(basename "$pages" | escape_html)/$number.html\">"
            html_row @ $(sed -n 's,^total|\(.*\)|\(.*\),\1 \2,p' "$marking/$number/points") |
                awk -v link="$link" -v name="$(harmless "$(cat "$marking/$number/name")" |
                    escape_html)" '
                    { at = index($0, "@"); print substr($0, 1, at - 1) link name "</a>" \
                        substr($0, at + 1) }'
        done
        say "</table></body></html>"
    } >"$1"
}

# ---- The command ----

mark_all() # SUBMISSION...
{
    count=0 running=
    for submission; do
        count=$((count + 1))
        lab_for "$submission"
        prepared=$marking/inputs-$(lab_number)
        [ -d "$prepared" ] || prepare_inputs "$seed" "$prepared" ||
            fail "the programs of lab $(lab_number) do not compile"
        wait_for_slot
        mark_one "$count" "$(readlink -f -- "$submission")" "$submission" &
        running="$running $!"
    done
    wait
}

# The table on standard output.
show_all()
{
    for number in $(seq "$count"); do
        box=$marking/$number
        [ -s "$box/points" ] || fail "submission $number could not be marked"
        while IFS= read -r complaint; do
            say "tiforge: $(harmless "$complaint")" >&2
        done <"$box/complaints"
        say "$(sed -n 's,^total|\(.*\)|\(.*\),\1/\2,p' "$box/points")" \
            "$(harmless "$(cat "$box/name")")"
    done
    say "seed $seed"
}

run_mark()
{
    vm=$minivm wanted_lab= jobs= seed= csv= html=
    [ -d "$course/labs" ] || fail "there is no '$course': the course is not installed"
    while [ $# -gt 0 ]; do
        case $1 in
        --vm|--lab|--jobs|--seed|--csv|--html|--hide)
            [ $# -gt 1 ] || fail "mark: $1 wants a value"
            take_mark_option "$1" "$2"
            shift 2 ;;
        -h|--help) help_mark; exit 0 ;;
        -*) no_option mark "$1" ;;
        *) break ;;
        esac
    done
    [ $# -gt 0 ] || { help_mark >&2; exit 2; }
    jobs=${jobs:-$((($(nproc) + 1) / 2))}
    seed=${seed:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
    vm=$(command -v "$vm") || fail "there is no '$vm'"
    vm=$(readlink -f "$vm")
    for submission; do
        [ -e "$submission" ] || fail "mark: there is no '$submission'"
        lab_for "$submission"
        # Each is read by us and by nobody else: a run could hand in another's work.
        hide_path "$(readlink -f -- "$submission")"
        why=$(lab_skipped)
        [ -z "$why" ] || fail "$why"
    done
    trap remove_marking EXIT
    trap 'stop_marking 130' INT
    trap 'stop_marking 143' TERM HUP
    start_marking
    mark_all "$@"
    show_all
    [ -z "$csv" ] || write_csv >"$csv" || fail "cannot write '$csv'"
    [ -z "$html" ] || write_html "$html" || fail "cannot write '$html'"
}

. "$data/command/run.sh"
. "$data/course/marking.sh"
