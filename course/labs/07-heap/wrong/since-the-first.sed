# loses grown: compares with the first report
s/^        rows\[i\]\.before = rows\[i\]\.count;/        if (looks < 2)\n            rows[i].before = rows[i].count;/
