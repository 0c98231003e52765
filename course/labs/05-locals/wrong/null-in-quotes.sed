# loses text: has an empty text for null
s/say("  %s = null", name)/say("  %s = \\"\\"", name)/
