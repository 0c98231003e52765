# loses exception: says that each frame returns
s/^                 by_exception);/                 false);/
