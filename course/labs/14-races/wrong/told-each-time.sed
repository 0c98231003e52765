# loses unlocked reads locks static where: tells a race again each time
s/ \&\& !location->is_told//
s/if (strcmp(reports\[i\], line) == 0)/if (line[0] == '\\0')/
