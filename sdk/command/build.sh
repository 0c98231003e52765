# SPDX-License-Identifier: MIT
# tiforge build -- build a project with the build system that it has.

help_build()
{
    cat <<'END'
usage: tiforge build [DIR]

Builds the project in DIR (here, if none is given) with its Makefile, its
configure.ac or its CMakeLists.txt, which find this kit. configure and cmake
build in DIR/build.
END
}

# The build system of a folder.
build_system() # DIR
{
    if [ ! -d "$1" ]; then
        fail "there is no folder '$1'"
    elif [ -f "$1/configure.ac" ]; then
        echo autotools
    elif [ -f "$1/CMakeLists.txt" ]; then
        echo cmake
    elif [ -f "$1/Makefile" ]; then
        echo make
    else
        fail "'$1' has no configure.ac, CMakeLists.txt or Makefile"
    fi
}

# Run a command; only if it fails show what it said.
quietly() # COMMAND...
{
    said=$("$@" 2>&1) || { say "$said" >&2; return 1; }
}

# Is there a cache of cmake that does not fit any more?  It names its folder, which may
# have moved, and the kit, which may be gone; and without a makefile beside it cmake came
# to no end.
has_stale_cache() # DIR
{
    cache=$1/build/CMakeCache.txt
    [ -f "$cache" ] || return 1
    cached_home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
    cached_kit=$(sed -n 's/^tiforge_DIR:PATH=//p' "$cache")
    cached_compiler=$(sed -n 's/^CMAKE_C\(XX\)\{0,1\}_COMPILER:[A-Z]*=//p' "$cache" |
        head -n 1)
    [ "$cached_home" != "$(cd "$1" && pwd -P)" ] ||
        [ ! -f "$cached_kit/tiforge-config.cmake" ] ||
        { [ -n "$cached_compiler" ] && ! command -v "$cached_compiler" >/dev/null; } ||
        { [ ! -f "$1/build/Makefile" ] && [ ! -f "$1/build/build.ninja" ]; }
}

build_project() # DIR
{
    system=$(build_system "$1") || exit 2
    export_paths
    case $system in
    autotools)
        [ -x "$1/configure" ] ||
            quietly sh -c 'cd "$1" && autoreconf --install' - "$1" || return 1
        mkdir -p "$1/build" && (
            cd "$1/build" || exit 1
            [ -f Makefile ] || ../configure --quiet || exit 1
            make -s
        ) ;;
    cmake)
        ! has_stale_cache "$1" ||
            rm -rf "$1/build/CMakeCache.txt" "$1/build/CMakeFiles" || return 1
        { [ -f "$1/build/CMakeCache.txt" ] ||
            quietly cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo; } &&
            quietly cmake --build "$1/build" ;;
    make) make -s -C "$1" ;;
    esac
}

# The agent library that a build made.
built_agent() # DIR
{
    find "$1/build" "$1" -name 'lib*.so' 2>/dev/null | head -n 1
}

run_build()
{
    case ${1-} in
    -*) no_option build "$1" ;;
    esac
    [ $# -le 1 ] || fail "build: one folder only"
    build_project "${1:-.}" || exit 1
}
