# loses root: takes a static field of any class for one of the package
s/^        if (nodes\[at\]\.parent >= 0)$/        if (nodes[at].kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD)\n            root = "static";\n&/
