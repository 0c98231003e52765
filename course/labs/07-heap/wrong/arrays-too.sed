# loses live: counts arrays for objects of their elements
s/int row = row_of(signature);/int row = row_of(signature + strspn(signature, "["));/
