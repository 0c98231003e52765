# loses clear: clears one too late
s/if (seen == hits)/if (seen == hits + 1)/
