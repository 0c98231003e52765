# loses unknown: names the option without its value
s/"unknown option: %s\\n", option/"unknown option: %.*s\\n", (int)strcspn(option, "="), option/
