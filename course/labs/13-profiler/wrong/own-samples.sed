# loses flame: makes rects as wide as the samples that end there
/^write_rect/,/^}/s/(double)node->total/(double)node->self/
