# loses live: counts references instead of objects
s/^    if (node_of(\*tag) >= 0)$/    if (node_of(*tag) >= 0 \&\& row >= 0)\n        rows[row].count++;\n&/
