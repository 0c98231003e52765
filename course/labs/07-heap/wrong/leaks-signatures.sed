# loses rules: keeps the names of classes
/(unsigned char \*)signature/d
