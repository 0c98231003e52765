# loses back: does not count ifnull and ifnonnull
s/i->target != NULL && i->cases == NULL/i->target != NULL \&\& i->cases == NULL \&\& i->opcode != TF_OP_IFNULL\n            \&\& i->opcode != TF_OP_IFNONNULL/
