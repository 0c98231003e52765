# loses unknown: does not know an option if it is the first one only
s/^            return false;/            return option != options;/
