# loses clear: leaves the breakpoint where it is, and says nothing any more
/ClearBreakpoint/s/CALL.*/(void)0;/
