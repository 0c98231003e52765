# loses swap active obsolete refused again: looks for a class with another signature
s/"L%s;", name/"%s", name/
