# loses wide: writes a float with %f
s/"  %s = %g", v->name, (double)f/"  %s = %f", v->name, (double)f/
