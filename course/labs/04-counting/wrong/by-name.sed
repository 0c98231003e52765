# loses all: takes two methods of one name for the same
s/"%s %s", name, descriptor/"%s %s", name, strcmp(descriptor, "(J)V") == 0 ? "(I)V" : descriptor/
