# SPDX-License-Identifier: MIT
# tiforge lab -- the labs of the course: start one, check it, get a hint.

help_lab()
{
    cat <<'END'
usage: tiforge lab list
       tiforge lab start N [DIR]
       tiforge lab check [OPTION...] [DIR]
       tiforge lab hint [DIR]
       tiforge lab open N
       tiforge lab sources [DIR]

The labs of the course on JVM TI. start copies what lab N begins with into a new folder
(labN), with its handout; check builds it, runs the marking and shows the points by
criterion, and for each lost one what was expected, what came and where to read; hint
tells one more step each time; open shows a lab's handout; sources unpacks those of
minivm, which the handouts mention, into a new folder (minivm-sources).

  --vm VM        check: a launcher such as java (minivm)
  --seed N       check: other names and numbers in the programs (1)
  --tap          check: as test points
  --keep DIR     check: leave the programs of the marking in the new folder DIR, with the
                 commands that ran them, to try again by hand

What check shows is what tiforge mark gives, with other names and numbers; hints cost
nothing. Exit status of check: 0 if all points were reached, 1 otherwise.
END
}

list_labs()
{
    printf '%-4s %-8s %s\n' lab minutes title
    for lab_dir in "$course"/labs/*; do
        [ -f "$lab_dir/about" ] || continue
        printf '%-4s %-8s %s\n' "$(lab_number)" "$(lab_field minutes)" "$(lab_field title)"
    done
}

start_lab() # N [DIR]
{
    [ $# -ge 1 ] && [ $# -le 2 ] || fail "lab start: which lab, and which folder?"
    find_lab "$1"
    dir=${2:-lab$(lab_number)}
    case $dir in
    -*) dir=./$dir ;;
    esac
    [ ! -e "$dir" ] || { [ -d "$dir" ] && [ -z "$(ls -A "$dir")" ]; } ||
        fail "lab start: '$dir' is there already"
    mkdir -p "$dir/src" && cp "$lab_dir/handout.md" "$dir" &&
        echo "lab: $(lab_number)" >"$dir/.tiforge-lab" || fail "cannot write '$dir'"
    for figure in "$lab_dir"/*.svg; do
        [ ! -f "$figure" ] || cp "$figure" "$dir"
    done
    if [ "$(lab_field kind)" = vm ]; then
        [ -d "$vm_kit" ] || fail "lab start: there is no '$vm_kit'"
        cp "$lab_dir"/starter/* "$dir/src" && {
            printf '#!/bin/sh\n# make-vm: vm/minivm, of src/*.c and the rest of minivm\n'
            printf 'cd "$(dirname "$0")" && rm -f ./*.o && set -- "%s" src\n' "$vm_kit"
            say "$make_vm"
        } >"$dir/make-vm" && chmod +x "$dir/make-vm" || fail "cannot write '$dir'"
    else
        cp "$lab_dir"/starter/* "$course/starter/lab.h" "$dir/src" && mkdir "$dir/t" &&
            cp "$course/starter/Makefile" "$dir" &&
            cp "$course/starter/lab.t" "$dir/t" || fail "cannot write '$dir'"
    fi
    say "$dir: lab $(lab_number), $(lab_field title)"
    say "next: read $dir/handout.md, then: cd $dir && tiforge lab check"
}

# The folder's lab in $lab_dir.
lab_of() # DIR
{
    [ -f "$1/.tiforge-lab" ] ||
        fail "'$1' is no lab's folder; tiforge lab start N makes one"
    find_lab "$(sed -n 's/^lab: *//p' "$1/.tiforge-lab")"
}

hint_lab() # DIR
{
    lab_of "$1"
    given=$(sed -n 's/^hints: *//p' "$1/.tiforge-lab")
    given=$((${given:-0} + 1))
    # Hints are parted by empty lines.
    if ! awk -v RS= -v wanted="$given" '
        NR == wanted { print; found = 1 }
        END { exit !found }' "$lab_dir/hints"; then
        say "There are no more hints; read the handout's sections again."
        return
    fi
    { sed '/^hints:/d' "$1/.tiforge-lab"; echo "hints: $given"; } >"$1/.tiforge-lab.new" &&
        mv "$1/.tiforge-lab.new" "$1/.tiforge-lab"
}

show_points()
{
    say "lab $(lab_number): $(lab_field title)"
    # What no criterion is named after: then there is nothing else to tell.
    if grep -q '^build' "$box/verdicts"; then
        awk -F'\t' '$1 == "build" { print "it does not build: " $5 }' "$box/verdicts"
        say "0 of $(lab_points) points"
        return
    fi
    count_points | while IFS='|' read -r id points of title read; do
        if [ "$id" = total ]; then
            say "$points of $of points"
        else
            printf '%4s/%-3s %-10s %s\n' "$points" "$of" "$id" "$title"
            [ "$points" = "$of" ] || explain_lost "$id" "$read"
        fi
    done
    show_complaints
}

show_tap()
{
    awk -F'\t' '
        {
            print ($2 == "ok" ? "ok " : "not ok ") NR " - " $1 ": " $3
            if ($2 != "ok")
                print "# expected: " $4 "\n# came: " $5
        }
        END { print "1.." NR }' "$box/verdicts"
}

read_check_options()
{
    while [ $# -gt 0 ]; do
        case $1 in
        --vm|--seed)
            [ $# -gt 1 ] || fail "lab check: $1 wants a value"
            if [ "$1" = --vm ]; then
                find_vm "$2"
            else
                is_number "$2" || fail "lab check: --seed wants a number, not '$2'"
                seed=$2
            fi
            shift 2 ;;
        --tap) show=show_tap; shift ;;
        --keep)
            [ $# -gt 1 ] || fail "lab check: --keep wants a folder"
            [ ! -e "$2" ] || fail "lab check: '$2' is there already"
            keep_dir=$2
            shift 2 ;;
        -h|--help) help_lab; exit 0 ;;
        -*) no_option lab "$1" ;;
        *) break ;;
        esac
    done
    [ $# -le 1 ] || fail "lab check: one folder only"
    dir=$(readlink -f "${1:-.}")
}

# Leave the programs in $keep_dir, with the commands.
keep_programs()
{
    mkdir -p "$keep_dir" && cp -R "$inputs/java" "$inputs/classes" "$keep_dir" &&
        cp "$box/commands" "$keep_dir/commands" || fail "cannot write '$keep_dir'"
    say "$keep_dir: the programs; 'commands' there has how they were run"
}

# Unpack the sources of minivm, without what the labs ask for.
unpack_sources() # [DIR]
{
    [ $# -le 1 ] || fail "lab sources: one folder only"
    dir=${1:-minivm-sources}
    archive=$(ls "$course"/tiforge-lab-sources-*.tar.gz 2>/dev/null | tail -n 1)
    [ -f "$archive" ] ||
        fail "lab sources: they are not installed; \`make lab-sources\` makes them"
    [ ! -e "$dir" ] || fail "lab sources: '$dir' is there already"
    mkdir -p "$dir" && tar -xzf "$archive" -C "$dir" --strip-components 1 --no-same-owner ||
        fail "lab sources: cannot unpack '$archive' into '$dir'"
    # The headers that the build makes.
    [ ! -d "$vm_kit" ] || cp -Rn "$vm_kit/include/minivm" "$dir"
    say "$dir: begin with $dir/doc/architecture.md"
}

check_lab()
{
    vm=$minivm seed=1 show=show_points keep_dir=
    read_check_options "$@"
    lab_of "$dir"
    [ "$(lab_field kind)" != vm ] || [ "$vm" = "$minivm" ] ||
        fail "lab check: lab $(lab_number) builds a VM of its own; there is nothing for --vm"
    vm=$(command -v "$vm") || fail "there is no '$vm'"
    vm=$(readlink -f "$vm")
    why=$(lab_skipped)
    if [ -n "$why" ]; then
        [ $show = show_tap ] && say "1..0 # SKIP $why" || say "tiforge: $why" >&2
        exit 0
    fi
    trap remove_marking EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    start_marking
    prepare_inputs "$seed" "$marking/inputs" || fail "the lab's programs do not compile"
    box=$marking/box
    mkdir "$box"
    mark_submission "$dir"
    if [ $show = show_points ] && [ -s "$box/build" ]; then
        say "The compiler says:"
        head -n 40 "$box/build"
    fi
    $show
    [ -z "$keep_dir" ] || keep_programs
    count_points | tail -n 1 | { IFS='|' read -r id points of; [ "$points" = "$of" ]; }
}

run_lab()
{
    [ -d "$course/labs" ] || fail "there is no '$course': the course is not installed"
    case ${1-} in
    list) list_labs ;;
    start) shift; start_lab "$@" ;;
    check) shift; check_lab "$@" ;;
    hint)
        [ $# -le 2 ] || fail "lab hint: one folder only"
        hint_lab "${2:-.}" ;;
    open)
        [ $# = 2 ] || fail "lab open: which lab?"
        find_lab "$2"
        cat "$lab_dir/handout.md" ;;
    sources) shift; unpack_sources "$@" ;;
    '') help_lab >&2; exit 2 ;;
    *) fail "lab: no '$1'; there are: list, start, check, hint, open, sources" ;;
    esac
}

. "$data/command/run.sh"
. "$data/course/marking.sh"
