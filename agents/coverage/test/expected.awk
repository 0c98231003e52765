# SPDX-License-Identifier: MIT
# What the comments of a source say: "LINE EXECUTED [n/m]".
match($0, /\/\/ [+-]( [0-9]+\/[0-9]+)?$/) {
    print NR, (substr($0, RSTART + 3, 1) == "+"), substr($0, RSTART + 5)
}
