# loses unknown: says so, and lets the VM start
s/            return false;/            return true;/
