# loses refused: says an error's number
s/say("refused %s %d %s", name, version, text)/say("refused %s %d %d", name, version, (int)error)/
