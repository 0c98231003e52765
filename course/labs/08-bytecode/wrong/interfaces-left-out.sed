# loses entry: leaves interfaces as they are, which may have code, too
s/^    if (c == NULL)$/    if (c == NULL || (tf_class_access(c) \& TF_ACC_INTERFACE) != 0)/
