# loses flame: leaves out the node over all
/^write_svg/,/^}/s/write_rect(file, &root, 0, height - HEIGHT);/write_rect(file, root.first_child, 0, height - HEIGHT);/
