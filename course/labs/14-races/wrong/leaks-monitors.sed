# loses rules: keeps the array of monitors
/(unsigned char \*)monitors);/d
