# loses again: has room for 65,536 bytes of a file
s/1, 1 << 20, file)/1, 1 << 16, file)/
