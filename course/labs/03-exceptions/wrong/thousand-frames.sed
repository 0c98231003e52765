# loses stack: has room for 1,000 frames
s/^    if (count > depth)/    if (count > 1000)\n        count = 1000;\n&/
