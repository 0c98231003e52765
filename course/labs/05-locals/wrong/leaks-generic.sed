# loses rules: keeps the generic signatures of variables
/(unsigned char \*)v->generic_signature/d
