# loses entry back init: writes the package, too
s/tf_class_name(c) + strlen(package)/tf_class_name(c)/
