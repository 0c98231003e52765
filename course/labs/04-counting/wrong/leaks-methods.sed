# loses rules: keeps the lists of methods, with mode=break
/(unsigned char \*)methods/d
