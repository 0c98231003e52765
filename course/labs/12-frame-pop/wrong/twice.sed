# loses once kit: takes a second request of the same environment
s/if (p->env == n->request->env && p->frame == f)/if (p->env == NULL)/
