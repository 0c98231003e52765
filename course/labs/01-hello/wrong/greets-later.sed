# loses hello: greets when the VM is initialized
s/^    say("vm %s", name);/    for (int i = 0; i < times; i++)\n        say("hello %s", whom);\n&/
s/^        say("hello %s", name);/        (void)0;/
s/^    free(copy);$/    times = repeat; whom = strdup(name);\n&/
s/^on_vm_init(/on_vm_init(/
s/^#include "lab.h"/&\n\nstatic int times;\nstatic char *whom;/
