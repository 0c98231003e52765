# SPDX-License-Identifier: MIT
# rules.awk -- the products of layer/rules.txt: -v product=h, c, explain, man or table; for
# the table also -v results=FILE, what layer/test/rules.t printed.

function constant(id) {
    id = toupper(id)
    gsub(/[.-]/, "_", id)
    return "RULE_" id
}
function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/\(\)/, "", text)
    if (text ~ /^[.']/)
        text = "\\\\\\&" text
    return text
}
function wrapped(head, text,   words, n, i, column) {
    printf "  %-14s", head
    column = 16
    n = split(text, words, " ")
    for (i = 1; i <= n; i++) {
        if (column + length(words[i]) + 1 > 80) {
            printf "\n%16s", ""
            column = 16
        }
        printf "%s%s", (i == 1 || column == 16) ? "" : " ", words[i]
        column += length(words[i]) + 1
    }
    printf "\n"
}
# Lines of a manual page; none may begin like a request.
function filled(text,   words, n, i, line) {
    n = split(roff(text), words, " ")
    line = words[1]
    for (i = 2; i <= n; i++)
        if (length(line) + length(words[i]) + 1 > 78 && words[i] !~ /^[.']/) {
            print line
            line = words[i]
        } else
            line = line " " words[i]
    print line
}
# What the test of a rule came to on a VM: all its cases, broken and done rightly.
function result(vm) {
    return !((vm, id) in found) ? "-" : found[vm, id] ? "found" : "not found"
}
function read_results(   line, vm, rule) {
    while ((getline line < results) > 0) {
        if (line !~ /^(not )?ok [0-9]+ - (minivm|JDK [0-9]+): /)
            continue
        vm = rule = line
        sub(/^[^-]* - /, "", vm)
        sub(/:.*/, "", vm)
        sub(/^[^:]*: /, "", rule)
        sub(/[\/,# ].*/, "", rule)
        if (!((vm, rule) in found))
            found[vm, rule] = 1
        if (line ~ /^not|# SKIP/)
            found[vm, rule] = 0
    }
}
function flush_rule(   i) {
    if (id == "")
        return
    count++
    if (product == "h")
        printf "    %s,\n", constant(id)
    else if (product == "c")
        printf "    [%s] = { %s, %s,\n        %s,\n        %s,\n        %s },\n", \
            constant(id), quoted(id), toupper(severity), quoted(sentence), \
            quoted(section), quoted(remedy)
    else if (product == "table")
        printf "| `%s` | %s | %s | %s | %s | %s | %s |\n", id, severity, sentence, \
            result("minivm"), result("JDK 17"), result("JDK 25"), seen
    else if (product == "explain") {
        printf "@%s\n%s: rule of tiforge check, %s\n\n", id, id, severity
        wrapped("Means", sentence)
        wrapped("Section", section)
        wrapped("Remedy", remedy)
        wrapped("Found on", "minivm, HotSpot 17 and 25" (seen != "" ? "; " seen : ""))
        printf "\n"
        for (i = 1; i <= lines; i++)
            printf example[i] == "" ? "\n" : "    %s\n", example[i]
    } else {
        family = id
        sub(/\..*/, "", family)
        if (family != last)
            printf "%s.Ss %s\n.Bl -tag -width Ds\n", last == "" ? "" : ".El\n", \
                toupper(substr(family, 1, 1)) substr(family, 2)
        last = family
        printf ".It Sy %s Pq %s\n", id, severity
        filled(sentence)
        printf "Section\n.Dq %s .\n", section
        filled("Remedy: " remedy ".")
        filled("Found on minivm, HotSpot 17 and HotSpot 25" \
            (seen != "" ? ": " seen : "") ".")
    }
}
BEGIN {
    if (product == "h")
        print "/* SPDX-License-Identifier: MIT */\n" \
            "/* check_rules.h -- the rules by number.  Generated from layer/rules.txt. */\n" \
            "#ifndef LAYER_CHECK_RULES_H\n#define LAYER_CHECK_RULES_H\n\n" \
            "enum check_rule {"
    else if (product == "c")
        print "/* SPDX-License-Identifier: MIT */\n" \
            "/* check_rules.c -- the table of rules.  Generated from layer/rules.txt. */\n" \
            "#include \"layer/finding.h\"\n\n" \
            "const struct rule_facts rule_facts[RULE_COUNT] = {"
    else if (product == "table") {
        read_results()
        print "| rule | severity | means | minivm | HotSpot 17 | HotSpot 25 | seen |"
        print "|---|---|---|---|---|---|---|"
    }
}
/^#/ && id == "" { next }
/^@/ {
    flush_rule()
    id = substr($1, 2)
    severity = $2
    sentence = section = remedy = seen = ""
    lines = inside = 0
    next
}
id == "" { next }
inside && $0 == "" { pending = 1; next }
inside {
    if (pending && lines > 0)
        example[++lines] = ""
    pending = 0
    example[++lines] = $0
    next
}
$0 == "" { inside = 1; pending = 0; next }
/^section: / { section = substr($0, 10); next }
/^remedy: / { remedy = substr($0, 9); next }
/^seen: / { seen = substr($0, 7); next }
{ sentence = sentence (sentence == "" ? "" : " ") $0 }
END {
    flush_rule()
    if (product == "h")
        print "    RULE_COUNT\n};\n\n#endif"
    else if (product == "c")
        print "};"
    else if (product == "man")
        print ".El"
}
