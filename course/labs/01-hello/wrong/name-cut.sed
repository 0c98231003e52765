# loses name: has room for 20 characters
s/say("hello %s", name)/say("hello %.20s", name)/
