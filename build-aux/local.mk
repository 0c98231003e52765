# SPDX-License-Identifier: MIT

test_scripts += %D%/check-floors.t %D%/check-self.t %D%/clang.t %D%/dist.t %D%/names.t \
	%D%/format.t %D%/map.t %D%/release.t
EXTRA_DIST += %D%/floors.txt %D%/install-packages %D%/map %D%/release %D%/try-readme

# What dist.t asks.
.PHONY: print-distfiles
print-distfiles:
	@echo $(patsubst $(srcdir)/%,%,$(DISTFILES))
