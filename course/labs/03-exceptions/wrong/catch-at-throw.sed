# loses lines: takes the location of the throw for that of the catch
s/"  caught ", catch_method, catch_location/"  caught ", catch_method, location/
