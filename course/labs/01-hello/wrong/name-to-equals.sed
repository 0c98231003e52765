# loses name: takes a = in the name for its end
s/\*name = option + 5;/{ *name = option + 5; if (strchr(*name, '=')) *strchr(*name, '=') = 0; }/
