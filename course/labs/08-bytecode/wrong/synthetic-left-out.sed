# loses entry: leaves out methods that the compiler has added
s/^    if (code == NULL)$/    if (code == NULL || (method->access \& TF_ACC_SYNTHETIC) != 0)/
