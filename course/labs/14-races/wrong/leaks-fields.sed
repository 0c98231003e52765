# loses rules: keeps the lists of fields
/(unsigned char \*)fields);/d
