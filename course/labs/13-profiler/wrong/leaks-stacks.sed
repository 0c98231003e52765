# loses rules: keeps what GetAllStackTraces allocates
/(unsigned char \*)stacks);/d
