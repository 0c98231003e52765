# loses own: does not look at the loader
s/ || loader == NULL)/)/
