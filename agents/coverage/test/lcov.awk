# SPDX-License-Identifier: MIT
# The same of a source in an LCOV file: awk -v source=NAME.
/^SF:/ { wanted = substr($0, length($0) - length(source) + 1) == source }
wanted && /^DA:/ { split(substr($0, 4), da, ","); line[da[1]] = da[2] }
wanted && /^BRDA:/ {
    split(substr($0, 6), br, ",")
    ways[br[1]]++
    taken[br[1]] += br[4] == "1"
}
END {
    for (n = 1; n <= 65535; n++)
        if (n in line)
            print n, line[n], n in ways ? taken[n] + 0 "/" ways[n] : ""
}
