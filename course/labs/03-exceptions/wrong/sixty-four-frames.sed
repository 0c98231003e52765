# loses stack: has room for 64 frames
s/^    if (count > depth)/    if (count > 64)\n        count = 64;\n&/
