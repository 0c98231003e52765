# loses scope: in the order of the table
/^ *qsort/d
s/^compare(/__attribute__((unused)) compare(/
