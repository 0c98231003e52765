# loses root: does not look at the kind
s/root = "local"/root = "static"/
