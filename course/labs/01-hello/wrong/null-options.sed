# loses hello: reads options that may be NULL
s/options != NULL ? options : ""/options/
