#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The whole programs again, with a collection at every 97th allocation, and the small
# ones with one at every allocation; freed cells are overwritten.  A reference that C
# code holds without a handle is found by this.  Those about threads run once more while
# the VM's tables are compared with one another at each collection.

here=$(cd "$(dirname "$0")" && pwd)

# under N [OPTION...]: the results of programs.t without its plan.
under()
{
    every=$1
    shift
    sh "$here/programs.t" --vm-arg "-XX:GCStress=$every" --vm-arg -XX:+PoisonFreed \
        --time-factor 3 "$@" |
        sed "/^1\.\./d; s/^\(not \)\{0,1\}ok - /&GCStress=$every /"
}

count()
{
    sh "$here/programs.t" --list "$@" | wc -l
}

small="--filter 01-core/*"
threads="--filter 06-threads/*"
set -f
echo "1..$(($(count) + $(count $small) + $(count $threads)))"
under 97
under 1 $small
under 9973 $threads --vm-arg -XX:+UnlockDiagnosticVMOptions \
    --vm-arg -XX:+VerifyBeforeGC --vm-arg -XX:+VerifyAfterGC
