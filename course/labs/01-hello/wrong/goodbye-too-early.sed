# loses goodbye: says goodbye where the agent's first function ends
s/^    free(copy);/    free(copy); say("goodbye");/
s/^    say("goodbye");/    (void)0;/
