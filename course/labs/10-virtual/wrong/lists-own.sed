# loses listed: says how many are in its own list
s/say("listed %d", (int)listed)/say("listed %d", (int)listed + alive_count)/
