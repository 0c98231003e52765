# SPDX-License-Identifier: MIT
# tiforge tck -- the conformance kit.

# The runner, which knows its options itself.
tck_runner()
{
    [ -x "$lib/tiforge/tck/run" ] || fail "there is no '$lib/tiforge/tck/run'"
    echo "$lib/tiforge/tck/run"
}

help_tck()
{
    runner=$(tck_runner) || exit 2
    "$runner" --help | sed 's,tck/run,tiforge tck,'
}

run_tck()
{
    runner=$(tck_runner) || exit 2
    exec "$runner" "$@"
}
