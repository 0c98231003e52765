# loses entry init: changes static methods only
s/^    if (code == NULL)$/    if (code == NULL || (method->access \& 8) == 0)/
