# loses unknown: ends the process, where the VM ought to
s/^            return false;/            exit(1);/
