# loses count: does not count the ends
/^    ended++;/d
