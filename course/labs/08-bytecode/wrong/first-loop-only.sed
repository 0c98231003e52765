# loses back: stops at the first jump backwards of a method
s/^#define MAX_JUMPS 10000/#define MAX_JUMPS 1/
