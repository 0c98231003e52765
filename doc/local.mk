# SPDX-License-Identifier: MIT

test_scripts += %D%/quickstart/quickstart.t
clean_dirs += %D%/quickstart/work
EXTRA_DIST += %D%/extensions.md %D%/status.md %D%/quickstart/run %D%/quickstart/Words.java \
	%D%/quickstart/words-agent.c
