# loses rules: keeps the names of methods
/(unsigned char \*)name/d
