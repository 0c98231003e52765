# SPDX-License-Identifier: MIT
# tiforge new -- a project from a template.

help_new()
{
    cat <<END
usage: tiforge new [OPTION...] NAME

Makes a project for an agent in a new folder: source, build files, TAP tests,
README, CI file. It builds, and its tests pass, at once.

  --template T     what the agent does (minimal); see below
  --lang L         c or c++ (c)
  --build B        make, autotools or cmake (make)
  --dir DIR        the folder to make (NAME)
  --license ID     SPDX identifier for the files' first line (MIT); none for none
  --author TEXT    who has the copyright

Templates:
$(list_templates)
END
}

list_templates()
{
    for about in "$data"/templates/*/about; do
        template=${about%/about}
        printf '  %-21s %s\n' "${template##*/}" "$(cat "$about")"
    done
}

# Copy a file with its @name@ and so on filled in, keeping the lines of the language.
fill() # FROM TO
{
    [ -r "$1" ] || { say "tiforge: cannot read '$1'" >&2; return 1; }
    case $lang:$1 in
    c++:*/agent.c) null='s/\([^A-Za-z_"]\)NULL\([^A-Za-z_]\)/\1nullptr\2/g' ;;
    *) null= ;;
    esac
    case $license in
    none) spdx='/@license@/d' ;;
    *) spdx="s|@license@|$license|" ;;
    esac
    # Lines that begin with //WORD are for that language or build system only.
    awk -v lang="$lang" -v build="$build" '
        match($0, /^\/\/(c|c[+][+]|make|autotools|cmake) /) {
            word = substr($0, 3, RLENGTH - 3)
            if (word != lang && word != build)
                next
            $0 = substr($0, RLENGTH + 1)
        }
        { print }' "$1" |
    sed -e "s|@name@|$name|g" -e "s|@ident@|$ident|g" -e "s|@ext@|$ext|g" \
        -e "s|@template@|$template|g" -e "s|@lang@|$lang|g" -e "s|@CC@|$compiler|g" \
        -e "s|@LANG@|$lang_upper|g" \
        -e "s|@about@|$about|g" -e "s|@build@|$build|g" -e "$null" -e "$null" \
        -e "$spdx" -e "/@copyright@/{
            ${copyright:+s|@copyright@|$copyright|
            b}
            d
        }" >"$2"
    case $1 in
    *.t|*.sh) chmod +x "$2" ;;
    esac
}

run_new()
{
    template=minimal lang=c build=make dir= license=MIT author= name=
    while [ $# -gt 0 ]; do
        case $1 in
        --template|--lang|--build|--dir|--license|--author)
            [ $# -gt 1 ] || fail "new: $1 wants a value"
            eval "${1#--}=\$2"
            shift 2 ;;
        -h|--help) help_new; exit 0 ;;
        -*) no_option new "$1" ;;
        *) [ -z "$name" ] || fail "new: one name only"
            name=$1
            shift ;;
        esac
    done
    [ -n "$name" ] || fail "new: what is the agent's name?"
    case $name in
    [!a-z]*|*[!a-z0-9_-]*)
        fail "new: a name begins with a small letter, and has those, digits, - and _" ;;
    esac
    case $template in
    ''|*[!a-z-]*) unknown_template ;;
    *) [ -f "$data/templates/$template/about" ] || unknown_template ;;
    esac
    case $lang in
    c) ext=c compiler=CC lang_upper=C ;;
    c++) ext=cc compiler=CXX lang_upper=CXX ;;
    *) fail "new: --lang is c or c++" ;;
    esac
    case $build in
    make|autotools|cmake) ;;
    *) fail "new: --build is make, autotools or cmake" ;;
    esac
    case $license$author in
    *[\|\\\&]*|*'*/'*|*"
"*) fail "new: no |, \\, &, */ or new line in the license or the author, please" ;;
    esac
    dir=${dir:-$name}
    case $dir in
    -*) dir=./$dir ;;
    esac
    # Told before anything is made.
    above=$dir
    while [ ! -e "$above" ]; do
        above=$(dirname -- "$above")
    done
    [ ! -d "$above" ] || [ -w "$above" ] || fail "new: '$above' cannot be written"
    [ -d "$above" ] || [ "$above" = "$dir" ] || fail "new: '$above' is no folder"
    [ ! -e "$dir" ] || { [ -d "$dir" ] && [ -z "$(ls -A "$dir" 2>/dev/null)" ]; } ||
        fail "new: '$dir' is there already"
    ident=$(echo "$name" | tr -- - _)
    about=$(cat "$data/templates/$template/about")
    copyright=${author:+Copyright (C) $(date +%Y) $author}
    make_project || fail "new: cannot write '$dir'"
    say "$dir: an agent in $lang that $(lower "$about"), built with $build"
    case $dir in
    *[!A-Za-z0-9_./-]*) dir=\'$(say "$dir" | sed "s/'/'\\\\''/g")\' ;;
    esac
    say "next: cd $dir && tiforge test"
}

unknown_template()
{
    near=$(list_templates | awk '{ print $1 }' | did_you_mean "$template")
    list=$(list_templates)
    fail "no template '$template'${near:-; there are:}${near:+ There are:}
$list"
}

lower() # TEXT
{
    echo "$1" | awk '{ print tolower(substr($0, 1, 1)) substr($0, 2) }'
}

make_project()
{
    from=$data/templates/$template
    common=$data/templates/common
    mkdir -p "$dir" && mkdir -p "$dir/src" "$dir/t" "$dir/.github/workflows" &&
        fill "$from/agent.c" "$dir/src/agent.$ext" &&
        fill "$from/agent.t" "$dir/t/agent.t" &&
        fill "$common/lib.sh" "$dir/t/lib.sh" &&
        fill "$common/bounded.sh" "$dir/t/bounded.sh" &&
        fill "$common/README.md" "$dir/README.md" &&
        fill "$common/ci.yml" "$dir/.github/workflows/ci.yml" &&
        fill "$common/gitignore" "$dir/.gitignore" || return 1
    for java in "$from"/*.java; do
        fill "$java" "$dir/t/${java##*/}" || return 1
    done
    for file in "$common/$build"/*; do
        fill "$file" "$dir/${file##*/}" || return 1
    done
}
