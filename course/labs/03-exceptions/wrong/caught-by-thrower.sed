# loses caught lines: says the place of the throw
s/"  caught ", catch_method, catch_location/"  caught ", method, location/
