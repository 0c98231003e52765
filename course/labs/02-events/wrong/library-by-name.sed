# loses own: takes what begins as a package of the JDK for the class library
s/^    say("prepare %\.\*s"/    if (strncmp(signature, "Ljava.", 6) != 0 \&\& strncmp(signature, "Ljdk.", 5) != 0\n        \&\& strncmp(signature, "Lsun.", 5) != 0)\n    &/
s/ || loader == NULL)/)/
