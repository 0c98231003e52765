# loses rules: keeps the names of threads
/info\.name);$/d
