# loses merged: says how many stacks there are instead of how many samples
s/^static int interval_ms;/&\nstatic long written;/
/^write_folded/,/^}/s/^            fprintf(/            written++, fprintf(/
/^on_vm_death/,/^}/s/say("samples %ld", root\.total);/say("samples %ld", written);/
