# loses wait entered: leaves the last character in the name
s/strlen(signature) - 2/strlen(signature) - 1/
