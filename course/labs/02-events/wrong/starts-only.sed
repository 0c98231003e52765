# loses end: has no callback of ThreadEnd
/callbacks\.ThreadEnd/d
