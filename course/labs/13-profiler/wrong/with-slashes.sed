# loses stacks: leaves the slashes in the names of classes
/^method_name/,/^}/s/^            if (\*c == .\/.)/            if (*c == '\/' \&\& c == NULL)/
