# loses pop once exception caller kit: tells of the next frame that ends, whichever it is
s/&& frame && p->frame != frame)/\&\& frame \&\& !p->frame)/
