#!/bin/sh
# SPDX-License-Identifier: MIT
# In a git checkout: `make dist` takes along every file that is tracked, and in the
# project's own folders no other, so nothing that the build has made.
top=${top_srcdir:?} build=${top_builddir:?}
[ -e "$top/.git" ] && command -v git >/dev/null ||
    { echo "1..0 # SKIP no git checkout"; exit 0; }

echo 1..2
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

folder=$(cd "$build" && pwd)/build-aux/distributed
rm -rf "$folder"
make -s -C "$build" distdir distdir="$folder" >/dev/null 2>&1
git -C "$top" ls-files | sort >"$build/build-aux/tracked"
more=$(cd "$folder" && find agents bench doc layer man minivm sdk tck -type f | sort |
    awk -v list="$(cd "$build" && pwd)/build-aux/tracked" '
        BEGIN { while ((getline file < list) > 0) tracked[file] = 1 }
        !($0 in tracked) { print "# " $0 }')
[ -d "$folder/minivm" ] && [ -z "$more" ] || printf 'not '
echo "ok 2 - and in the project's folders nothing else"
[ -z "$more" ] || printf '%s\n' "$more" | head -20
chmod -R u+w "$folder" && rm -rf "$folder" "$build/build-aux/tracked"
