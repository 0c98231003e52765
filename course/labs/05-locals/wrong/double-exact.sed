# loses wide: writes a double with all of its digits
s/"  %s = %g", v->name, d)/"  %s = %.17g", v->name, d)/
