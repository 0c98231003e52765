# loses rules: keeps the signatures of classes
/(unsigned char \*)signature/d
