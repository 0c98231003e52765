# SPDX-License-Identifier: MIT

test_scripts += %D%/check-floors.t %D%/clang.t %D%/dist.t
EXTRA_DIST += %D%/floors.txt %D%/install-packages %D%/try-readme

# What dist.t asks.
.PHONY: print-distfiles
print-distfiles:
	@echo $(patsubst $(srcdir)/%,%,$(DISTFILES))
