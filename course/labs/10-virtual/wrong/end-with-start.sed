# loses count: takes a thread for ended when it starts
/^    ended++;/d
s/^    started++;/    started++;\n    ended++;/
