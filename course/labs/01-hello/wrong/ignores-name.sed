# loses name both: reads the name and greets the world all the same
s/say("hello %s", name)/say("hello world")/
