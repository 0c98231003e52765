# loses cycle: knows circles of two threads only
s/steps < count \&\& at >= 0/steps < 2 \&\& at >= 0/
