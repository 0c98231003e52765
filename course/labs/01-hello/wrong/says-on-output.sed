# loses unknown: writes the message to standard output
s/fprintf(stderr, "unknown option: %s\\n", option)/say("unknown option: %s", option)/
