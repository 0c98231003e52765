# loses filter: logs every exception
s/return package == NULL/return true/
