# loses prepare: leaves the name as it is in the signature
s/\*c = '\.'/*c = '\/'/
