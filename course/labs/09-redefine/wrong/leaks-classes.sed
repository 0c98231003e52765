# loses rules: keeps the list of classes
/(unsigned char \*)classes/d
