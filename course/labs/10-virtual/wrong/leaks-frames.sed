# loses rules: keeps the names of methods
/^own_method/,/^}/{
/(unsigned char \*)name/d
}
