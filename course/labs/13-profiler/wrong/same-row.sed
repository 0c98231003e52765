# loses flame: draws what is called in the same row
s/write_rect(file, c, x, y - HEIGHT);/write_rect(file, c, x, y);/
