# loses counts: has room for 512 methods
s/^    if (count == room) {/    static struct entry spare;\n    if (total_rows() >= 512 \&\& is_wanted(jvmti, jni, method))\n        return \&spare;\n&/
s/^\/\* The method.s row; with the monitor held. \*\/$/static int\ntotal_rows(void)\n{\n    int rows = 0;\n\n    for (size_t i = 0; i < count; i++)\n        rows += table[i].wanted;\n    return rows;\n}\n\n&/
