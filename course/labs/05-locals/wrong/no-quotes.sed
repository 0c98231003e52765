# loses text: writes text without quotes
s/%s = \\"%s\\"/%s = %s/
