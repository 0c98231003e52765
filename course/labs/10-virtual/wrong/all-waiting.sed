# loses state: does not know blocked ones
s/what = "blocked"/what = "waiting"/
