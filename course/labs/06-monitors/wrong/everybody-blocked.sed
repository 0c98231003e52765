# loses cycle none: takes every thread that waits for a member of a circle
s/if (is_in_circle(next, count, i))/if (next[i] >= 0)/
