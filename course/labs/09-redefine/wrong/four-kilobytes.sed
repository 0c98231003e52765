# loses again: reads 4,096 bytes of a file
s/1, 1 << 20, file)/1, 4096, file)/
