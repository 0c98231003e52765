# loses cycle: finds nobody who comes back to where he began
s/if (at == i)/if (at == i \&\& count < 0)/
