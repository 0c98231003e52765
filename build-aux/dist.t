#!/bin/sh
# SPDX-License-Identifier: MIT
# In a git checkout: `make dist` takes along every file that is tracked.
top=${top_srcdir:?} build=${top_builddir:?}
[ -e "$top/.git" ] && command -v git >/dev/null ||
    { echo "1..0 # SKIP no git checkout"; exit 0; }

echo 1..1
list=$build/build-aux/distributed
mkdir -p "$build/build-aux"
make -s -C "$build" print-distfiles | tr ' ' '\n' |
    sed "s,^$top/,,; s,^\./,,; s,^(top_srcdir)/,," >"$list"
missing=$(git -C "$top" ls-files | awk -v list="$list" '
    BEGIN {
        while ((getline file < list) > 0)
            listed[file] = 1
        listed[".gitignore"] = 1
    }
    {
        path = $0
        while (!(path in listed))
            if (!sub("/[^/]*$", "", path)) {
                print "# " $0
                break
            }
    }')
[ -z "$missing" ] || printf 'not '
echo "ok 1 - every tracked file is distributed"
[ -z "$missing" ] || printf '%s\n' "$missing"
rm -f "$list"
