# loses entered: says that the thread has the monitor when it begins to wait
s/^    say("wait %s for %s owner %s", name, class, owner);/&\n    say("enter %s %s", name, class);/
/^on_contended_entered/,/^}/s/say("enter %s %s", name, class)/(void)name/
