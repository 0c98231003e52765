# loses obsolete: has room for 100 frames
s/threads\[i\], 0, 500/threads[i], 0, 100/
