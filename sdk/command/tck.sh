# SPDX-License-Identifier: MIT
# tiforge tck -- the conformance kit.

help_tck()
{
    "$lib/tiforge/tck/run" --help | sed 's,tck/run,tiforge tck,'
}

run_tck()
{
    [ -x "$lib/tiforge/tck/run" ] || fail "there is no '$lib/tiforge/tck/run'"
    exec "$lib/tiforge/tck/run" "$@"
}
