# loses quiet: looks at one of the monitors that are held
s/^#define MAX_LOCKS 64/#define MAX_LOCKS 1/
