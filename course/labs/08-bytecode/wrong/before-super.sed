# loses init: puts the constructor's hit before the call of the other one
s/tf_code_after_super(code)/code->first/
