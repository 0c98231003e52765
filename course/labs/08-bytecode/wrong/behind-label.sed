# loses entry: inserts behind the label at the beginning, so loops run it, too
s/^    insert_hit(code, tf_code_after_super(code), text);/    struct tf_insn *at = tf_code_after_super(code);\n    while (at->next != NULL \&\& at->opcode == TF_LABEL)\n        at = at->next;\n    insert_hit(code, at, text);/
