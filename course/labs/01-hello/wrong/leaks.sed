# loses rules: keeps what GetSystemProperty gave
/Deallocate/d
