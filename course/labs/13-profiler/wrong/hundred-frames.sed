# loses stacks: looks at a hundred frames only
s/^#define MAX_DEPTH 2000/#define MAX_DEPTH 100/
