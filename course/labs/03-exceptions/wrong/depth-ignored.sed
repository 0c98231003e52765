# loses depth: reads the option and does nothing with it
s/if (count > depth)/if (count > 100000)/
