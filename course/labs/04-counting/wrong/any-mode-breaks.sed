# loses entry: takes the option mode for mode=break, whatever it says
s/strcmp(option, "mode=break") == 0/strncmp(option, "mode=", 5) == 0/
