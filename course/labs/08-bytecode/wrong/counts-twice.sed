# loses entry init: counts each call twice
s/insert_hit(code, tf_code_after_super(code), text);/& &/
