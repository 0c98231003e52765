# loses start end: has room for 15 characters of a thread's name
s/say("%s%s", before, info.name)/say("%s%.15s", before, info.name)/
