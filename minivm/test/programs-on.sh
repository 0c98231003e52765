# SPDX-License-Identifier: MIT
# programs-on.sh DIR [OPTION...]: the programs on another JDK than that which minivm was
# configured with, for programs-on-21.t and programs-on-25.t.
[ -n "$1" ] || {
    echo "1..0 # SKIP there is no such JDK"
    exit 0
}
jdk=$1
shift
exec "$(dirname "$0")/programs.t" --jdk "$jdk" "$@"
