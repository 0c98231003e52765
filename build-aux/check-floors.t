#!/bin/sh
# SPDX-License-Identifier: MIT
# One test per folder of floors.txt that has sources: it includes nothing from a floor
# that it must not see.  A name in quotes is looked for beside the file, in minivm/ and
# in the top folder; generated headers, which belong to sdk/include, are left out, and so is
# what tests have written, which is below the sources where these are built in their folder.
top=${top_srcdir:-$(dirname "$0")/..}
cd "$top" || exit 1

find sdk minivm agents layer tck bench -name '*.work' -prune -o \
    \( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' \) -print | sort |
    xargs grep -nH '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
    awk '
    function folder_of(path) {
        while (path != "" && !(path in line) && !(path in named))
            if (!sub("/[^/]*$", "", path))
                path = ""
        return path
    }
    function exists(path,   ignored) {
        if (!(path in known)) {
            known[path] = (getline ignored < path) >= 0
            close(path)
        }
        return known[path]
    }
    # The arrow in floors.txt is there; from now on it counts as used.
    function is_allowed(edge) {
        if (!(edge in unused))
            return 0
        unused[edge] = 0
        return 1
    }
    function resolve(file, name,   dir) {
        dir = file
        sub("/[^/]*$", "", dir)
        name = "/" dir "/" name
        while (name ~ "/[^/.]+/[.][.]/")
            sub("/[^/.]+/[.][.]/", "/", name)
        return substr(name, 2)
    }
    FILENAME != "-" {
        sub("#.*", "")
        if ($2 == "->") {
            for (i = 3; i <= NF; i++)
                unused[$1 " " $i] = 1
        } else if ($1 ~ /:$/) {
            outside = substr($1, 1, length($1) - 1)
            named[outside] = " "
            for (i = 2; i <= NF; i++)
                named[outside] = named[outside] $i " "
        } else
            for (i = 1; i <= NF; i++)
                line[$i] = FNR
        next
    }
    {
        split($0, part, ":")
        file = part[1]
        name = $0
        sub("^[^\"]*\"", "", name)
        sub("\".*", "", name)
        from = folder_of(file)
        if (from == "")
            next
        if (!(from in bad)) {
            bad[from] = ""
            folders[++count] = from
        }
        if (exists(resolve(file, name)))
            path = resolve(file, name)
        else if (exists("minivm/" name))
            path = "minivm/" name
        else if (exists(name))
            path = name
        else
            next
        to = folder_of(path)
        if (from in named)
            seen = index(named[from], " " to " ")
        else
            seen = (to in line) && line[to] < line[from]
        if (to != from && !seen)
            seen = is_allowed(from " " path) || is_allowed(from " " to)
        if (to != from && !seen)
            bad[from] = bad[from] "# " file ":" part[2] " includes " path "\n"
    }
    END {
        for (i = 1; i <= count; i++) {
            from = folders[i]
            verdict = bad[from] == "" ? "ok" : "not ok"
            print verdict " " i " - " from " includes only what it may see"
            printf "%s", bad[from]
        }
        for (edge in unused)
            if (unused[edge])
                spare = spare "# " edge "\n"
        print (spare == "" ? "ok " : "not ok ") ++count " - every arrow is in use"
        printf "%s", spare
        print "1.." count
    }' build-aux/floors.txt -
