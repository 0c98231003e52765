# loses both unknown: stops behind the first option
s/option = strtok_r(NULL, ",", &rest)/option = NULL/
