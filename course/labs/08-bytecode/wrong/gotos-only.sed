# loses back: knows loops that end with goto only
s/i->target != NULL && i->cases == NULL/i->target != NULL \&\& i->opcode == TF_OP_GOTO/
