# loses alive state stack: has room for 16 threads
s/#define MAX_THREADS 10000/#define MAX_THREADS 16/
