# loses break: puts the breakpoint at the end of the method
s/SetBreakpoint, jvmti, methods\[i\], first/SetBreakpoint, jvmti, methods[i], first + 1/
