# SPDX-License-Identifier: MIT
# A row of -XX:+PrintFlagsFinal or PrintFlagsRanges for flags.t.  A value
# that the VM had chosen for the machine, or got by an option of ours, is none.
/\{(ergonomic|command line)\}$/{
    s/^( *bool +[A-Za-z0-9_]+ +=) *[^ ]+/\1 false/
    s/^( *(int|uint|intx|uintx|size_t|uint64_t) +[A-Za-z0-9_]+ +=) *[^ ]+/\1 0/
}
s/^ *(\w+) +(\w+) +:?= *([^{ ]*) *\{(\w+ )*(\w+)\} +\{.*/FLAG(\2, \1, \5, "\3")/p
s/^ *(\w+) +(\w+) +\[ *([^] ]+) +\.\.\. +([^] ]+) *\] .*/RANGE(\2, "\3", "\4")/p
