# loses path: begins behind the object itself
s/for (long at = target; at >= 0;/for (long at = nodes[target].parent; at >= 0;/
