# loses entry: asks for no room on the stack
/tf_code_reserve/d
