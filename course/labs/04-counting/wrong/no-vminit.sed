# loses entry: counts what is entered before the program begins
s/say("vminit %ld", total())/say("vminit %ld", total() + 1)/
