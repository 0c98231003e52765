# loses text: has a text of its own for other objects
s/= object"/= OBJ"/
