# loses hit: the first hit is hit 0
s/++seen, class_text/seen++, class_text/
