# loses rules: keeps the line number tables
/(unsigned char \*)table/d
