#!/bin/sh
# SPDX-License-Identifier: MIT
# The version that configure.ac names has its section in CHANGELOG.md, the newest one;
# build-aux/release takes notes from it and refuses what is not ready.
top=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
work=${top_builddir:-$PWD}/build-aux/release.work

n=0
check() # NAME COMMAND...: the command succeeds
{
    name=$1
    shift
    n=$((n + 1))
    if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

# refused TEXT VERSION TARBALL: in a copy, whose message has TEXT.
refused()
{
    text=$1
    shift
    (cd "$work" && top_srcdir=$work/copy "$top/build-aux/release" "$@") >"$work/out" 2>&1 &&
        return 1
    grep -q "$text" "$work/out" || { sed 's/^/# /' "$work/out"; return 1; }
}

rm -rf "$work"
mkdir -p "$work/copy"
version=$(sed -n 's/^AC_INIT(\[tiforge\], \[\([^]]*\)\]).*/\1/p' "$top/configure.ac")
newest=$(sed -n 's/^## \([^ ]*\).*/\1/p' "$top/CHANGELOG.md" | head -n 1)
echo 1..7
check "configure.ac has the newest version of CHANGELOG.md" [ "$version" = "$newest" ]
"$top/build-aux/release" --notes "$version" >"$work/notes"
check "its notes are not empty" [ -s "$work/notes" ]
check "and hold no other section" sh -c "! grep -q '^## ' '$work/notes'"

cat >"$work/copy/CHANGELOG.md" <<'END'
# Changes

## 2.0.0 (unreleased)

- Not yet.

## 1.0.0 (2020-02-29)

- First.
END
echo content >"$work/some.tar.gz"
check "a version without a date is refused" refused "no '## 2.0.0" 2.0.0 some.tar.gz
check "a tarball that is not there is refused" refused "no tarball 'none'" 1.0.0 none
check "a version that is ready gets its notes" sh -c "
    cd '$work' && top_srcdir='$work/copy' '$top/build-aux/release' 1.0.0 some.tar.gz \
        >/dev/null && [ \"\$(cat tiforge-1.0.0.md)\" = '- First.' ]"
check "and a checksum" sh -c "cd '$work' && sha256sum -c --status some.tar.gz.sha256"
rm -rf "$work"
