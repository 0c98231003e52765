# loses rules: keeps the names of variables
/(unsigned char \*)v->name/d
